# FEATURE: C1
"""What the README shows is what the program prints."""

import re

from tests.cli.running import QUICKSTART, ROOT, dractl

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_two_things_are_the_two_commands() -> None:
    blocks = re.findall(r"```\n(.*?)```", README, re.DOTALL)
    assert blocks[0] == (
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/dractl plan fixtures/quickstart\n"
    )
    assert blocks[1] == "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/pytest -q\n"
    assert README.startswith(f"# dractl\n\n```\n{blocks[0]}```\n")


def test_the_output_of_the_quickstart() -> None:
    ran = dractl("plan", QUICKSTART)
    assert f"$ dractl plan {QUICKSTART}\n{ran.err}{ran.out}$ echo $?\n{ran.code}\n" in README


def test_options_that_it_names_exist() -> None:
    text = dractl("plan", "--help").out + dractl("--help").out
    own = README.split("## Options")[1].split("## Exit codes")[0]
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", own))
    assert named
    assert not {option for option in named if option not in text}
