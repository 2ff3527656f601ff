# FEATURE: C3
import pytest

from dractl.near_misses import did_you_mean, nearest


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gpu.exmaple.com", "gpu.example.com"),
        ("gpu.example.con", "gpu.example.com"),
        ("gpus.example.com", "gpu.example.com"),
        ("GPU.example.com", "gpu.example.com"),
        ("gpu-templat", "gpu-template"),
        ("gputemplate", "gpu-template"),
        ("hihg", "high"),
        ("pciRoot", "pcieRoot"),
        ("system-node-critcal", "system-node-critical"),
        ("resource.k8.io", "resource.k8s.io"),
        ("single-numanode", "single-numa-node"),
        ("DRADerivedAtributs", "DRADerivedAttributes"),
    ],
)
def test_slips_of_the_pen(name: str, known: str) -> None:
    assert nearest(name, ["other", known, "another"]) == known


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gaudi.intel.com", "gpu.intel.com"),
        ("npu.example.com", "gpu.example.com"),
        ("gpu-h100", "gpu-a100"),
        ("gpu-1", "gpu-0"),
        ("gpu-a10", "gpu-a100"),
        ("node-b", "node-a"),
        ("gpu-claim-template", "gpu-template"),
        ("gpu.nvidia.com", "gpu.amd.com"),
        ("DRADeviceTaintRules", "DRADeviceTaints"),
        ("b", "a"),
        ("ab", "ac"),
        ("", "ab"),
        ("", "a"),
    ],
)
def test_other_words(name: str, known: str) -> None:
    assert nearest(name, [known]) == ""


def test_the_fewest_slips_count_then_the_order() -> None:
    assert nearest("gpu-tenplats", ["gpu-templates", "gpu-tenplate"]) == "gpu-tenplate"
    assert did_you_mean("templat", ["templates", "template"]) == "did you mean template?"
    assert did_you_mean("templat", ["pool"]) == ""
