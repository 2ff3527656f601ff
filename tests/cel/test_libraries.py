# FEATURE: D5
"""The functions of the libraries (cel.md, Libraries); every expression holds for the published compiler."""

import pytest

from tests.cel.asking import FAILS, REFUSED, asked, derived

STRINGS = [
    '"Héllo".size() == 5 && "hello".contains("ell") && "hello".startsWith("he") && "hello".endsWith("lo")',
    '"hello".charAt(5) == "" && "abc".substring(3) == "" && "hello".substring(1, 3) == "el"',
    '"abc".indexOf("", 9) == 3 && "abc".indexOf("b", 3) == -1 && "abcbc".lastIndexOf("bc", 2) == 1',
    '"abc".lastIndexOf("b", 3) == -1 && "".lastIndexOf("", 1) == 0',
    '"abc".replace("", "-") == "-a-b-c-" && "hello".replace("l", "L", 1) == "heLlo"',
    '"a,b,c".split(",", 2) == ["a", "b,c"] && "abc".split("", 2) == ["a", "bc"] && "".split(",") == [""]',
    '"É".lowerAscii() == "É" && "\\u00a0a\\u3000".trim() == "a" && "\\u200ba".trim() != "a"',
    '["a", "b"].join("-") == "a-b" && strings.quote("a\\n\\"") == "\\"a\\\\n\\\\\\"\\""',
]
CONVERSIONS = [
    'string(1000000.0) == "1e+06" && string(123456.0) == "123456" && string(0.00001) == "1e-05"',
    'string(duration("1500ms")) == "1.5s" && string(timestamp(0)) == "1970-01-01T00:00:00Z"',
    'int("-42") == -42 && int(-3.99) == -3 && uint("8") == 8u && double("0x1p-2") == 0.25 && bool("t")',
    'duration("1h1h") == duration("2h") && duration("-1500ms").getSeconds() == -1',
    'duration("90s").getMilliseconds() == 90000 && duration("2h").getMinutes() == 120',
    'timestamp("2026-01-02T03:04:05Z").getDayOfWeek() == 5',
    'timestamp("2026-01-02T03:04:05Z").getHours("-04:00") == 23',
    'timestamp("2026-01-02T03:04:05Z").getHours("America/New_York") == 22',
]
LISTS = [
    "[3, 1, 2].sort() == [1, 2, 3] && [1, 2, 1].distinct() == [1, 2] && [[1], [2]].flatten() == [1, 2]",
    "[1, 2, 3, 4].slice(1, 3) == [2, 3] && lists.range(3).reverse() == [2, 1, 0]",
    "[1, 2, 2].isSorted() && [1, 2].sum() == 3 && [].sum() == 0 && [1, 3].max() == 3 && [1, 2, 1].lastIndexOf(1) == 2",
    '[duration("1s"), duration("2s")].sum() == duration("3s") && dyn([1.5, 2.0]).sum() == 3.5',
    "sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([], [1])",
    '[1].includes(1) && dyn("a").includes("a") && !["a"].includes(1)',
    "[dyn(1), dyn([2])].flatten() == [dyn(1), dyn(2)] && [dyn(1), dyn('a')].isSorted()",
]
REGULAR_EXPRESSIONS = [
    '"a1b22".findAll("[0-9]+") == ["1", "22"] && "a1b2".findAll("[0-9]", 1) == ["1"] && "abc".find("z") == ""',
    '"abc".findAll("b*") == ["", "b", ""] && "abc".matches("(?i)B") && !"ab\\ncd".matches("b$")',
]
QUANTITIES = [
    'quantity("1Gi") == quantity("1024Mi") && quantity("1.5k").isInteger() && quantity("1e3") == quantity("1k")',
    '!quantity("1.0").isInteger() && !quantity("1000m").isInteger() && !quantity("100Ti").isInteger()',
    'quantity("99Ti").isInteger() && !quantity("9223372036854775807").isInteger()',
    'quantity("3e-1").asApproximateFloat() != 0.3 && quantity("300m").asApproximateFloat() == 0.3',
    'quantity("1k").add(quantity("1")).asInteger() == 1001 && quantity("5").sub(2) == quantity("3")',
    'quantity("0.0000000001") == quantity("1n") && quantity("100Ei") == quantity("9223372036854775807")',
    'isQuantity("-1") && !isQuantity("1Gb") && !isQuantity("") && sign(quantity("-1n")) == -1',
]
VERSIONS = [
    'semver("1.2.3").isLessThan(semver("1.10.0")) && semver("1.0.0-a.1").compareTo(semver("1.0.0-a.b")) == -1',
    'semver("v1.2", true) == semver("1.2.0") && semver("01.02.03", true) == semver("1.2.3")',
    'isSemver("1", true) && !isSemver("1") && !isSemver("1-alpha", true) && !isSemver(" 1.2.3", true)',
    'semver("1.2.3").minor() == 2 && semver("18446744073709551615.0.0").major() == -1',
]
NETWORKS = [
    'ip("::1").family() == 6 && ip("::1").isLoopback() && ip.isCanonical("::1") && !ip.isCanonical("::0:1")',
    'string(ip("1:0:0:2:0:0:0:3")) == "1:0:0:2::3" && !isIP("::ffff:1.2.3.4") && !isIP("fe80::1%en0")',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && !isCIDR("10.0.0.0/08") && string(cidr("::/9")) == "::/9"',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.0.0.0/8").containsCIDR(cidr("10.9.9.9/16"))',
    '!ip("255.255.255.255").isGlobalUnicast() && ip("fc00::1").isGlobalUnicast()',
    'ip("ff12::1").isLinkLocalMulticast() && !ip("224.0.1.1").isLinkLocalMulticast()',
]
URLS = [
    'url("https://[::1]:80/a").getHostname() == "::1" && url("https://[::1]:80/a").getPort() == "80"',
    'url("/a b").getEscapedPath() == "/a%20b" && url("/a%2fb").getEscapedPath() == "/a%2fb"',
    'url("/a#b").getEscapedPath() == "/a" && url("//a/b").getHost() == "a" && url("HTTP://A").getScheme() == "http"',
    'url("/?a=1&b=2&a=3").getQuery()["a"] == ["1", "3"] && url("/?a=1;b=2").getQuery() == {}',
    '!isURL("../rel") && !isURL("http://a:b/") && !isURL("http://a b/") && !isURL("") && isURL("mailto:x")',
]
FORMATS = [
    'format.dns1123Label().validate("ok") == optional.none() && format.dns1123Label().validate("Not").hasValue()',
    'format.dns1123LabelPrefix().validate("a-") == optional.none() && format.dns1123Label().validate("a-").hasValue()',
    'format.qualifiedName().validate("a.b/c_D") == optional.none()',
    'format.uuid().validate("x").value() == ["does not match the UUID format"] && !format.named("nothing").hasValue()',
    'format.byte().validate("YQ==") == optional.none() && format.byte().validate("").hasValue()',
    'format.date().validate("2026-02-30").hasValue() && !format.datetime().validate("2026-01-02t03:04:05z").hasValue()',
]


@pytest.mark.parametrize(
    "expression",
    [*STRINGS, *CONVERSIONS, *LISTS, *REGULAR_EXPRESSIONS, *QUANTITIES, *VERSIONS, *NETWORKS, *URLS, *FORMATS],
)
def test_holds(expression: str) -> None:
    assert asked(expression) is True


@pytest.mark.parametrize(
    "expression",
    [
        *('"a".charAt(2) == ""', '"abc".substring(2, 1) == ""', '"abc".indexOf("b", -1) == 1'),
        *("[].min() == 1", "[1, 2].slice(1, 9) == [2]", "lists.range(-1) == []", "lists.range(1000001).size() == 1"),
        *('[1].flatten(-1) == [1] || [dyn(1), dyn("a")].sort() == []', 'quantity("1.5").asInteger() == 1'),
        *('semver("1.2") == semver("1.2.0")', 'ip("10.0") == ip("::1")', 'url("not a url") == url("/a")'),
        *("string(A.firmware) == '1.10.3'", "A.slot.matches('3')", "A.model.isLessThan(semver('1.0.0'))"),
    ],
)
def test_fails(expression: str) -> None:
    assert asked(expression) in (FAILS, REFUSED)


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ('"%s is %d".format(["a", 1])', "a is 1"),
        ('"%.2f|%f".format([1234.5, -0.25])', "1,234.50|-0.250000"),
        ('"%e|%.2e".format([1234.5, 0.001])', "1.234500×10⁰³|1.000000×10⁻⁰³"),
        ('"%x|%X|%o|%b".format([255, b"\\xab", 8, true])', "ff|AB|10|1"),
        ('"%s".format([["a\\"", 1.5, null, b"x", duration("1s")]])', '["a\\"", 1.500000, null, b"x", duration("1s")]'),
        ('"%s".format([{"b": 1, "a": [2]}])', '{"a":[2], "b":1}'),
        ('"%f|%f".format([double("inf"), "NaN"])', "∞|NaN"),
        ('"100%%".format([])', "100%"),
        ('"%s".format([type(1)])', "int"),
    ],
)
def test_format_prints(expression: str, printed: str) -> None:
    assert derived(expression) == {"string": printed}
