import pytest

from tests.cli.running import ROOT


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths in the output are as they were given, so the tests give them from the root."""
    monkeypatch.chdir(ROOT)
