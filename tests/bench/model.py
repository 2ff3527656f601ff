"""How large the joint model gets and how long it takes: `python -m tests.bench.model [NODES] [PODS]`.

Nodes with eight GPUs in two NUMA nodes each; pods that want pairs which match in their NUMA node, four GPUs, or one GPU
or else a share of a network card that all nodes reach.
"""

import sys
import time

from dractl.api.base import ObjectMeta
from dractl.api.core import Node
from dractl.api.quantity import Quantity
from dractl.api.resource import (
    CapacityRequestPolicy,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)
from dractl.model import optimize
from dractl.model.formula import Formula
from dractl.model.rules import ON_DEVICES, ON_PLACEMENTS
from dractl.model.variables import declare
from tests.worlds.world import NAMESPACE, World, WorldPod, joint_problem_of

GPU, NIC = "gpu.example.com", "nic.example.com"


def main(nodes: int, pods: int) -> None:
    """Print sizes and seconds."""
    with _timed("problem"):
        problem = joint_problem_of(_world(nodes, pods))
    with _timed("model"):
        formula = Formula()
        variables = declare(formula, problem)
        for rule in (*ON_PLACEMENTS, *ON_DEVICES):
            rule(formula, variables)
    proto = formula.model.proto
    print(f"{len(proto.variables)} variables, {len(proto.constraints)} constraints, {len(variables.choices)} choices")
    with _timed("optimum"):
        found = optimize(problem, time_limit_seconds=120)
    print(f"{found.placed} of {pods} placed, at most {found.bound}, proven {found.is_proven}, unique {found.is_unique}")


class _timed:  # noqa: N801
    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        print(f"{self._what}: {time.perf_counter() - self._start:.2f} s")


def _world(nodes: int, pods: int) -> World:
    names = [f"node-{number:03}" for number in range(nodes)]
    claims = [_claim(number) for number in range(pods)]
    return World(
        nodes=tuple(Node(metadata=ObjectMeta(name=name)) for name in names),
        slices=(*map(_gpus, names), _cards()),
        classes={"gpu": GPU, "nic": NIC},
        claims=tuple(claims),
        pods=tuple(WorldPod(f"pod-{number}", (claim.metadata.name,)) for number, claim in enumerate(claims)),
    )


def _gpus(node: str) -> ResourceSlice:
    devices = [Device(name=f"gpu-{n}", attributes={"numa": DeviceAttribute(int=n // 4)}) for n in range(8)]
    pool = ResourcePool(name=node, generation=1, resourceSliceCount=1)
    return ResourceSlice(
        metadata=ObjectMeta(name=f"gpus-{node}"),
        spec=ResourceSliceSpec(driver=GPU, nodeName=node, pool=pool, devices=devices),
    )


def _cards() -> ResourceSlice:
    bandwidth = DeviceCapacity(
        value=Quantity.parse("100G"), requestPolicy=CapacityRequestPolicy(default=Quantity.parse("25G"))
    )
    devices = [Device(name=f"nic-{n}", allowMultipleAllocations=True, capacity={"bandwidth": bandwidth}) for n in "ab"]
    pool = ResourcePool(name="fabric", generation=1, resourceSliceCount=1)
    return ResourceSlice(
        metadata=ObjectMeta(name="cards"), spec=ResourceSliceSpec(driver=NIC, allNodes=True, pool=pool, devices=devices)
    )


def _claim(number: int) -> ResourceClaim:
    return ResourceClaim(
        metadata=ObjectMeta(namespace=NAMESPACE, name=f"claim-{number}"),
        spec=ResourceClaimSpec(devices=(_PAIR, _FOUR, _GPU_OR_SHARE)[number % 3]),
    )


def _exact(class_name: str, count: int) -> ExactDeviceRequest:
    return ExactDeviceRequest(deviceClassName=class_name, allocationMode="ExactCount", count=count)


_PAIR = DeviceClaim(
    requests=[DeviceRequest(name="gpus", exactly=_exact("gpu", 2))],
    constraints=[DeviceConstraint(matchAttribute=f"{GPU}/numa")],
)
_FOUR = DeviceClaim(requests=[DeviceRequest(name="gpus", exactly=_exact("gpu", 4))])
_GPU_OR_SHARE = DeviceClaim(
    requests=[
        DeviceRequest(
            name="any",
            firstAvailable=[
                DeviceSubRequest(name=name, deviceClassName=name, allocationMode="ExactCount", count=1)
                for name in ("gpu", "nic")
            ],
        )
    ]
)

if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    main(*(arguments or [8, 30]))
