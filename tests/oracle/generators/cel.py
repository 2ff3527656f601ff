"""Device expressions for the CEL environment: `python -m tests.oracle.generators.cel [--seed N] [--random M]`.

A fixed list covers every operator, macro and function that a device expression can reach; `--random` adds compositions.
Each line is an unanswered case of kind "cel".
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from typing import Any

Json = dict[str, Any]

GPU: Json = {
    "driver": "gpu.example.com",
    "allowMultipleAllocations": True,
    "attributes": {
        "model": {"string": "tensor-80"},
        "empty": {"string": ""},
        "accent": {"string": "åßç€😀"},
        "healthy": {"bool": True},
        "broken": {"bool": False},
        "slot": {"int": 3},
        "zero": {"int": 0},
        "negative": {"int": -5},
        "huge": {"int": 9223372036854775807},
        "least": {"int": -9223372036854775808},
        "firmware": {"version": "1.10.3"},
        "candidate": {"version": "2.0.0-rc.1"},
        "built": {"version": "2.0.0+build.7"},
        "gpu.example.com/qualified": {"string": "yes"},
        "nodes": {"ints": [0, 1]},
        "links": {"strings": ["a", "b", "a"]},
        "tags": {"bools": [True, False]},
        "protocols": {"versions": ["1.2.0", "1.10.0"]},
        "topology.example.com/numaNode": {"int": 1},
    },
    "capacity": {
        "memory": {"value": "40Gi"},
        "cores": {"value": "500m"},
        "none": {"value": "0"},
        "vast": {"value": "20E"},
        "fine": {"value": "1.5"},
        "net.example.org/bandwidth": {"value": "100G"},
    },
}
NIC: Json = {
    "driver": "nic.example.net",
    "attributes": {
        "model": {"string": "fabric-400"},
        "slot": {"string": "three"},
        "gpu.example.com/model": {"string": "paired"},
    },
}
BARE: Json = {"driver": "bare.example.com"}

A, T, C = (
    'device.attributes["gpu.example.com"]',
    'device.attributes["topology.example.com"]',
    'device.capacity["gpu.example.com"]',
)

PLAIN = """
true
false
!true
!!true
true && false || true
1 == 1
1 == 2
1 != 2
1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3
1 < 2u && 1.5 > 1 && 2u == 2 && 2.0 == 2u
-1 < 0u
1u - 2u == 0u
1 + 2 * 3 == 7
7 / 2 == 3 && -7 / 2 == -3 && 7 % 3 == 1 && -7 % 3 == -1
7.0 / 2.0 == 3.5
1 / 0 == 0
1 % 0 == 0
1.0 / 0.0 > 0.0
9223372036854775807 + 1 > 0
-9223372036854775808 - 1 < 0
-(-9223372036854775808) > 0
9223372036854775807 * 2 > 0
18446744073709551615u + 1u > 0u
9223372036854775808 > 0
0x10 == 16 && 0xFFu == 255u
1e3 == 1000.0 && .5 == 0.5
double("nan") == double("nan")
"a" + "b" == "ab"
"a" < "b" && "B" < "a"
b"abc" == bytes("abc")
b"a" + b"b" == b"ab" && b"a" < b"b"
size(b"\\xff\\x00") == 2
'single' == "single" && '''triple''' == "triple" && r"\\n" == "\\\\n"
"\\u00e9" == "é" && "\\x41" == "A" && "\\101" == "A"
"tab\\tnew\\n".size() == 8
[1, 2] + [3] == [1, 2, 3]
[1, 2][0] == 1
[1, 2][2] == 1
[1, 2][-1] == 1
[] == []
[1, 2.0] == [1.0, 2]
[1, "a"] == [1, "a"]
[dyn(1), dyn("a")].size() == 2
[1] == ["a"]
dyn([1]) == dyn(["a"])
{"a": 1}["a"] == 1
{"a": 1}.a == 1
{"a": 1}["b"] == 1
{"a": 1}.b == 1
{"a": 1, "b": 2}.size() == 2
{"a": 1} == {"a": 1} && {"a": 1} != {"a": 2}
{"a": 1, "a": 2}.a == 2
{1: "x", 2: "y"}[2] == "y"
{1: "x", "b": "y"}.size() == 2
{"a": 1, "b": "x"}.size() == 2
{true: 1}[true] == 1
{1.5: 1}.size() == 1
1 in [1, 2] && !(3 in [1, 2])
1.0 in [1, 2]
"a" in {"a": 1}
"a" in ["b"]
1 in ["a"]
dyn(1) in dyn(["a", 1])
true ? true : false
true ? 1 : "a"
(true ? 1 : 2) == 1
false ? 1 / 0 == 1 : true
true || 1 / 0 == 1
1 / 0 == 1 || true
false && 1 / 0 == 1
1 / 0 == 1 && false
1 / 0 == 1 && true
false || 1 / 0 == 1
dyn("x") || true
dyn("x") || false
dyn("x") && false
null == null
dyn(null) == dyn(1)
null
dyn(1) == dyn("1")
dyn(1) == dyn(true)
dyn(1) == dyn(1.0)
dyn(1) < dyn("a")
dyn(1) + dyn("a") == dyn(2)
1 == true
1 + true == 2
"a" == 1
"a" * 2 == "aa"
type(1) == int && type("a") == string && type(1u) == uint && type(1.5) == double && type(true) == bool
type([1]) == list && type({"a": 1}) == map && type(null) == null_type && type(b"a") == bytes && type(type(1)) == type
int("42") == 42 && int(3.99) == 3 && int(-3.99) == -3 && int(7u) == 7
int("x") == 0
int("0x10") == 16
int(1e20) == 0
uint(7) == 7u && uint("8") == 8u && uint(1.9) == 1u
uint(-1) == 0u
double("1.5") == 1.5 && double(2) == 2.0 && double(3u) == 3.0
double("x") == 0.0
string(12) == "12" && string(1.5) == "1.5" && string(true) == "true" && string(b"ab") == "ab" && string(1u) == "1"
string(1.0) == "1" && string(1e30) == "1e+30"
string(b"\\xff") == "x"
bool("true") && bool("1") && !bool("False") && bool("t")
bool("yes")
string(timestamp("2026-01-02T03:04:05Z")) == "2026-01-02T03:04:05Z"
string(duration("90s")) == "90s" && string(duration("1h30m")) == "5400s"
duration("1h") > duration("59m") && duration("1h").getMinutes() == 60 && duration("90s").getSeconds() == 90
duration("1500ms").getMilliseconds() == 500 && duration("2h").getHours() == 2
duration("1x") == duration("1s")
duration("1h") + duration("30m") == duration("90m") && duration("1h") - duration("30m") == duration("30m")
timestamp("2026-01-02T03:04:05Z") + duration("1h") == timestamp("2026-01-02T04:04:05Z")
timestamp("2026-01-02T03:04:05Z") - timestamp("2026-01-01T03:04:05Z") == duration("24h")
timestamp("2026-01-02T03:04:05Z").getFullYear() == 2026 && timestamp("2026-01-02T03:04:05Z").getMonth() == 0
timestamp("2026-01-02T03:04:05Z").getDate() == 2 && timestamp("2026-01-02T03:04:05Z").getDayOfMonth() == 1
timestamp("2026-01-02T03:04:05Z").getDayOfWeek() == 5 && timestamp("2026-01-02T03:04:05Z").getDayOfYear() == 1
timestamp("2026-01-02T03:04:05Z").getHours("+02:00") == 5 && timestamp("2026-01-02T03:04:05Z").getMinutes() == 4
timestamp("not a time") < timestamp("2026-01-02T03:04:05Z")
timestamp(0) == timestamp("1970-01-01T00:00:00Z") && int(timestamp(5)) == 5
[1, 2, 3].all(x, x > 0) && [1, 2, 3].exists(x, x == 2) && [1, 2, 3].exists_one(x, x > 2)
[].all(x, false) && ![].exists(x, true) && ![].exists_one(x, true)
[1, 1].exists_one(x, x == 1)
[1, 2, 3].existsOne(x, x > 2)
[1, 2, 3].map(x, x * 2) == [2, 4, 6] && [1, 2, 3].map(x, x > 1, x * 2) == [4, 6]
[1, 2, 3].filter(x, x % 2 == 1) == [1, 3]
{"a": 1, "b": 2}.all(k, k < "c") && {"a": 1, "b": 2}.exists(k, k == "b")
{"a": 1, "b": 2}.map(k, k).size() == 2 && {"a": 1, "b": 2}.filter(k, k == "a") == ["a"]
[1, 2, 3].all(x, 1 / (x - 2) > 5) || true
[2, 1].exists(x, 1 / (x - 2) < 0)
[2, 3].exists(x, 1 / (x - 2) < 0)
[1, 2].all(x, x / 0 == 1)
[[1, 2], [3]].all(l, l.all(x, x > 0))
[1, 2].all(x, [1, 2].exists(x, x == 2))
[1, 2].all(1, true)
[1, 2].all(x.y, true)
5.all(x, true)
"abc".all(x, true)
[1, 2, 3].all(i, v, v == i + 1)
[1, 2, 3].exists(i, v, i == 2 && v == 3)
[1, 2, 3].existsOne(i, v, v > 2)
{"a": 1, "b": 2}.all(k, v, v > 0) && {"a": 1, "b": 2}.exists(k, v, k == "b" && v == 2)
[1, 2, 3].transformList(i, v, i * v) == [0, 2, 6]
[1, 2, 3].transformList(i, v, i > 0, v) == [2, 3]
{"a": 1}.transformMap(k, v, v + 1) == {"a": 2}
{"a": 1, "b": 2}.transformMap(k, v, v > 1, v + 1) == {"b": 3}
["x", "y"].transformMapEntry(i, v, {v: i}) == {"x": 0, "y": 1}
["x", "x"].transformMapEntry(i, v, {v: i}).size() == 1
cel.bind(x, 2, x * x == 4)
cel.bind(x, 1 / 0, true)
cel.bind(x, 1 / 0, x == 1)
cel.bind(x, [1, 2], cel.bind(y, x.size(), y == 2))
cel.bind("x", 1, true)
has({"a": 1}.a)
has({"a": 1}.b)
has({"a": null}.a)
has(device)
has([1][0])
has(1.a)
optional.of(1).hasValue() && !optional.none().hasValue()
optional.of(1).value() == 1
optional.none().value() == 1
optional.ofNonZeroValue(0).hasValue() || optional.ofNonZeroValue("").hasValue() || optional.ofNonZeroValue([]).hasValue()
optional.of(1).orValue(2) == 1 && optional.none().orValue(2) == 2
optional.of(1).orValue("a") == 1
optional.of(1).or(optional.of(2)).value() == 1 && optional.none().or(optional.of(2)).value() == 2
optional.of(2).optMap(x, x * 2).value() == 4 && !optional.none().optMap(x, x * 2).hasValue()
optional.of(2).optFlatMap(x, optional.of(x + 1)).value() == 3
optional.of(1) == optional.of(1) && optional.none() == optional.none() && optional.of(1) != optional.none()
optional.of(1)
{"a": 1}.?a.value() == 1 && !{"a": 1}.?b.hasValue()
{"a": {"b": 1}}.?a.b.value() == 1 && !{"a": {"b": 1}}.?x.b.hasValue()
{"a": 1}[?"a"].orValue(0) == 1 && {"a": 1}[?"b"].orValue(7) == 7
[1, 2][?0].value() == 1 && ![1, 2][?9].hasValue()
[?optional.of(1), ?optional.none(), 3] == [1, 3]
{?"a": optional.of(1), ?"b": optional.none()} == {"a": 1}
optional.unwrap([optional.of(1), optional.none()]) == [1]
[optional.of(1), optional.none()].unwrapOpt() == [1]
[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && ![].first().hasValue()
"Héllo".size() == 5 && size("Héllo") == 5 && size([1]) == 1 && size({"a": 1}) == 1
size(1) == 1
"hello".contains("ell") && "hello".startsWith("he") && "hello".endsWith("lo")
"hello".matches("^h.*o$") && matches("hello", "l+") && !"hello".matches("^l")
"hello".matches("(")
"a.b".matches("a\\\\.b") && "aXb".matches("a.b")
"hello".charAt(1) == "e" && "hello".charAt(5) == ""
"hello".charAt(6) == ""
"hello".indexOf("l") == 2 && "hello".indexOf("l", 3) == 3 && "hello".indexOf("z") == -1 && "hello".lastIndexOf("l") == 3
"hello".indexOf("") == 0 && "hello".lastIndexOf("") == 5
"hello".indexOf("l", 9) == -1
"Hello".lowerAscii() == "hello" && "Hello".upperAscii() == "HELLO" && "É".lowerAscii() == "É"
"hello".replace("l", "L") == "heLLo" && "hello".replace("l", "L", 1) == "heLlo" && "hello".replace("l", "L", 0) == "hello"
"a,b,c".split(",") == ["a", "b", "c"] && "a,b,c".split(",", 2) == ["a", "b,c"] && "a,b".split(",", 0) == []
"abc".split("") == ["a", "b", "c"]
"hello".substring(1) == "ello" && "hello".substring(1, 3) == "el"
"hello".substring(3, 1) == ""
"hello".substring(9) == ""
" a ".trim() == "a" && "\\u00a0a".trim() == "a"
["a", "b"].join() == "ab" && ["a", "b"].join("-") == "a-b" && [].join("-") == ""
[1, 2].join("-") == "1-2"
"%s is %d, %.2f, %x, %X, %o, %b, %e".format(["a", 1, 1.5, 255, 255, 8, 5, 1234.5]) == "a is 1, 1.50, ff, FF, 10, 101, 1.234500e+03"
"%s %s %s".format([[1, 2], {"a": 1}, true]) == "[1, 2] {a: 1} true"
"%d".format(["a"]) == "a"
"%s".format([]) == ""
"%q".format([1]) == ""
"100%%".format([]) == "100%"
strings.quote("a\\nb") == "\\"a\\\\nb\\""
"hello".reverse() == "olleh"
"abc".find("[bc]+") == "bc" && "abc".find("z") == "" && "a1b22".findAll("[0-9]+") == ["1", "22"]
"a1b22c3".findAll("[0-9]+", 2) == ["1", "22"]
"abc".find("(") == ""
[1, 2, 3].sum() == 6 && [1.5, 2.0].sum() == 3.5 && [].sum() == 0
[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && ["b", "a"].min() == "a"
[].min() == 1
[1, 2, 2].isSorted() && ![2, 1].isSorted() && [].isSorted()
[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(5) == -1
[1, 2, 3].includes(2) && ![1, 2, 3].includes(5) && ["a"].includes("a")
["a"].includes(1)
dyn("a").includes("a")
dyn(1).includes(1)
[3, 1, 2].sort() == [1, 2, 3] && ["b", "a"].sort() == ["a", "b"]
[3, 1, 2].sortBy(x, -x) == [3, 2, 1]
[[1], [2, [3]]].flatten() == [1, 2, [3]]
[[1], [2]].flatten() == [1, 2]
[1, 2, 3, 4].slice(1, 3) == [2, 3]
[1, 2].slice(1, 9) == [2]
[1, 2, 1].distinct() == [1, 2]
[1, 2, 3].reverse() == [3, 2, 1]
lists.range(3) == [0, 1, 2]
lists.range(-1) == []
lists.concat([1], [2]) == [1, 2]
sets.contains([1, 2, 3], [1, 2]) && sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1, 2])
sets.contains([1], [2]) || sets.intersects([], [1])
quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("1G").isLessThan(quantity("1Gi"))
quantity("1Gi").compareTo(quantity("1024Mi")) == 0 && quantity("1").compareTo(quantity("2")) == -1
quantity("1Gi") == quantity("1024Mi")
quantity("1k").asInteger() == 1000 && quantity("1.5").asApproximateFloat() == 1.5
quantity("1.5").asInteger() == 1
quantity("20E").isInteger() || quantity("9999999999999999999999G").isInteger()
quantity("1.5").isInteger()
quantity("1Gi").add(quantity("1Gi")) == quantity("2Gi") && quantity("1Gi").add(1) == quantity("1073741825")
quantity("1Gi").sub(quantity("512Mi")) == quantity("512Mi") && quantity("5").sub(2) == quantity("3")
sign(quantity("-1")) == -1 && sign(quantity("0")) == 0 && sign(quantity("3")) == 1
quantity("-1").sign() == -1
isQuantity("1Gi") && !isQuantity("1Gb") && isQuantity("-1") && !isQuantity("")
quantity("1Gb") == quantity("1")
quantity("1Gi") < quantity("2Gi")
quantity("1e3") == quantity("1k") && quantity("0.5") == quantity("500m")
semver("1.2.3").isGreaterThan(semver("1.2.0")) && semver("1.2.3").isLessThan(semver("1.10.0"))
semver("1.0.0-alpha").isLessThan(semver("1.0.0")) && semver("1.0.0-alpha.1").compareTo(semver("1.0.0-alpha.beta")) == -1
semver("1.2.3").major() == 1 && semver("1.2.3").minor() == 2 && semver("1.2.3").patch() == 3
semver("1.0.0+a") == semver("1.0.0+b")
semver("1.0.0+a").compareTo(semver("1.0.0+b")) == 0
semver("v1.2") == semver("1.2.0")
semver("v1.2", true) == semver("1.2.0") && semver("01.02.03", true) == semver("1.2.3")
isSemver("1.2.3") && !isSemver("v1.2.3") && isSemver("v1.2.3", true) && !isSemver("a.b.c", true) && isSemver("1", true)
semver("1.2.3") < semver("1.2.4")
ip("192.168.0.1").family() == 4 && ip("::1").family() == 6 && ip("::1").isLoopback() && isIP("10.0.0.1") && !isIP("10.0.0")
ip("10.0.0.1") == ip("10.0.0.1") && string(ip("::1")) == "::1" && ip.isCanonical("::1") && !ip.isCanonical("0:0:0:0:0:0:0:1")
ip("10.0.0") == ip("10.0.0.1")
ip("0.0.0.0").isUnspecified() && ip("224.0.0.1").isLinkLocalMulticast() && ip("169.254.0.1").isLinkLocalUnicast() && ip("8.8.8.8").isGlobalUnicast()
cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && cidr("10.0.0.0/8").prefixLength() == 8
cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").ip() == ip("10.0.0.0") && isCIDR("::/0") && !isCIDR("::")
cidr("10.0.0.0") == cidr("10.0.0.0/8")
url("https://example.com:80/a?b=c").getHost() == "example.com:80" && url("https://example.com:80/a").getHostname() == "example.com" && url("https://example.com:80/").getPort() == "80"
url("https://example.com/a%20b?x=1&x=2").getEscapedPath() == "/a%20b" && url("https://example.com/?x=1&x=2").getQuery()["x"] == ["1", "2"] && url("/p").getScheme() == ""
isURL("https://example.com") && !isURL("../rel")
url("not a url") == url("/a")
format.dns1123Label().validate("ok") == optional.none() && format.dns1123Label().validate("Not OK").hasValue()
format.named("dns1123Label").hasValue() && !format.named("nothing").hasValue()
format.uuid().validate("12345678-1234-1234-1234-123456789012").hasValue() || format.date().validate("2026-01-02").hasValue() || format.byte().validate("!").hasValue()
math.greatest(1, 2) == 2
base64.encode(b"a") == "YQ=="
authorizer.path("/a").check("get").allowed()
regex.replace("a", "b", "c") == "c"
unknown
unknown.field == 1
foo(1)
request.auth == 1
object == null
1 +
(1
1 == = 1
"unterminated
'a' == "a" // comment
[1, 2,] == [1, 2]
{"a": 1,} == {"a": 1}
a.b.c.d
true.foo
_x == 1
in == 1
package == 1
`a` == 1
{"a-b": 1}.`a-b` == 1
type
int
"a".b == 1
lists.range(100).all(x, x >= 0)
lists.range(1200).all(x, lists.range(1200).all(y, x + y >= 0))
lists.range(700).map(x, lists.range(700).map(y, x * y)).size() == 700
lists.range(3000).map(x, "aaaaaaaaaa").join("").size() == 30000
lists.range(20000).map(x, "abc").join("").contains("d")
""".strip("\n").split("\n")

DEVICE = """
device.driver == "gpu.example.com"
device.driver.endsWith(".example.com")
device.driver == 1
device.driverName == "x"
device.name == "x"
device["driver"] == "gpu.example.com"
device == device
device
device.allowMultipleAllocations
!device.allowMultipleAllocations
device.allowMultipleAllocations == true
has(device.driver) && has(device.attributes) && has(device.capacity) && has(device.allowMultipleAllocations)
has(device.nothing)
size(device.attributes) == 2
device.attributes.size() >= 0
size(device.attributes["gpu.example.com"]) == 18
size(device.capacity) == 2
size(device.attributes["unknown.example.com"]) == 0
device.attributes == {}
device.attributes["unknown.example.com"] == {}
device.attributes["unknown.example.com"].x == 1
"gpu.example.com" in device.attributes
"unknown.example.com" in device.attributes
"unknown.example.com" in device.capacity
"model" in device.attributes["gpu.example.com"]
"missing" in device.attributes["gpu.example.com"]
"x" in device.attributes["unknown.example.com"]
"gpu.example.com/model" in device.attributes["gpu.example.com"]
device.attributes.exists(d, d == "topology.example.com")
device.attributes["gpu.example.com"].exists(k, k == "model")
device.attributes["gpu.example.com"].all(k, k != "")
device.attributes.all(d, a, size(a) > 0)
device.attributes.foo.bar == 1
has(device.attributes.foo)
has(device.attributes["gpu.example.com"].model)
has(device.attributes["gpu.example.com"].missing)
has(device.attributes["unknown.example.com"].missing)
has(device.attributes["gpu.example.com"]["model"])
device.attributes["gpu.example.com"].model == "tensor-80"
device.attributes["gpu.example.com"]["model"] == "tensor-80"
device.attributes["gpu.example.com"].missing == "x"
device.attributes["gpu.example.com"]["missing"] == "x"
device.attributes[device.driver].model.startsWith("tensor")
device.attributes["gpu.example.com"].qualified == "yes"
device.attributes["gpu.example.com/model"] == {}
device.attributes[1].x == 1
device.attributes["gpu.example.com"][1] == 1
device.attributes[?"unknown.example.com"].hasValue()
device.attributes[?"unknown.example.com"].?x.hasValue()
device.attributes[?"gpu.example.com"].?model.orValue("none") == "tensor-80"
device.attributes["gpu.example.com"].?model.orValue("none") == "tensor-80"
device.attributes["gpu.example.com"].?missing.orValue("none") == "none"
device.attributes["gpu.example.com"][?"missing"].orValue(1) == 1
device.attributes["unknown.example.com"].?x.orValue(true)
device.?attributes.hasValue()
device.attributes.?foo.hasValue()
device.attributes.?foo.?bar.orValue(true)
device.attributes["gpu.example.com"].healthy
device.attributes["gpu.example.com"].broken
device.attributes["gpu.example.com"].healthy && !device.attributes["gpu.example.com"].broken
device.attributes["gpu.example.com"].model
device.attributes["gpu.example.com"].slot
device.attributes["gpu.example.com"].nodes
device.attributes["gpu.example.com"].firmware
device.attributes["gpu.example.com"].slot == 3
device.attributes["gpu.example.com"].slot == 3.0
device.attributes["gpu.example.com"].slot == 3u
device.attributes["gpu.example.com"].slot == "3"
device.attributes["gpu.example.com"].slot > 2 && device.attributes["gpu.example.com"].slot < 3.5
device.attributes["gpu.example.com"].slot > "a"
device.attributes["gpu.example.com"].slot + 1 == 4
device.attributes["gpu.example.com"].slot + 1.5 == 4.5
device.attributes["gpu.example.com"].slot + "a" == "3a"
-device.attributes["gpu.example.com"].slot == -3
-device.attributes["gpu.example.com"].model == 1
-device.attributes["gpu.example.com"].least > 0
device.attributes["gpu.example.com"].huge + 1 > 0
device.attributes["gpu.example.com"].huge == 9223372036854775807
device.attributes["gpu.example.com"].slot / device.attributes["gpu.example.com"].zero == 1
device.attributes["gpu.example.com"].negative % 3 == -2
!device.attributes["gpu.example.com"].slot
!device.attributes["gpu.example.com"].healthy
device.attributes["gpu.example.com"].slot || true
device.attributes["gpu.example.com"].slot && false
device.attributes["gpu.example.com"].missing == 1 || true
device.attributes["gpu.example.com"].missing == 1 && false
device.attributes["gpu.example.com"].missing == 1 || device.attributes["gpu.example.com"].slot == 3
device.attributes["gpu.example.com"].slot ? true : false
device.attributes["gpu.example.com"].healthy ? device.attributes["gpu.example.com"].broken : true
device.attributes["gpu.example.com"].slot == 3 ? "a" : "b"
(device.attributes["gpu.example.com"].slot == 3 ? "a" : "b") == "a"
device.attributes["gpu.example.com"].model.size() == 9
size(device.attributes["gpu.example.com"].accent) == 5
size(device.attributes["gpu.example.com"].slot) == 1
device.attributes["gpu.example.com"].slot.size() == 1
device.attributes["gpu.example.com"].model.matches("^tensor-[0-9]+$")
device.attributes["gpu.example.com"].slot.matches("3")
device.attributes["gpu.example.com"].model.split("-")[1] == "80"
int(device.attributes["gpu.example.com"].model.split("-")[1]) == 80
device.attributes["gpu.example.com"].model.lowerAscii().contains("sor")
device.attributes["gpu.example.com"].model in ["tensor-80", "tensor-40"]
device.attributes["gpu.example.com"].model in [1, 2]
device.attributes["gpu.example.com"].slot in [1, 2, 3]
device.attributes["gpu.example.com"].slot in [3.0]
device.attributes["gpu.example.com"].model == device.attributes["gpu.example.com"].slot
device.attributes["gpu.example.com"].model != device.attributes["gpu.example.com"].missing
string(device.attributes["gpu.example.com"].slot) == "3"
string(device.attributes["gpu.example.com"].firmware) == "1.10.3"
int(device.attributes["gpu.example.com"].model) == 1
type(device.attributes["gpu.example.com"].slot) == int
type(device.attributes["gpu.example.com"].model) == string
type(device.attributes["gpu.example.com"].nodes) == list
dyn(device.attributes["gpu.example.com"].slot) == 3
device.attributes["gpu.example.com"].firmware.isGreaterThan(semver("1.2.0"))
device.attributes["gpu.example.com"].firmware.compareTo(semver("1.10.3")) == 0
device.attributes["gpu.example.com"].firmware == semver("1.10.3")
device.attributes["gpu.example.com"].firmware == "1.10.3"
device.attributes["gpu.example.com"].firmware > semver("1.0.0")
device.attributes["gpu.example.com"].candidate.isLessThan(semver("2.0.0"))
device.attributes["gpu.example.com"].built.compareTo(semver("2.0.0")) == 0
device.attributes["gpu.example.com"].built == semver("2.0.0")
device.attributes["gpu.example.com"].firmware.minor() == 10
device.attributes["gpu.example.com"].firmware.startsWith("1")
device.attributes["gpu.example.com"].slot.isGreaterThan(semver("1.0.0"))
device.attributes["gpu.example.com"].model.isGreaterThan(semver("1.0.0"))
semver(device.attributes["gpu.example.com"].model) == semver("1.0.0")
device.attributes["gpu.example.com"].nodes == [0, 1]
device.attributes["gpu.example.com"].nodes[1] == 1
device.attributes["gpu.example.com"].nodes[5] == 1
device.attributes["gpu.example.com"].nodes.size() == 2
1 in device.attributes["gpu.example.com"].nodes
"a" in device.attributes["gpu.example.com"].links
device.attributes["gpu.example.com"].nodes.includes(1)
device.attributes["gpu.example.com"].slot.includes(3)
device.attributes["gpu.example.com"].model.includes("tensor-80")
device.attributes["gpu.example.com"].model.includes("tensor")
device.attributes["gpu.example.com"].healthy.includes(true)
device.attributes["gpu.example.com"].links.includes("b")
device.attributes["gpu.example.com"].links.includes(1)
device.attributes["gpu.example.com"].protocols.includes(semver("1.10.0"))
device.attributes["gpu.example.com"].firmware.includes(semver("1.10.3"))
device.attributes["gpu.example.com"].tags.includes(false)
device.attributes["gpu.example.com"].missing.includes(1)
device.attributes["gpu.example.com"].nodes.exists(n, n == 1)
device.attributes["gpu.example.com"].nodes.all(n, n >= 0)
device.attributes["gpu.example.com"].nodes.map(n, n + 1) == [1, 2]
device.attributes["gpu.example.com"].links.filter(l, l == "a").size() == 2
device.attributes["gpu.example.com"].links.exists_one(l, l == "b")
device.attributes["gpu.example.com"].protocols.exists(v, v.isGreaterThan(semver("1.9.0")))
device.attributes["gpu.example.com"].slot.exists(n, n == 1)
device.attributes["gpu.example.com"].model.all(n, true)
device.attributes["gpu.example.com"].nodes.sum() == 1
device.attributes["gpu.example.com"].nodes.max() == 1
device.attributes["gpu.example.com"].links.join("") == "aba"
device.attributes["gpu.example.com"].links.distinct() == ["a", "b"]
device.attributes["gpu.example.com"].nodes.first().value() == 0
device.attributes["gpu.example.com"].nodes + [2] == [0, 1, 2]
sets.contains(device.attributes["gpu.example.com"].nodes, [1])
sets.intersects(device.attributes["gpu.example.com"].links, ["z", "b"])
device.attributes["topology.example.com"].numaNode == 1
device.attributes["gpu.example.com"].numaNode == 1
cel.bind(gpu, device.attributes["gpu.example.com"], gpu.healthy && gpu.slot == 3)
cel.bind(gpu, device.attributes["gpu.example.com"], has(gpu.missing) ? gpu.missing : gpu.healthy)
device.capacity["gpu.example.com"].memory == quantity("40Gi")
device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) == 0
device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("20Gi"))
device.capacity["gpu.example.com"].memory.isLessThan(quantity("20Gi"))
device.capacity["gpu.example.com"].memory.asInteger() == 42949672960
device.capacity["gpu.example.com"].memory > quantity("20Gi")
device.capacity["gpu.example.com"].memory > 5
device.capacity["gpu.example.com"].cores.asApproximateFloat() == 0.5
device.capacity["gpu.example.com"].cores.isInteger()
device.capacity["gpu.example.com"].cores.asInteger() == 0
device.capacity["gpu.example.com"].vast.asInteger() > 0
device.capacity["gpu.example.com"].none == quantity("0") && sign(device.capacity["gpu.example.com"].none) == 0
device.capacity["gpu.example.com"].memory.add(quantity("1Gi")) == quantity("41Gi")
device.capacity["gpu.example.com"].memory.sub(device.capacity["gpu.example.com"].memory) == quantity("0")
device.capacity["gpu.example.com"].missing == quantity("1")
device.capacity["gpu.example.com"].?missing.orValue(quantity("1")) == quantity("1")
device.capacity["unknown.example.com"].missing == quantity("1")
device.capacity["net.example.org"].bandwidth.isGreaterThan(quantity("99G"))
has(device.capacity["gpu.example.com"].memory) && !has(device.capacity["gpu.example.com"].bandwidth)
device.capacity["gpu.example.com"].all(k, k != "x")
device.capacity["gpu.example.com"].exists(k, v, v.isGreaterThan(quantity("1Gi")))
size(device.capacity["gpu.example.com"]) == 5
string(device.capacity["gpu.example.com"].memory) == "40Gi"
device.capacity["gpu.example.com"].memory
type(device.capacity["gpu.example.com"].memory) == int
device.attributes["gpu.example.com"].exists(k, v, k == "slot" && v == 3)
device.attributes["gpu.example.com"].filter(k, k.startsWith("h")).size() == 2
device.attributes["gpu.example.com"].model.find("[0-9]+") == "80"
device.attributes["gpu.example.com"].empty == "" && size(device.attributes["gpu.example.com"].empty) == 0
device.attributes["gpu.example.com"].empty.matches("^$")
"%s/%d".format([device.attributes["gpu.example.com"].model, device.attributes["gpu.example.com"].slot]) == "tensor-80/3"
isSemver(device.attributes["gpu.example.com"].model)
quantity(device.attributes["gpu.example.com"].model) == quantity("1")
ip(device.attributes["gpu.example.com"].model).family() == 4
device.attributes["gpu.example.com"].slot >= 3 && device.attributes["topology.example.com"].numaNode <= 1 && device.driver.startsWith("gpu")
device.attributes["gpu.example.com"].slot.foo == 1
device.attributes["gpu.example.com"].model[0] == "t"
device.attributes["gpu.example.com"].slot.startsWith("a")
lists.range(device.attributes["gpu.example.com"].slot).size() == 3
lists.range(1000).all(x, lists.range(1000).all(y, x + y + device.attributes["gpu.example.com"].slot >= 0))
[device.attributes["gpu.example.com"].slot, 1].size() == 2
[device.attributes["gpu.example.com"].slot, device.attributes["gpu.example.com"].model].size() == 2
{"a": device.attributes["gpu.example.com"].slot}.a == 3
device.attributes["gpu.example.com"].firmware != "1.10.3"
"1.10.3" == device.attributes["gpu.example.com"].firmware
device.attributes["gpu.example.com"].firmware in [semver("1.10.3")]
device.attributes["gpu.example.com"].protocols.exists(v, v == "1.2.0")
device.attributes["gpu.example.com"].protocols.exists(v, v == semver("1.2.0"))
device.attributes["gpu.example.com"].protocols.includes("1.2.0")
"1.2.0" in device.attributes["gpu.example.com"].protocols
dyn(device.capacity["gpu.example.com"].memory) == dyn(5)
dyn(5) == dyn(device.capacity["gpu.example.com"].memory)
dyn(device.capacity["gpu.example.com"].memory) != dyn("40Gi")
lists.range(49).includes(48)
device.attributes["gpu.example.com"].?firmware.orValue(semver("0.0.0")).isGreaterThan(semver("1.0.0"))
device.attributes["gpu.example.com"].?nodes.orValue([]).exists(n, n == 1)
device.attributes["gpu.example.com"].?model.orValue("").split("-").size() == 2
device.attributes["gpu.example.com"].firmware in ["1.10.3"]
device.attributes["gpu.example.com"].firmware in [semver("1.10.3"), semver("2.0.0")]
device.attributes["gpu.example.com"].firmware in {"1.10.3": true}
device.attributes["gpu.example.com"].protocols.all(v, v in ["1.2.0", "1.10.0"])
device.attributes["gpu.example.com"].protocols == ["1.2.0", "1.10.0"]
device.attributes["gpu.example.com"].protocols == ["x", "y"]
device.attributes["gpu.example.com"].protocols == ["x"]
device.attributes["gpu.example.com"].protocols != ["x", "y"]
["x", "y"] == device.attributes["gpu.example.com"].protocols
device.attributes["gpu.example.com"].protocols == [semver("1.2.0"), semver("1.10.0")]
device.attributes["gpu.example.com"].protocols == device.attributes["gpu.example.com"].protocols
device.attributes["gpu.example.com"].protocols.indexOf("1.2.0") == -1
device.attributes["gpu.example.com"].protocols.distinct().size() == 2
sets.contains(device.attributes["gpu.example.com"].protocols, ["1.2.0"])
sets.contains(device.attributes["gpu.example.com"].protocols, [semver("1.2.0")])
{"a": device.attributes["gpu.example.com"].firmware} == {"a": "1.10.3"}
[device.attributes["gpu.example.com"].firmware] == [device.attributes["gpu.example.com"].model]
device.attributes["gpu.example.com"].model == device.attributes["gpu.example.com"].firmware
device.attributes["gpu.example.com"].firmware == device.attributes["gpu.example.com"].model
device.attributes["gpu.example.com"].nodes in [[0, 1]]
device.attributes["gpu.example.com"].nodes in [1, 2]
device.attributes["gpu.example.com"].slot in [1u, 3u]
device.attributes["gpu.example.com"].slot in ["a"]
device.attributes["gpu.example.com"].model in [dyn(1), dyn("tensor-80")]
device.attributes["gpu.example.com"].model in {"tensor-80": 1}
device.capacity["gpu.example.com"].memory in [quantity("40Gi")]
dyn(device.capacity["gpu.example.com"].memory) in [1]
device.capacity["gpu.example.com"].memory in [quantity("1Gi"), quantity("41943040Ki")]
""".strip("\n").split("\n")

DERIVED = """
true
1
1u
1.5
"text"
b"x"
null
[1, 2]
["a"]
[true]
[1.5]
[]
[[1]]
{"a": 1}
duration("1s")
timestamp(0)
quantity("1")
semver("1.2.3")
semver("v1.2", true)
[semver("1.2.3")]
[quantity("1")]
optional.of(1)
optional.of(1).value()
type(1)
device
device.driver
device.allowMultipleAllocations
device.attributes
device.attributes["gpu.example.com"]
device.attributes["gpu.example.com"].model
device.attributes["gpu.example.com"].slot
device.attributes["gpu.example.com"].healthy
device.attributes["gpu.example.com"].firmware
device.attributes["gpu.example.com"].built
device.attributes["gpu.example.com"].nodes
device.attributes["gpu.example.com"].links
device.attributes["gpu.example.com"].tags
device.attributes["gpu.example.com"].protocols
device.attributes["gpu.example.com"].missing
device.attributes["gpu.example.com"].?missing.orValue(0)
device.attributes["gpu.example.com"].?missing
device.attributes["gpu.example.com"].slot / 2
device.attributes["gpu.example.com"].slot / 0
device.attributes["gpu.example.com"].slot > 2
device.attributes["gpu.example.com"].slot + 0.5
device.attributes["gpu.example.com"].model.split("-")
device.attributes["gpu.example.com"].model.split("-")[0]
device.attributes["gpu.example.com"].model + "/" + device.driver
device.attributes["gpu.example.com"].nodes.map(n, n / 2)
device.attributes["gpu.example.com"].nodes.map(n, n * 1.5)
device.attributes["gpu.example.com"].nodes.map(n, string(n))
device.attributes["gpu.example.com"].nodes.filter(n, n > 5)
device.attributes["gpu.example.com"].nodes[0]
device.attributes["gpu.example.com"].nodes.map(n, n == 0 ? dyn(n) : dyn("x"))
device.attributes["gpu.example.com"].map(k, k).size()
device.attributes["gpu.example.com"].protocols.map(v, v.major())
device.driver == "gpu.example.com" ? device.attributes["gpu.example.com"].slot : device.attributes["nic.example.net"].slot
device.driver == "gpu.example.com" ? "fast" : "slow"
device.driver == "gpu.example.com" ? 1 : "slow"
device.capacity["gpu.example.com"].memory
device.capacity["gpu.example.com"].memory.asInteger()
device.capacity["gpu.example.com"].memory.compareTo(quantity("20Gi"))
dyn(1.5)
dyn([1.5])
dyn({"a": 1})
dyn(null)
dyn([dyn(1), dyn("a")])
lists.range(60)
lists.range(1200).map(x, lists.range(1200).all(y, x + y >= 0)).size()
cel.bind(g, device.attributes["gpu.example.com"], has(g.slot) ? g.slot : -1)
unknown
""".strip("\n").split("\n")

LEAVES: dict[str, list[str]] = {
    "int": [
        "1",
        "2",
        "-3",
        f"{A}.slot",
        f"{A}.zero",
        f"{A}.negative",
        f"{T}.numaNode",
        f"size({A}.model)",
        f"{A}.nodes.size()",
        f"{A}.?missing.orValue(4)",
        f"{A}.missing",
    ],
    "string": [
        '"a"',
        '""',
        f"{A}.model",
        f"{A}.empty",
        "device.driver",
        f"string({A}.slot)",
        f'{A}.?missing.orValue("m")',
    ],
    "bool": [
        "true",
        f"{A}.healthy",
        f"{A}.broken",
        "device.allowMultipleAllocations",
        f"has({A}.slot)",
        f"has({A}.missing)",
        f'{C}.memory.isGreaterThan(quantity("1Gi"))',
        f'{A}.firmware.isLessThan(semver("2.0.0"))',
        f"{A}.missing",
        f"{A}.slot",
        f"{A}.nodes.includes(1)",
    ],
}


def compose(rng: random.Random, kind: str, depth: int) -> str:
    """Return a random expression that is usually of the kind asked for."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LEAVES[kind])

    def sub(k: str) -> str:
        return compose(rng, k if rng.random() < 0.96 else rng.choice(list(LEAVES)), depth - 1)

    if kind == "int":
        return rng.choice(
            (
                f"({sub('int')} {rng.choice('+-*/%')} {sub('int')})",
                f"-({sub('int')})",
                f"({sub('bool')} ? {sub('int')} : {sub('int')})",
                f"[{sub('int')}, {sub('int')}].size()",
                f"size({sub('string')})",
                f"[1, 2, 3].filter(n, n < {sub('int')}).size()",
            )
        )
    if kind == "string":
        return rng.choice(
            (
                f"({sub('string')} + {sub('string')})",
                f"({sub('bool')} ? {sub('string')} : {sub('string')})",
                f"string({sub('int')})",
                f'{sub("string")}.replace("a", "b")',
                f"{sub('string')}.upperAscii()",
            )
        )
    left, right = rng.choice((("int", "int"), ("string", "string")))
    return rng.choice(
        (
            f"({sub('bool')} && {sub('bool')})",
            f"({sub('bool')} || {sub('bool')})",
            f"!({sub('bool')})",
            f"({sub(left)} {rng.choice(('==', '!=', '<', '<=', '>', '>='))} {sub(right)})",
            f"({sub('bool')} ? {sub('bool')} : {sub('bool')})",
            f"{sub('string')}.startsWith({sub('string')})",
            f"{sub('int')} in [{sub('int')}, {sub('int')}]",
            f"cel.bind(b, {sub('bool')}, b || {sub('bool')})",
            f"[0, 1, 2].exists(n, n == {sub('int')})",
            f"[0, 1].all(n, n < {sub('int')})",
        )
    )


def cases(seed: int, composed: int) -> list[Json]:
    """Return all cases."""
    found: list[Json] = []
    for number, expression in enumerate(PLAIN):
        found.append({"id": f"cel-plain-{number:03d}", "input": {"expression": expression, "device": BARE}})
    for number, expression in enumerate(DEVICE):
        for name, device in (("gpu", GPU), ("nic", NIC), ("bare", BARE)):
            if name == "gpu" or number % 3 == len(name) % 3:
                found.append(
                    {"id": f"cel-device-{number:03d}-{name}", "input": {"expression": expression, "device": device}}
                )
    for number, expression in enumerate(DERIVED):
        found.append(
            {"id": f"cel-derived-{number:03d}", "input": {"expression": expression, "device": GPU, "derived": True}}
        )
    for gates in ([], ["DRAConsumableCapacity"], ["DRAListTypeAttributes"]):
        for number, expression in enumerate(
            (
                f"{A}.healthy",
                f"{A}.slot.exists(n, true)",
                f"{A}.nodes.includes(1)",
                "[1].includes(1)",
                "device.allowMultipleAllocations",
                f"{A}.slot + 1 == 4",
                f"[{A}.slot, 1].size() == 2",
                f"{A}.nodes",
                f"{A}.slot ? true : false",
                f"{A}.nodes.all(n, n >= 0)",
            )
        ):
            for new in (False, True):
                label = (gates[0].removeprefix("DRA") if gates else "none") + ("-new" if new else "-stored")
                found.append(
                    {
                        "id": f"cel-gates-{number:02d}-{label}",
                        "input": {"expression": expression, "device": GPU, "features": gates, "new": new},
                    }
                )
    for number in range(composed):
        rng = random.Random(f"cel/{seed}/{number}")
        found.append(
            {
                "id": f"cel-composed-{seed}-{number:04d}",
                "input": {
                    "expression": compose(rng, "bool", rng.choice((2, 3, 3, 4))),
                    "device": rng.choice((GPU, GPU, NIC)),
                },
            }
        )
    return found


def main() -> None:
    """Write the cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=150)
    options = parser.parse_args()
    for case in cases(options.seed, options.random):
        sys.stdout.write(json.dumps(case, separators=(",", ":"), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
