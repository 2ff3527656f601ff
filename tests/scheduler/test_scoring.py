# FEATURE: A5
"""Scores by what is used of a node, with every strategy (scheduling.md §8.1)."""

import pytest

from dractl.api.base import ObjectMeta
from dractl.api.core import Container, Node, NodeStatus, Pod, PodSpec, ResourceRequirements
from dractl.api.identities import PodRef
from dractl.api.objects import ObjectSet
from dractl.api.quantity import Quantity
from dractl.api.scheduler_configuration import ScoringStrategy, ScoringType
from dractl.cluster.cluster import Cluster
from dractl.cluster.node_state import NodeState
from dractl.cluster.state import ClusterState
from dractl.scheduler.pod_info import PodInfo
from dractl.scheduler.scores.by_resources import resources_fit
from dractl.scheduler.scores.served import ServedResources

NODE = Node(
    metadata=ObjectMeta(name="n1"),
    status=NodeStatus(
        capacity={
            "cpu": Quantity.parse("10"),
            "memory": Quantity.parse("10Gi"),
            "example.com/license": Quantity.parse("4"),
        }
    ),
)


def score(strategy: ScoringStrategy, **requests: str) -> int:
    wanted = {name.replace("license", "example.com/license"): Quantity.parse(text) for name, text in requests.items()}
    container = Container(name="c", resources=ResourceRequirements(requests=wanted))
    pod = Pod(metadata=ObjectMeta(name="p", namespace="ml"), spec=PodSpec(containers=[container]))
    served = ServedResources(ClusterState(Cluster.of(ObjectSet([]), ())), {})
    return resources_fit(PodInfo(PodRef("ml", "p"), pod), [NodeState.of(NODE)], strategy, served)["n1"]


def strategy(kind: ScoringType, *shape: tuple[int, int], **weights: int) -> ScoringStrategy:
    named = {name.replace("license", "example.com/license"): weight for name, weight in weights.items()}
    return ScoringStrategy(kind, named, tuple(shape))


LEAST, MOST, RATIO = ScoringType.LEAST_ALLOCATED, ScoringType.MOST_ALLOCATED, ScoringType.REQUESTED_TO_CAPACITY_RATIO


@pytest.mark.parametrize(
    ("of", "requests", "expected"),
    [
        (strategy(LEAST, cpu=1, memory=1), {"cpu": "2", "memory": "5Gi"}, (80 + 50) // 2),
        (strategy(LEAST, cpu=3, memory=1), {"cpu": "2", "memory": "5Gi"}, (3 * 80 + 50) // 4),
        (strategy(MOST, cpu=1, memory=1), {"cpu": "2", "memory": "5Gi"}, (20 + 50) // 2),
        (strategy(MOST, cpu=1), {"cpu": "20", "memory": "5Gi"}, 100),
        (strategy(LEAST, cpu=1), {"cpu": "20", "memory": "5Gi"}, 0),
        (strategy(LEAST, cpu=1, license=1), {"cpu": "2", "license": "1"}, (80 + 75) // 2),
        (strategy(LEAST, cpu=1, license=1), {"cpu": "2"}, 80),
        (strategy(RATIO, (0, 0), (100, 10), cpu=1), {"cpu": "2"}, 20),
        (strategy(RATIO, (0, 10), (100, 0), cpu=1), {"cpu": "2"}, 80),
        (strategy(RATIO, (0, 0), (40, 10), (100, 0), cpu=1), {"cpu": "7"}, 50),
        (strategy(RATIO, (50, 4), (60, 10), cpu=1), {"cpu": "1"}, 40),
        (strategy(RATIO, (0, 0), (50, 10), cpu=1), {"cpu": "9"}, 100),
        (strategy(RATIO, (0, 0), (100, 10), cpu=2, memory=1), {"cpu": "2", "memory": "5Gi"}, 30),
        (strategy(RATIO, (50, 0), (100, 10), cpu=2, memory=1), {"cpu": "2", "memory": "7680Mi"}, 50),
    ],
)
def test_strategies(of: ScoringStrategy, requests: dict[str, str], expected: int) -> None:
    assert score(of, **requests) == expected
