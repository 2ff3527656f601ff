# FEATURE: P1, P2, D3, D6, D8, D9, D12, D14, D15
"""Small worlds from public threads: the answers in their headers, as a user gets them."""

import json
from typing import Any

import pytest

from tests.cases.expected import ELSEWHERE, EXPECTED, MISSING
from tests.cli.running import ROOT, Ran, dractl

FOLDER = ROOT / "fixtures/cases"

Devices = dict[str, dict[str, list[str]] | None]


def devices(answer: dict[str, Any]) -> Devices:
    """Of each pod the devices by request, None if it is not placed."""
    found: Devices = {}
    for pod in answer["pods"]:
        requests: dict[str, list[str]] = {}
        for device in (device for claim in pod["claims"] for device in claim["devices"]):
            requests.setdefault(device["request"], []).append(device["device"])
        found[pod["name"]] = requests if pod["outcome"] == "placed" else None
    return found


def plan(text: str, *options: str) -> Ran:
    return dractl("plan", "-", *options, stdin=text.encode())


def read(case: str) -> str:
    return (FOLDER / f"{case}.yaml").read_text(encoding="utf-8")


def test_every_case_has_an_expectation() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == {*EXPECTED, *MISSING, *ELSEWHERE}


@pytest.mark.parametrize("case", EXPECTED)
def test_prediction(case: str) -> None:
    expected = EXPECTED[case]
    ran = plan(read(case), "-o", "json")
    assert ran.code == expected.code, ran.err
    assert devices(json.loads(ran.out)["prediction"]) == expected.pods


@pytest.mark.parametrize("case", [case for case, expected in EXPECTED.items() if expected.optimum])
def test_optimum(case: str) -> None:
    optimum = json.loads(plan(read(case), "-o", "json").out)["optimum"]
    assert optimum["proven"]
    assert devices(optimum) == EXPECTED[case].optimum


@pytest.mark.parametrize(("case", "says"), [(case, says) for case in EXPECTED for says in EXPECTED[case].says])
def test_words(case: str, says: str) -> None:
    assert says in plan(read(case)).out


@pytest.mark.parametrize(
    ("case", "says"),
    [
        pytest.param(case, missing.says, id=case, marks=pytest.mark.xfail(reason=f"feature {missing.row}", strict=True))
        for case, missing in MISSING.items()
    ],
)
def test_what_is_not_answered_yet(case: str, says: str) -> None:
    ran = plan(read(case), "--optimum")
    assert says in ran.out + ran.err


# --- what the headers say about variants ---


def test_02_without_d4_there_are_only_two_values() -> None:
    text = read("02-distinct-multi-device")
    start = text.index("  - name: d4\n")
    ran = plan(text[:start] + text[text.index("---", start) :])
    assert ran.code == 1
    assert "no more than 2 of them differ" in ran.out


def test_08_in_a_manifest_it_is_an_error() -> None:
    lines = read("08-slice-count-zero").splitlines(keepends=True)
    manifest = "".join(line for line in lines if not line.lstrip().startswith(("uid:", "resourceVersion:")))
    ran = plan(manifest)
    assert (ran.code, ran.out) == (2, "")
    assert "spec.pool.resourceSliceCount: must be greater than 0" in ran.err


def test_06_the_order_of_the_slices_does_not_matter() -> None:
    documents = read("06-pool-count-disagrees").split("---\n")
    slices = [number for number, document in enumerate(documents) if "kind: ResourceSlice" in document]
    assert len(slices) == 2
    one, other = slices
    documents[one], documents[other] = documents[other], documents[one]
    ran = plan("---\n".join(documents))
    assert ran.code == 3
    assert "(slice-a says 1, slice-b says 2)" in ran.out


def with_third_claim(text: str, amount: str) -> str:
    """A copy of the second claim and its pod, asking for another amount."""
    documents = text.split("---\n")
    copies = [each for each in documents if "name: c2\n" in each and ("ResourceClaim" in each or "kind: Pod" in each)]
    renamed = [each.replace("c2", "c3").replace("p2", "p3").replace("1500Mi", amount).rstrip("\n") for each in copies]
    assert len(renamed) == 2
    return "---\n".join([text.rstrip("\n") + "\n", *(f"{each}\n" for each in renamed)])


# FEATURE: D17
def test_30_with_12_cpus_both_run_on_n1() -> None:
    ran = plan(read("30-podgroup-shared-claim-node").replace("cpu: '8'", "cpu: '12'"), "-o", "json")
    assert ran.code == 0, ran.err
    placed = {pod["name"]: pod["node"] for pod in json.loads(ran.out)["prediction"]["pods"]}
    assert placed == {"left": "n1", "right": "n1"}


def test_15_consumes_what_is_rounded_up() -> None:
    pods = json.loads(plan(read("15-capacity-rounding"), "-o", "json").out)["prediction"]["pods"]
    amounts = [device["consumedCapacity"] for pod in pods for claim in pod["claims"] for device in claim["devices"]]
    assert [list(amount.values()) for amount in amounts] == [["2Gi"], ["2Gi"]]


def test_15_a_third_claim_finds_nothing_left() -> None:
    ran = plan(with_third_claim(read("15-capacity-rounding"), "1100Mi"))
    assert ran.code == 1
    assert "d has 0 of " in ran.out
    assert "2Gi is needed, rounded up to what the device allows (default/p1 and default/p2 use the rest)" in ran.out


def test_15_two_claims_just_above_a_step() -> None:
    ran = plan(read("15-capacity-rounding").replace("1500Mi", "2049Mi"), "-o", "json")
    assert devices(json.loads(ran.out)["prediction"]) == {"p1": {"r": ["d"]}, "p2": None}


def test_15_an_amount_that_cannot_be_rounded_is_an_error_of_the_scheduler() -> None:
    ran = plan(read("15-capacity-rounding").replace("1500Mi", "'9223372036854775807'"))
    assert ran.code == 1
    assert "rounding request 9223372036854775807 up to the next step passes MaxInt64" in ran.out


def test_15_a_step_of_zero_rounds_nothing() -> None:
    ran = plan(read("15-capacity-rounding").replace("step: 1Gi", "step: '0'"))
    assert ran.code in (0, 2), ran.err
