# FEATURE: D16, C1
"""Extended resources that devices serve: the special claim in table, reasons and JSON."""

from dractl.report import table, wide
from dractl.report.json import report
from tests.report.worlds import node, planned, slice_of

CLASS = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu, selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
"""


def pod(name: str, count: int) -> str:
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: ml}}
spec: {{containers: [{{name: c, image: i, resources: {{limits: {{example.com/gpu: {count}}}}}}}]}}
"""


WORLD = (node(), CLASS, slice_of("g0", "g1"), pod("a", 1), pod("b", 2))


def test_the_table_shows_the_special_claim_with_its_devices() -> None:
    plan, view = planned(*WORLD)
    row = next(line for line in table.render(plan, view).splitlines() if line.startswith("ml/a"))
    assert row.split() == ["ml/a", "n1", "(example.com/gpu)", "container-0-request-0", "g0"]
    assert "a-extended-resources-0" in wide.render(plan, view)


def test_the_reason_says_how_many_of_what_are_asked() -> None:
    plan, view = planned(*WORLD)
    text = table.render(plan, view)
    assert "because the pod asks for 2 of example.com/gpu (devices of class gpu)" in text
    assert "and on n1 only g1 is free; g0 is held by ml/a." in text


def test_the_json_report_names_the_resources_of_the_claim() -> None:
    plan, view = planned(*WORLD)
    claim = report(plan, view)["prediction"]["pods"][0]["claims"][0]
    assert (claim["entry"], claim["extendedResources"]) == (None, ["example.com/gpu"])
    assert [device["device"] for device in claim["devices"]] == ["g0"]
