# FEATURE: C2
"""Exit codes: the prediction decides, undecided beats does not fit, and an error of dractl's own is 70."""

import json

import pytest

from dractl.errors import InternalError
from tests.cli.running import QUICKSTART, dractl

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '4', pods: '110'}}\n"
POD = """apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - name: c
    image: i
    resources: {requests: {cpu: '%s'}}
"""
FITS = f"{NODE}---\n{POD % 2}"
WAITS = f"{FITS}  resourceClaims: [{{name: gpu, resourceClaimName: gpu}}]\n"


def code(text: str, *options: str) -> int:
    return dractl("plan", "-", *options, stdin=text.encode()).code


def test_every_pod_is_placed() -> None:
    assert code(FITS) == 0


def test_nothing_to_place_is_fine() -> None:
    assert code(NODE) == 0


def test_a_pod_does_not_fit() -> None:
    assert code(f"{NODE}---\n{POD % 5}") == 1
    assert dractl("plan", QUICKSTART).code == 1


def test_a_pod_waits() -> None:
    assert code(WAITS) == 1


def test_a_pod_is_undecided() -> None:
    assert dractl("plan", "fixtures/cases/06-pool-count-disagrees.yaml").code == 3


def test_exit_zero_hides_outcomes_but_not_bad_input() -> None:
    assert dractl("plan", QUICKSTART, "--exit-zero").code == 0
    assert dractl("plan", "fixtures/cases/06-pool-count-disagrees.yaml", "--exit-zero").code == 0
    assert code("a: [", "--exit-zero") == 2


@pytest.mark.parametrize(("fail_on", "expected"), [("never", 0), ("error", 0), ("warning", 0), ("info", 1)])
def test_findings_count_from_a_severity_on(fail_on: str, expected: int) -> None:
    """A group in v1beta1, which has no newer version, is a finding of severity info."""
    group = "apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: g}\n"
    spec = "spec: {schedulingPolicy: {basic: {}}}\n"
    assert code(f"{FITS}---\n{group}{spec}", "--fail-on", fail_on) == expected


@pytest.mark.parametrize(("fail_on", "expected"), [("error", 0), ("warning", 1), ("info", 1)])
def test_warnings_count_from_warnings_on(fail_on: str, expected: int) -> None:
    """A class in v1beta1 is a warning."""
    old = "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: a}\n"
    assert code(f"{FITS}---\n{old}", "--fail-on", fail_on) == expected


@pytest.mark.parametrize("option", ["--nonsense", "--fail-on=sometimes", "-oxml", "--time-limit=soon"])
def test_usage(option: str) -> None:
    ran = dractl("plan", QUICKSTART, option)
    assert (ran.code, ran.out) == (2, "")
    assert "rror: " in ran.err


def test_an_internal_error_is_one_line_and_how_to_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise InternalError("the allocation of pod ml/a breaks a rule")

    monkeypatch.setattr("dractl.planner.planning.plan", broken)
    ran = dractl("plan", QUICKSTART)
    assert (ran.code, ran.out) == (70, "")
    assert ran.err.startswith("internal error: InternalError: the allocation of pod ml/a breaks a rule\n")
    assert "Please report it" in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in dractl("plan", QUICKSTART, "-v").err


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dractl.planner.planning.plan", interrupt)
    ran = dractl("plan", QUICKSTART)
    assert (ran.code, ran.out, ran.err) == (130, "", "interrupted; nothing was decided\n")


def test_interrupted_while_the_optimum_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prediction is shown, and marked."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dractl.planner.planning.find_optimum", interrupt)
    ran = dractl("plan", QUICKSTART)
    assert ran.code == 130
    assert "Prediction  " in ran.out
    assert "Optimum  " not in ran.out
    assert "warning: interrupted: the optimum was not finished (plan/interrupted)" in ran.out
    assert "nothing was decided" not in ran.err
    report = json.loads(dractl("plan", QUICKSTART, "-o", "json").out)
    assert report["optimum"] is None
    assert "plan/interrupted" in [finding["rule"] for finding in report["findings"]]


def test_an_early_interrupt_is_as_quiet_as_a_late_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dractl.cli.app.run_app", interrupt)
    ran = dractl("plan", QUICKSTART)
    assert (ran.code, ran.out, ran.err) == (130, "", "interrupted; nothing was decided\n")
