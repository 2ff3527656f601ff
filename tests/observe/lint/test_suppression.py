# FEATURE: C3
"""Findings that are left out, and suppressions that leave nothing out."""

import pytest

from dractl.errors import Origin, Place
from dractl.finding import Finding
from dractl.manifests import Source, survey
from dractl.observe.lint import Suppression, suppress
from dractl.planner.admission import admit
from dractl.planner.linting import lint
from dractl.planner.settings import Settings
from tests.observe.lint.asked import CASES

ENTRY = Place(Origin(".dractl.yaml")).at("ignore", 0)
BAD, GOOD = CASES["DRA113"]


def kept(text: str, *entries: Suppression, file: str = "deploy/a.yaml") -> tuple[list[str], int]:
    """The rules that are left, and how many findings were suppressed."""
    admission = admit(survey([Source(file, text.encode())]).objects, Settings())
    found: tuple[Finding, ...] = lint(admission.objects, admission.gates, {}).findings
    left, number = suppress(found, admission.objects, entries, {file: file})
    return [finding.rule for finding in left], number


def annotated(text: str, ids: str) -> str:
    return text.replace("name: c, namespace", f"annotations: {{dractl.dev/ignore: '{ids}'}}, name: c, namespace", 1)


def test_without_any_suppression() -> None:
    assert kept(BAD) == (["DRA113"], 0)


@pytest.mark.parametrize("ids", ["DRA113", "dra113", " DRA113 ,", "DRA113,DRA113"])
def test_by_annotation_of_the_object(ids: str) -> None:
    assert kept(annotated(BAD, ids)) == ([], 1)


def test_an_annotation_is_for_its_own_object_only() -> None:
    assert kept(BAD.replace("name: c-user", "annotations: {dractl.dev/ignore: DRA113}, name: c-user")) == (
        ["DRA113", "DRA901"],
        0,
    )


def test_what_an_annotation_names_in_vain() -> None:
    assert kept(annotated(BAD, "DRA113,DRA114")) == (["DRA901"], 1)
    assert kept(annotated(GOOD, "DRA113")) == (["DRA901"], 0)
    assert kept(annotated(GOOD, "DRA113,DRA901")) == (["DRA901"], 0)


def test_an_annotation_that_names_no_rule() -> None:
    text = annotated(GOOD, "dra999")
    admission = admit(survey([Source("a.yaml", text.encode())]).objects, Settings())
    [finding], _ = suppress((), admission.objects, (), {})
    assert (finding.rule, finding.message) == ("DRA901", "there is no rule dra999")
    assert finding.subject == "ResourceClaim default/c"


def test_rules_that_need_slices_are_not_in_vain_without_any() -> None:
    claim = GOOD[GOOD.index("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim") :]
    assert kept(annotated(claim, "DRA113")) == ([], 0)
    assert kept(annotated(claim, "DRA114")) == (["DRA901"], 0)


def test_findings_that_do_not_come_from_rules() -> None:
    text = BAD.replace("resources: {claims: [{name: e}]}", "resources: {}")
    assert "containers/unused-claim" in kept(text)[0]
    text = text.replace("name: c-user", "annotations: {dractl.dev/ignore: containers/unused-claim}, name: c-user")
    assert kept(text) == (["DRA113"], 1)


@pytest.mark.parametrize(
    "entry",
    [
        Suppression("DRA113", ENTRY),
        Suppression("DRA113", ENTRY, paths=("deploy",)),
        Suppression("DRA113", ENTRY, paths=("deploy/",)),
        Suppression("DRA113", ENTRY, paths=("other", "*.yaml")),
        Suppression("DRA113", ENTRY, paths=("a.yaml",)),
        Suppression("dra113", ENTRY, objects=("ResourceClaim default/*",)),
    ],
)
def test_by_configuration(entry: Suppression) -> None:
    assert kept(BAD, entry) == ([], 1)


@pytest.mark.parametrize(
    ("entry", "is_told"),
    [
        (Suppression("DRA113", ENTRY, paths=("other",)), False),
        (Suppression("DRA114", ENTRY), False),
        (Suppression("DRA114", ENTRY, paths=("deploy",)), True),
        (Suppression("DRA113", ENTRY, paths=("deploy",), objects=("Pod *",)), True),
        (Suppression("DRA999", ENTRY), True),
    ],
)
def test_entries_that_mean_nothing_here(entry: Suppression, is_told: bool) -> None:
    assert kept(BAD, entry) == (["DRA113", "DRA901"] if is_told else ["DRA113"], 0)
