# FEATURE: C4
"""The hooks of `.pre-commit-hooks.yaml`, run by pre-commit itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT

BAD = (ROOT / "fixtures/cases/11-empty-taint-selector.yaml").read_text(encoding="utf-8")
GOOD = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n"
CONFIG = """repos:
- repo: {repo}
  rev: {rev}
  hooks:
  - {{id: {hook}, language: system, entry: {entry}, files: ^deploy/{more}}}
"""

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists() or shutil.which("git") is None, reason="pre-commit takes hooks from git repositories"
)


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    ran = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def pre_commit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment["PRE_COMMIT_HOME"] = str(folder.parent / "pre-commit")
    command = [sys.executable, "-m", "pre_commit", *arguments, "--color", "never"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    """This repository with the hooks as they stand."""
    source = tmp_path / "source"
    git(ROOT, "clone", "-q", "--no-hardlinks", str(ROOT), str(source))
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", source)
    git(source, "add", ".pre-commit-hooks.yaml")
    git(source, "commit", "-q", "--allow-empty", "-m", "the hooks as they stand")
    return source


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of manifests: one with a mistake, one without, and a file that is no manifest."""
    folder = tmp_path / "project"
    (folder / "deploy").mkdir(parents=True)
    (folder / "deploy/bad.yaml").write_text(BAD)
    (folder / "deploy/good.yaml").write_text(GOOD)
    (folder / "settings.yaml").write_text("no: manifest\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    return folder


def configure(project: Path, hooks: Path, hook: str, more: str = "") -> None:
    entry = f"{sys.executable} -m dractl lint"
    rev = git(hooks, "rev-parse", "HEAD")
    text = CONFIG.format(repo=hooks, rev=rev, hook=hook, entry=entry, more=more)
    (project / ".pre-commit-config.yaml").write_text(text)
    git(project, "add", ".")


def test_looks_at_the_files_that_change(project: Path, hooks: Path) -> None:
    configure(project, hooks, "dractl-lint")
    ran = pre_commit(project, "run", "--all-files")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "deploy/bad.yaml:203: DeviceTaintRule fw: the empty selector matches every device" in ran.stdout
    assert "settings.yaml" not in ran.stdout
    ran = pre_commit(project, "run", "--files", "deploy/good.yaml")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_looks_at_all_manifests(project: Path, hooks: Path) -> None:
    configure(project, hooks, "dractl-lint-all", ", args: [-R, deploy]")
    ran = pre_commit(project, "run", "--files", "deploy/good.yaml")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "deploy/bad.yaml:203: " in ran.stdout


def test_is_installed_by_pre_commit(project: Path, hooks: Path) -> None:
    ran = pre_commit(project, "try-repo", str(hooks), "dractl-lint", "--files", "deploy/bad.yaml")
    if "An unexpected error has occurred" in ran.stdout:
        pytest.skip("pre-commit could not install the package: there is no package index to be reached")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "deploy/bad.yaml:203: DeviceTaintRule fw: the empty selector matches every device" in ran.stdout
