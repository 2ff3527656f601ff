"""Worlds of one or two nodes for tests of single rules, and what the model makes of them as plain text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dractl.api.base import ObjectMeta
from dractl.api.core import Node
from dractl.api.resource import ResourceClaim, ResourceSlice
from dractl.cluster.features import Features
from dractl.model import Optimum, optimize
from dractl.problem.joint import JointProblem
from tests.worlds.world import World, WorldPod, joint_problem_of


def world(
    slices: Sequence[ResourceSlice],
    *claims: ResourceClaim,
    pods: Sequence[WorldPod] | None = None,
    nodes: Sequence[str | Node] = ("node-a",),
    held: Sequence[ResourceClaim] = (),
    free: Mapping[str, Mapping[str, int]] | None = None,
    features: Features | None = None,
) -> World:
    """Without pods named there is one for each claim, in order."""
    each_alone = [pod(f"pod-{number}", claim.metadata.name) for number, claim in enumerate(claims)]
    return World(
        nodes=tuple(node if isinstance(node, Node) else Node(metadata=ObjectMeta(name=node)) for node in nodes),
        slices=tuple(slices),
        classes={"gpu": None},
        claims=claims,
        pods=tuple(each_alone if pods is None else pods),
        held=tuple(held),
        free=free or {},
        features=features or Features(),
    )


def pod(name: str, *claims: str, priority: int = 0, **takes: int) -> WorldPod:
    return WorldPod(name, claims, priority, takes)


def optimum(of: World | JointProblem, seconds: float = 60) -> Optimum:
    problem = joint_problem_of(of) if isinstance(of, World) else of
    return optimize(problem, time_limit_seconds=seconds, workers=1)


def placed(of: World | JointProblem) -> dict[str, str]:
    """By pod: the node, and what each request got, as `node-a r:gpu-0 r:gpu-1`."""
    found = optimum(of)
    assert found.is_proven
    assert found.is_unique
    return {
        placement.pod.name: " ".join(
            [
                placement.node,
                *(
                    f"{pick.demand.ref.name}:{pick.candidate.device.id.device}"
                    for picks in placement.claims
                    for pick in picks.picks
                ),
            ]
        )
        for placement in found.placements
    }


def together(given: World) -> World:
    """The same claims, all of them of one pod."""
    return replace(given, pods=(pod("pod-0", *(claim.metadata.name for claim in given.claims)),))
