# FEATURE: A7
"""What to write instead of an expression that does not compile."""

import pytest

from dractl.cel import CompileFault, compile_selector

CAPACITY = 'device.capacity["a.b"].memory'


@pytest.mark.parametrize(
    ("expression", "remedy"),
    [
        ('devices.driver == "a"', "did you mean device?"),
        ('device.driver = "a"', "write `==` in place of `=`"),
        ("true and false", "write `&&` in place of `and`"),
        ("true | false", "write `||` in place of `|`"),
        ("device.allowMultipleAllocations == True", "write `true`"),
        ("unknown == 1", "known here: device"),
        ('device.attribute["a"].x == 1', "did you mean attributes?"),
        ("device.pool == 1", "known here: allowMultipleAllocations, attributes, capacity and driver"),
        ('device.driver.startWith("a")', "did you mean startsWith?"),
        (
            f'{CAPACITY} >= quantity("1Gi")',
            "write a.compareTo(b) >= 0: only compareTo, isGreaterThan and isLessThan order them",
        ),
        (f'{CAPACITY} == "1Gi"', 'turn the other side into one, as in quantity("10Gi")'),
        (
            'device.attributes["a.b"].version.isGreaterThan("1.2.3")',
            'turn the text into what it is compared with, as in quantity("10Gi") or semver("1.2.3")',
        ),
        ("1", "compare it with what is wanted, for example with =="),
        ("true ||", ""),
    ],
)
def test_remedies(expression: str, remedy: str) -> None:
    compiled = compile_selector(expression)
    assert isinstance(compiled, CompileFault)
    assert compiled.remedy == remedy


def test_what_is_wrong_with_a_pattern_is_text() -> None:
    compiled = compile_selector('device.driver.matches("[")')
    assert isinstance(compiled, CompileFault)
    assert compiled.message == "error parsing regexp: missing ]: ["
