# FEATURE: C1, P1
"""What is said about a pod that does not fit, for every kind of reason."""

import pytest

from dractl.report import table
from tests.report.worlds import claim, device_class, node, planned, pod, request, slice_of

GPU = device_class()
ONE = claim(f"[{request()}]")


def reasons(*documents: str) -> list[str]:
    """The lines between the header of the first explanation and the totals, without places and the scheduler's own."""
    plan, view = planned(*documents)
    text = table.render(plan, view)
    explanation = text.split("\n\n")[1]
    lines = [line.strip().split("  world.yaml")[0] for line in explanation.splitlines()[1:]]
    return [line for line in lines if not line.startswith("scheduler: ")]


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        pytest.param(
            [node(), GPU, claim(f"[{request()}]"), pod()],
            ["because claim devices wants 1 device of class gpu", "and on n1 there are no devices."],
            id="no devices",
        ),
        pytest.param(
            [node(), GPU, slice_of("g0"), claim(f"[{request(count=2)}]"), pod()],
            ["because claim devices wants 2 devices of class gpu", "and on n1 only g0 is free."],
            id="too few",
        ),
        pytest.param(
            [
                node(),
                GPU,
                slice_of("g0"),
                ONE,
                claim(f"[{request()}]", "more"),
                pod(),
                pod("b", "more"),
            ],
            ["because claim devices wants 1 device of class gpu", "and on n1 g0 is held by ml/a."],
            id="held",
        ),
        pytest.param(
            [node(), GPU, slice_of("nic-0", "nic-1", driver="nic.example.com"), claim(f"[{request()}]"), pod()],
            ["because claim devices wants 1 device of class gpu", "and on n1 nic-0 and nic-1 are not of class gpu."],
            id="of another class",
        ),
        pytest.param(
            [
                node(),
                GPU,
                slice_of("{name: g0, taints: [{key: broken, effect: NoSchedule}]}"),
                claim(f"[{request()}]"),
                pod(),
            ],
            [
                "because claim devices wants 1 device of class gpu",
                "and on n1 g0 has the taint broken:NoSchedule, which the request does not tolerate.",
            ],
            id="tainted",
        ),
        pytest.param(
            [node(), GPU, slice_of("g0"), claim(f"[{request(allocationMode='All')}]"), pod("a", None, "9")],
            ["because on n1 cpu is short: 9 is needed, 8 is free."],
            id="cpu",
        ),
        pytest.param(
            [node(), pod("a", None, more="  nodeSelector: {zone: b}\n")],
            ["because on n1 the pod's spec.nodeSelector leaves the node out."],
            id="node selector",
        ),
        pytest.param(
            [node(), GPU, claim(f"[{request()}]"), pod(claim_name="gpu")],
            ['because could not find ResourceClaim "ml/gpu".', "ResourceClaim gpu: did you mean gpus?"],
            id="no such claim",
        ),
        pytest.param(
            [node(), device_class("gpus"), claim(f"[{request()}]"), pod()],
            ["because claim devices names device class gpu, which is not in the input; did you mean gpus?"],
            id="no such class",
        ),
        pytest.param(
            [GPU, claim(f"[{request()}]"), pod()],
            [
                "because the input has no node: no Node object, and nothing that names one.",
                "Add the nodes and their slices: kubectl get nodes,resourceslices -o yaml.",
            ],
            id="no node",
        ),
        pytest.param(
            [
                node(),
                GPU,
                slice_of("{name: g0, attributes: {rack: {int: 1}}}", "{name: g1, attributes: {rack: {int: 2}}}"),
                claim(f"[{request(count=2)}]", constraints="[{matchAttribute: gpu.example.com/rack}]"),
                pod(),
            ],
            [
                "because claim devices wants 2 devices of class gpu that share gpu.example.com/rack",
                "and on n1 g0 (1) and g1 (2) are free, but have no value in common.",
            ],
            id="constraint",
        ),
    ],
)
def test_reasons(documents: list[str], expected: list[str]) -> None:
    assert reasons(*documents) == expected


def test_nodes_with_the_same_reason_are_named_together() -> None:
    nodes = [node(f"n{number}") for number in range(1, 8)]
    assert reasons(*nodes, pod("a", None, "9")) == [
        "because on n1, n2, n3, n4 and 3 more cpu is short: 9 is needed, 8 is free."
    ]


def test_several_requests_are_told_apart() -> None:
    requests = f"[{request('one')}, {request('two', count=3)}]"
    assert reasons(node(), GPU, slice_of("g0", "g1"), claim(requests), pod()) == [
        "because claim devices wants 1 device of class gpu (request one) and 3 devices of class gpu (request two)",
        "and on n1 for request two, only g0 and g1 are free.",
    ]


def test_alternatives_are_told_apart() -> None:
    requests = (
        "[{name: r, firstAvailable: [{name: big, deviceClassName: gpu, count: 3},"
        " {name: small, deviceClassName: gpu, count: 2}]}]"
    )
    assert reasons(node(), GPU, slice_of("g0"), claim(requests), pod()) == [
        "because claim devices wants 3 devices of class gpu or else 2 devices of class gpu",
        "and on n1 for r/big, only g0 is free",
        "and on n1 for r/small, only g0 is free.",
    ]


def test_the_place_of_a_reason_is_the_line_of_the_request() -> None:
    documents = [node(), GPU, claim(f"[{request()}]"), pod()]
    plan, view = planned(*documents)
    line = "---\n".join(documents).split("\n").index(f"    requests: [{request()}]") + 1
    assert f"wants 1 device of class gpu  world.yaml:{line}\n" in table.render(plan, view)
