# FEATURE: C1, C2
"""The man pages say what the commands' own help says: every option, format and exit code, and nothing else."""

import re
import tomllib

import pytest

from dractl import __version__
from dractl.cli.exit_codes import ExitCode
from dractl.manifests.kinds import kinds
from dractl.report.formats import FORMATS
from tests.cli.running import ROOT, dractl

PAGES = {
    "dractl": [],
    "dractl-plan": ["plan"],
    "dractl-topology": ["topology"],
    "dractl-gates": ["gates"],
    "dractl-pools": ["pools"],
    "dractl-taint": ["taint"],
    "dractl-lint": ["lint"],
}
OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)")


def page(name: str) -> str:
    """The page without roff's escapes and font changes."""
    text = (ROOT / "man" / f"{name}.1").read_text(encoding="utf-8")
    return re.sub(r"\\f[BIR]", "", text).replace("\\-", "-").replace('"', "")


def section(text: str, title: str) -> str:
    return text.split(f".SH {title}\n")[1].split(".SH ")[0]


def documented(name: str) -> set[str]:
    """The options that have an entry of their own: those in the line behind each `.TP`."""
    entries = re.findall(r"^\.TP\n(.*)$", section(page(name), "OPTIONS"), re.MULTILINE)
    return {option for entry in entries for option in OPTION.findall(entry)}


def offered(arguments: list[str]) -> set[str]:
    """The options at the beginning of the lines of the help."""
    lines = dractl(*arguments, "--help").out.split("Options:\n")[1].split("\n\n")[0].splitlines()
    heads = [line.strip().split("  ")[0] for line in lines if line.startswith("  -")]
    return {option for head in heads for option in OPTION.findall(head.split("<")[0])}


@pytest.mark.parametrize("name", PAGES)
def test_every_option_in_both(name: str) -> None:
    assert documented(name) == offered(PAGES[name])


def commands() -> set[str]:
    """The names in the help."""
    lines = dractl("--help").out.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    return {line.split()[0] for line in lines}


def test_there_is_a_page_for_every_command() -> None:
    names = {f"dractl-{name}" for name in commands()}
    assert names | {"dractl"} == set(PAGES) == {path.stem for path in (ROOT / "man").iterdir()}


def test_no_page_names_a_command_that_is_not_there() -> None:
    """Pages of rules, remedies and help stand in the code."""
    paths = [*(ROOT / "man").iterdir(), ROOT / "README.md", *(ROOT / "dractl").rglob("*.py")]
    named = {name for path in paths for name in re.findall(r"[`|] ?dractl ([a-z]+)", path.read_text(encoding="utf-8"))}
    assert {"plan", "taint"} <= named <= commands()


def test_every_format_in_the_page_and_in_the_help() -> None:
    entries = re.findall(r"^\.TP\n\.B (.*)$", section(page("dractl-plan"), "FORMATS"), re.MULTILINE)
    assert entries == list(FORMATS)
    text = " ".join(dractl("plan", "--help").out.split())
    assert "table (the default), wide, tree, name, yaml, json, metadata, markdown, junit, sarif or github;" in text


def test_every_kind_that_is_read() -> None:
    named = set(re.findall(r"\w+", section(page("dractl"), "INPUT")))
    assert {name for _, name in kinds()} <= named


def test_every_exit_code() -> None:
    entries = re.findall(r"^\.TP\n\.B (\d+)$", section(page("dractl"), "EXIT STATUS"), re.MULTILINE)
    assert [int(entry) for entry in entries] == [code for code in ExitCode if code is not ExitCode.BROKEN_PIPE]


@pytest.mark.parametrize("name", PAGES)
def test_the_version_is_the_packages(name: str) -> None:
    assert f"dractl {__version__} dractl manual" in page(name).splitlines()[0]
    assert __version__ == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert dractl("--version").out == f"dractl {__version__}\n"


@pytest.mark.parametrize("arguments", [["-h"], ["plan", "-h"]])
def test_short_help_works_everywhere_and_has_examples(arguments: list[str]) -> None:
    ran = dractl(*arguments)
    assert ran.code == 0
    assert "Examples:" in ran.out
    assert ran == dractl(*arguments[:-1], "--help")


def test_without_a_command_help_is_shown() -> None:
    assert "Usage: dractl" in dractl().out + dractl().err
