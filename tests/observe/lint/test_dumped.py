# FEATURE: C3
"""Without a dump of the cluster a name that the input lacks may be in the cluster: only slips of the pen are told."""

import pytest

from tests.observe.lint.world import (
    GPU_CLASS,
    NODE,
    claim,
    device_slice,
    dumped,
    found,
    gpu_slice,
    pod,
    request,
    template,
    together,
)

_OTHER_CLASS = GPU_CLASS.replace("gpu.example.com", "fpga.example.com").replace("{name: gpu}", "{name: h100}")
_NIC = device_slice("nic.example.com", "  - {name: n0}\n", name="nics")


def rules(*pieces: str) -> list[str]:
    return [rule for rule, _ in found(together(*pieces)) if rule != "DRA118"]


@pytest.mark.parametrize(("name", "is_slip"), [("of-the-platform", False), ("gpu-templat", True)])
@pytest.mark.parametrize("entry", ["resourceClaimTemplateName", "resourceClaimName"])
def test_claims_and_templates(name: str, is_slip: bool, entry: str) -> None:
    own = template("gpu-template")
    if entry == "resourceClaimName":
        own = own.replace("Template", "").replace("spec: {spec: ", "spec: ").replace("]}}}", "]}}")
    uses = pod("p", f"{{name: e, {entry}: gpu-template}}")
    lacks = pod("q", f"{{name: e, {entry}: {name}}}")
    assert rules(GPU_CLASS, own, uses, lacks) == (["DRA201"] if is_slip else [])
    assert rules(GPU_CLASS, dumped(own), uses, lacks) == ["DRA201"]
    elsewhere = dumped(own).replace("namespace: default", "namespace: other")
    assert rules(GPU_CLASS, elsewhere, lacks) == []


@pytest.mark.parametrize("name", ["of-the-platform", "h200"])
def test_device_classes(name: str) -> None:
    asking = claim(request(device_class=name))
    assert rules(NODE, GPU_CLASS, gpu_slice(), asking) == []
    assert rules(NODE, dumped(GPU_CLASS), gpu_slice(), asking) == ["DRA107"]


@pytest.mark.parametrize(
    "selector",
    [
        'device.driver == "fpga.example.com"',
        'device.driver in ["fpga.example.com", "dsp.example.com"]',
        'device.driver == "fpga.example.com" && device.attributes["fpga.example.com"].model == "a"',
    ],
)
def test_drivers_of_classes(selector: str) -> None:
    of_class = _OTHER_CLASS.replace('device.driver == "fpga.example.com"', selector)
    assert rules(NODE, of_class, _NIC) == []
    assert rules(NODE, of_class, dumped(_NIC)) == ["DRA101"]
    assert rules(NODE, of_class.replace("fpga.", "nics."), _NIC) == ["DRA101"]


def test_drivers_of_requests() -> None:
    every = GPU_CLASS.replace('device.driver == "gpu.example.com"', "true")
    selector = "        selectors:\n        - cel: {expression: 'device.driver == \"%s.example.com\"'}\n"
    assert rules(NODE, every, _NIC, claim(request(selector % "fpga"))) == []
    assert rules(NODE, every, dumped(_NIC), claim(request(selector % "fpga"))) == ["DRA102"]
    assert rules(NODE, every, _NIC, claim(request(selector % "nics"))) == ["DRA102"]


def test_drivers_of_configurations() -> None:
    every = GPU_CLASS.replace('device.driver == "gpu.example.com"', "true")
    config = "    config: [{opaque: {driver: fpga.example.com, parameters: {}}}]\n"
    assert rules(NODE, every, _NIC, claim(request(), config)) == []
    assert rules(NODE, every, dumped(_NIC), claim(request(), config)) == ["DRA109"]
    assert rules(NODE, every.replace("true", 'device.driver == "nic.example.com"'), _NIC, claim(request(), config)) == [
        "DRA109"
    ]
