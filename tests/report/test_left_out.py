# FEATURE: P1
"""What the optimum does without because it is an error, beneath the totals."""

from dractl.report import table
from dractl.report.json import report
from tests.report.worlds import claim, device_class, node, planned, pod, request, slice_of


def test_alike_errors_are_one_line_and_the_proof_says_so() -> None:
    expression = "\"device.attributes['gpu.example.com'].rack == 'a'\""
    failing = request(selectors=f"[{{cel: {{expression: {expression}}}}}]", count=2)
    claims = [claim(f"[{failing}]", name) for name in ("one", "two")]
    plan, view = planned(node(), device_class(), slice_of("g0", "g1", "g2"), *claims, pod("a", "one"), pod("b", "two"))
    optimum = table.render(plan, view).partition("Optimum")[2].splitlines()
    assert optimum[0].strip() == "0 of 2 pods placed, proven without what is left out because it is an error"
    assert [line.strip() for line in optimum[1:] if "left out:" in line] == [
        "left out: 3 devices for 2 claims on 1 node: a selector of the request fails: no such key: rack"
    ]
    left_out = report(plan, view)["optimum"]["leftOut"]
    assert len(left_out) == 6
    assert left_out[0] == (
        "device gpu.example.com/n1/g0 for request r of claim ml/one on node n1: "
        "a selector of the request fails: no such key: rack"
    )
