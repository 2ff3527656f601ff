"""Semantic versions (semver.org)."""

import pytest

from dractl.api.version import Version

ORDERED = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0"]


def test_precedence() -> None:
    versions = [Version.parse(text) for text in ORDERED]
    shuffled = [*versions[3:], *versions[:3]]
    assert sorted(shuffled) == versions


def test_build_metadata_is_ignored_in_comparison_and_kept_in_text() -> None:
    one, other = Version.parse("2.0.0+build.7"), Version.parse("2.0.0")
    assert one == other
    assert hash(one) == hash(other)
    assert str(one) == "2.0.0+build.7"


@pytest.mark.parametrize("text", ["1.2", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "1.2.3 ", "", "1.2.x"])
def test_what_is_no_version(text: str) -> None:
    with pytest.raises(ValueError, match="semantic version"):
        Version.parse(text)
