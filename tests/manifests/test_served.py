# FEATURE: A2
"""Which versions a release serves: what is not served there is named, and what to write for that release."""

import pytest

from dractl.errors import Fault
from dractl.finding import Finding, Severity
from dractl.manifests import Source, survey
from tests.cli.running import dractl

_SCHEDULING = "scheduling.k8s.io"
_RULE = """apiVersion: resource.k8s.io/{}
kind: DeviceTaintRule
metadata: {{name: r{}}}
spec: {{taint: {{key: a, effect: NoExecute}}}}
"""
_GROUP = """apiVersion: scheduling.k8s.io/{}
kind: PodGroup
metadata: {{name: g{}, namespace: a}}
spec: {{schedulingPolicy: {{basic: {{}}}}}}
"""


def findings(text: str, release: str) -> tuple[Finding, ...]:
    reading = survey([Source("a.yaml", text.encode())], release=release)
    assert not reading.faults
    return reading.findings


@pytest.mark.parametrize(
    ("release", "version", "expected"),
    [
        ("1.37", "v1", None),
        ("1.37", "v1beta2", (Severity.WARNING, "a default cluster does not serve", "write resource.k8s.io/v1")),
        ("1.36", "v1beta2", (Severity.INFO, "a default cluster does not serve", "start the API server with ")),
        (
            "1.36",
            "v1",
            (
                Severity.WARNING,
                "Kubernetes 1.36 has no DeviceTaintRule in resource.k8s.io/v1, only in v1beta2 and v1alpha3",
                "write resource.k8s.io/v1beta2, and start the API server with ",
            ),
        ),
        (
            "1.35",
            "v1beta2",
            (
                Severity.WARNING,
                "Kubernetes 1.35 has no DeviceTaintRule in",
                "write resource.k8s.io/v1alpha3, and",
            ),
        ),
        ("1.34", "v1alpha3", (Severity.INFO, "a default cluster does not serve", "start the API server with ")),
    ],
)
def test_taint_rules(release: str, version: str, expected: tuple[Severity, str, str] | None) -> None:
    found = findings(_RULE.format(version, ""), release)
    assert len(found) == (expected is not None)
    if expected is not None:
        severity, message, remedy = expected
        assert found[0].severity is severity
        assert found[0].message.startswith(message)
        assert found[0].remedy.startswith(remedy)
        assert found[0].subject == "DeviceTaintRule r"


@pytest.mark.parametrize("release", ["1.34", "1.35", "1.36", "1.37"])
def test_what_every_release_serves(release: str) -> None:
    text = "apiVersion: resource.k8s.io/{}\nkind: DeviceClass\nmetadata: {{name: c}}\n"
    assert findings(text.format("v1"), release) == ()
    (found,) = findings(text.format("v1beta1"), release)
    assert found.remedy == "write resource.k8s.io/v1"


@pytest.mark.parametrize(
    ("release", "message", "remedy"),
    [
        (
            "1.36",
            "Kubernetes 1.36 has no PodGroup in scheduling.k8s.io/v1beta1, only in v1alpha2",
            "dractl does not read",
        ),
        ("1.34", "Kubernetes 1.34 has no PodGroup in scheduling.k8s.io/v1beta1", "it is there from Kubernetes 1.35 on"),
    ],
)
def test_groups_that_only_another_release_has(release: str, message: str, remedy: str) -> None:
    (found,) = findings(_GROUP.format("v1beta1", ""), release)
    assert found.message == message
    assert remedy in found.remedy


def test_what_is_only_served_on_request_is_told_once() -> None:
    text = "---\n".join(_GROUP.format("v1beta1", number) for number in range(3))
    (found,) = findings(text, "1.37")
    assert found.message.endswith("in scheduling.k8s.io/v1beta1 (and 2 more)")
    assert found.severity is Severity.INFO


def test_dumps_are_told_once_whatever_the_release() -> None:
    rules = [_RULE.format("v1", number).replace("{name", "{uid: u, name") for number in range(3)]
    (found,) = findings("---\n".join(rules), "1.36")
    assert found.severity is Severity.INFO
    assert found.message.endswith("only in v1beta2 and v1alpha3 (and 2 more)")


def fault(text: str, release: str) -> Fault:
    (found,) = survey([Source("a.yaml", text.encode())], release=release).faults
    return found


@pytest.mark.parametrize(
    ("release", "message"),
    [
        (
            "1.37",
            f"Kubernetes 1.37 has no PodGroup in {_SCHEDULING}/v1alpha2, only in {_SCHEDULING}/v1beta1 and v1alpha3",
        ),
        ("1.36", "dractl does not read PodGroup in scheduling.k8s.io/v1alpha2"),
        ("1.35", "Kubernetes 1.35 has no PodGroup in scheduling.k8s.io/v1alpha2, only in v1alpha1"),
        ("1.34", "Kubernetes 1.34 has no PodGroup"),
    ],
)
def test_what_cannot_be_read_is_told_truly_for_the_release(release: str, message: str) -> None:
    assert fault(_GROUP.format("v1alpha2", ""), release).message == message


def test_what_to_write_is_what_the_release_has() -> None:
    assert fault(_RULE.format("v1beta1", ""), "1.37").remedy == "write resource.k8s.io/v1, and compare the fields"
    assert fault(_RULE.format("v1beta1", ""), "1.36").remedy == "write resource.k8s.io/v1beta2, and compare the fields"
    nameless = _RULE.format("v1", "").replace("apiVersion: resource.k8s.io/v1\n", "")
    assert fault(nameless, "1.35").remedy == "write `apiVersion: resource.k8s.io/v1alpha3`"


def test_the_command_knows_the_release() -> None:
    for release in ("1.36", "v1.36.2"):
        ran = dractl("lint", "-", "--kubernetes-version", release, stdin=_RULE.format("v1", "").encode())
        assert "Kubernetes 1.36 has no DeviceTaintRule in resource.k8s.io/v1, only in" in ran.out
    ran = dractl("lint", "-", "--kubernetes-version", "1.99", stdin=_RULE.format("v1", "").encode())
    assert (ran.code, ran.err.split("\n")[0]) == (2, "error: Kubernetes 1.99 is not known")
