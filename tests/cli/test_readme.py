# FEATURE: C1
"""What the README shows is what the program prints."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from dractl import __version__
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


def test_the_output_on_a_machine() -> None:
    case = "20-numa-memory-single-vs-cross"
    paths = f"fixtures/cases/{case}.yaml", f"fixtures/cases/machines/{case}.machineinfo.json"
    ran = dractl("plan", *paths)
    assert f"$ dractl plan {paths[0]} \\\n    {paths[1]}\n{ran.err}{ran.out}```\n" in README


def test_options_that_it_names_exist() -> None:
    text = dractl("plan", "--help").out + dractl("--help").out
    own = README.split("## Options")[1].split("## Exit codes")[0]
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", own))
    assert named
    assert not {option for option in named if option not in text}


def test_the_output_of_lint() -> None:
    path = "fixtures/cases/24-dra-cpu-with-static-policy.yaml"
    assert f"$ dractl lint {path}\n{dractl('lint', path).out}```\n" in README


def snippets() -> list[str]:
    """GitHub Actions, GitLab CI, pre-commit."""
    return [block for block in re.findall(r"```yaml\n(.*?)```", README, re.DOTALL) if "YOUR-GIT-HOST" in block]


@pytest.mark.parametrize("number", [0, 1])
def test_the_commands_for_ci_run_as_they_stand(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / QUICKSTART / "pods.yaml", tmp_path / "deploy")
    cluster = [(ROOT / QUICKSTART / f"{name}.yaml").read_text(encoding="utf-8") for name in ("cluster", "claims")]
    (tmp_path / "cluster.yaml").write_text("---\n".join(cluster), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^ *- (?:run: )?dractl (.*?)(?: >> .*)?$", snippets()[number], re.MULTILINE)
    assert commands
    for command in commands:
        ran = dractl(*shlex.split(command))
        assert (ran.code in (0, 1), ran.err.startswith("error")) == (True, False), ran.err
    assert {path.name for path in tmp_path.glob("dractl.*")} == ({"dractl.sarif"} if number == 0 else {"dractl.xml"})


def test_the_snippets_for_ci_are_yaml_that_fits_the_command_line() -> None:
    assert len(snippets()) == 3
    known = set(re.findall(r"--[a-z][a-z-]+", dractl("lint", "--help").out + dractl("plan", "--help").out))
    for snippet in snippets():
        assert YAML(typ="safe").load(snippet)
        for line in snippet.splitlines():
            if " dractl " in line and "- " in line:
                assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)) <= known
    hooks = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = YAML(typ="safe").load(snippets()[2])["repos"]
    assert repository["hooks"][0]["id"] in {hook["id"] for hook in hooks}
    assert repository["rev"] == f"v{__version__}"
