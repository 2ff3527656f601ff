# FEATURE: C1, P1
"""What is said where a rule between pods keeps a pod from a node."""

import pytest

from dractl.report.explanation import Explainer
from tests.report.worlds import node, planned

RUNNING = """apiVersion: v1
kind: Pod
metadata: {name: old, namespace: ml, uid: old, labels: {app: web}}
spec: {nodeName: n1, containers: [{name: c, image: i}]}
"""
HOST = "kubernetes.io/hostname"


def pod(spec: str) -> str:
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: new, namespace: ml, labels: {{app: web}}}}
spec:
  containers: [{{name: c, image: i}}]
  {spec}
"""


def affinity(kind: str, key: str, app: str) -> str:
    term = f"{{topologyKey: {key}, labelSelector: {{matchLabels: {{app: {app}}}}}}}"
    return f"affinity: {{{kind}: {{requiredDuringSchedulingIgnoredDuringExecution: [{term}]}}}}"


def spread(key: str, more: str = "") -> str:
    selector = "labelSelector: {matchLabels: {app: web}}"
    fields = f"maxSkew: 1, topologyKey: {key}, whenUnsatisfiable: DoNotSchedule, {selector}{more}"
    return f"topologySpreadConstraints: [{{{fields}}}]"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (spread("zone"), "the node has no label zone, which the pod's topology spread constraint asks for"),
        (
            affinity("podAffinity", "zone", "web"),
            "the node has no label zone, which the pod's required affinity asks for",
        ),
        (
            affinity("podAffinity", HOST, "db"),
            f"no pod that the pod's required affinity asks for runs where {HOST} is n1, nor where it is another",
        ),
        (
            affinity("podAntiAffinity", HOST, "web"),
            f"the pod's anti-affinity keeps it away from ml/old, which runs where {HOST} is n1",
        ),
        (
            spread(HOST, ", minDomains: 2"),
            f"with the pod 2 pods of its kind would run where {HOST} is n1, the fewest count as 0 while there are not "
            "2 values, and its topology spread constraint allows a skew of 1",
        ),
    ],
)
def test_the_rule_that_keeps_the_pod_away_is_named(spec: str, expected: str) -> None:
    plan, _ = planned(node(), RUNNING, pod(spec))
    (outcome,) = plan.prediction.outcomes
    (reason,) = Explainer(plan).of(outcome).reasons
    assert (reason.nodes, reason.text) == (("n1",), expected)


def test_pods_that_keep_others_away_are_named() -> None:
    theirs = RUNNING.replace("nodeName: n1,", f"nodeName: n1, {affinity('podAntiAffinity', HOST, 'web')},")
    plan, _ = planned(node(), theirs, pod(""))
    (reason,) = Explainer(plan).of(plan.prediction.outcomes[0]).reasons
    assert reason.text == f"ml/old keeps the pod away by anti-affinity, where {HOST} is n1"
