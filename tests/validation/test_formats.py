"""The forms of names and values, at their limits (spec/validation.md §3)."""

# FEATURE: A7

from collections.abc import Callable

import pytest

from dractl.validation import formats
from dractl.validation.formats import Flaws

TOO_LONG, INVALID, REQUIRED = "TooLong", "Invalid", "Required"


def types(flaws: Flaws) -> list[str]:
    return sorted(flaw.type.removeprefix("FieldValue") for flaw in flaws)


@pytest.mark.parametrize(
    ("form", "sound", "wrong"),
    [
        (formats.label, ["a", "0", "a-b", "a" * 63], ["", "A", "a.b", "-a", "a-", "a_b", "a" * 64, "ä", "a\n"]),
        (formats.subdomain, ["a", "a.b-c.0", ".".join(["a" * 62] * 4)], ["", "a..b", "a.-b", "A.b", "a/b", "a" * 254]),
        (
            formats.label_key,
            ["a", "A_b.c", "a.b/C", "a" * 63],
            ["", "a/", "/a", "A.b/c", "a/b/c", "-a", "a" * 64, "a b"],
        ),
        (formats.label_value, ["", "a", "A_b.c-0", "a" * 63], ["-a", "a b", "a/b", "a" * 64]),
        (formats.version, ["1.2.3", "1.2.3-rc.1+b"], ["", "1.2", "v1.2.3", "01.2.3"]),
        (formats.extended_resource, ["example.com/gpu", "a/X"], ["gpu", "requests.a/x", "a/b c"]),
        (formats.extended_resource, ["a/x"], ["kubernetes.io/x", "deviceclass.resource.kubernetes.io/x", "a/b/c"]),
        (formats.subdomain_in_any_case, ["A.b"], ["a_b", "a" * 254]),
        (formats.pool, ["a", "a/b.c/d"], ["/", "a//b", "A", "a/"]),
    ],
)
def test_form(form: Callable[[str], Flaws], sound: list[str], wrong: list[str]) -> None:
    assert [text for text in sound if form(text)] == []
    assert [text for text in wrong if types(form(text)) != [INVALID]] == []


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        (formats.driver, "", [REQUIRED]),
        (formats.driver, "Gpu.example.com", []),
        (formats.driver, "a" * 63, []),
        (formats.driver, "a" * 64, [TOO_LONG]),
        (formats.driver, "_" * 64, [INVALID, TOO_LONG]),
        (formats.pool, "", [REQUIRED]),
        (formats.pool, "a" * 200 + "/" + "b" * 60, [TOO_LONG]),
        (formats.pool_or_empty, "", [INVALID]),
        (formats.attribute_text, "a" * 64, []),
        (formats.attribute_text, "ä" * 33, [TOO_LONG]),
        (formats.version, "1.2.3-" + "a" * 60, [TOO_LONG]),
        (formats.version, "x" * 65, [INVALID, TOO_LONG]),
    ],
)
def test_lengths_are_bytes_and_told_apart(form: Callable[[str], Flaws], text: str, expected: list[str]) -> None:
    assert types(form(text)) == expected


@pytest.mark.parametrize(
    ("name", "in_devices", "in_claims"),
    [
        ("resource.kubernetes.io/pcieRoot", [], []),
        ("a/b/c", [], []),
        ("pcieRoot", [], [INVALID]),
        ("", [INVALID], [INVALID]),
        ("/a", [INVALID], [INVALID]),
        ("a/", [INVALID], [INVALID]),
        ("Example.com/a", [], [INVALID]),
        ("a/1b", [INVALID], [INVALID]),
        ("a/b-c", [INVALID], [INVALID]),
        ("a" * 63 + "/a", [], []),
        ("a" * 64 + "/a", [TOO_LONG], [TOO_LONG]),
        ("a/" + "b" * 32, [], []),
        ("a/" + "b" * 33, [TOO_LONG], [TOO_LONG]),
        ("b" * 33, [TOO_LONG], [INVALID, TOO_LONG]),
    ],
)
def test_names_of_attributes(name: str, in_devices: list[str], in_claims: list[str]) -> None:
    assert types(formats.qualified_name(name)) == in_devices
    assert types(formats.fully_qualified_name(name)) == in_claims


@pytest.mark.parametrize("form", [formats.label, formats.subdomain, formats.label_key, formats.qualified_name])
def test_what_is_wrong_is_quoted_and_comes_with_a_remedy(form: Callable[[str], Flaws]) -> None:
    (flaw,) = form("no good!")
    assert '"no good!"' in flaw.message
    assert flaw.remedy
