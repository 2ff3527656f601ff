# FEATURE: C3
"""Rules that look at kubelets and machines."""

from collections.abc import Mapping

import pytest

from dractl.cluster.node_machine import NodeMachine
from dractl.manifests import Source, survey
from dractl.planner.admission import admit
from dractl.planner.linting import lint
from dractl.planner.settings import Settings
from tests.observe.lint.kubelets import CASES, CLASHING, known
from tests.observe.lint.world import NODE


def messages(text: str, machines: Mapping[str, NodeMachine]) -> dict[str, str]:
    admission = admit(survey([Source("world.yaml", text.encode())]).objects, Settings())
    findings = lint(admission.objects, admission.gates, machines).findings
    return {finding.rule: finding.message for finding in findings if finding.rule.startswith("DRA")}


@pytest.mark.parametrize("rule", CASES)
def test_finds_what_it_is_for_and_nothing_else(rule: str) -> None:
    text, bad, good = CASES[rule]
    assert list(messages(text, bad)) == [rule]
    assert messages(text, good) == {}


def test_options_that_exclude_each_other_need_no_machine() -> None:
    found = messages(NODE, known(CLASHING, None))
    assert "full-pcpus-only and distribute-cpus-across-cores can not be used at the same time" in found["DRA502"]


def test_a_configuration_is_looked_at_once_for_all_its_nodes() -> None:
    text, bad, _ = CASES["DRA502"]
    both = {"n1": bad["n1"], "n2": bad["n1"]}
    assert list(messages(text, both)) == ["DRA502"]
