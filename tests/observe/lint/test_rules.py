# FEATURE: C3
"""Every rule: an input in which it finds something, at its line and nothing else, and one in which nothing is found."""

import json
import re

import pytest

from dractl.observe.lint import RULES, find_page
from dractl.observe.lint.rule import Rule
from tests.cli.running import ROOT, dractl
from tests.observe.lint import asked, published, used
from tests.observe.lint.kubelets import CASES as KUBELETS
from tests.observe.lint.world import GPU_CLASS, NODE, claim, found, gpu_slice, marked, request, together

CASES = {**asked.CASES, **used.CASES, **published.CASES}


@pytest.mark.parametrize("rule", CASES)
def test_finds_what_it_is_for(rule: str) -> None:
    bad, _ = CASES[rule]
    assert rule in {name for name, _ in marked(bad)}
    assert found(bad) == marked(bad)


@pytest.mark.parametrize("rule", CASES)
def test_is_silent_where_all_is_well(rule: str) -> None:
    _, good = CASES[rule]
    assert found(good) == []


def test_every_rule_has_a_case() -> None:
    assert {*CASES, *KUBELETS, "DRA901"} == {rule.id for rule in RULES}


def test_every_other_finding_has_a_family() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "dractl").rglob("*.py")]
    families = {family for text in sources for family in re.findall(r'Finding\(\s*f?"([a-z-]+)/', text)}
    assert {"reading", "containers"} <= families
    assert [family for family in sorted(families) if find_page(f"{family}/any") is None] == []


def test_ids_and_names_are_there_once() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES) == len({rule.name for rule in RULES})
    assert [rule.id for rule in RULES] == sorted(rule.id for rule in RULES)
    assert all(re.fullmatch(r"DRA\d{3}", rule.id) for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_page(rule: Rule) -> None:
    page = find_page(rule.id)
    assert page is not None
    assert len(page.title) < 90
    assert "\n" not in page.title
    for part in ("Why", "Example", "Instead"):
        assert re.search(rf"^{part}: ?", page.text, re.MULTILINE), f"{page.id} has no {part}"


def test_one_slip_of_the_pen_is_told_once() -> None:
    """A misspelt counter makes the pool invalid, and a misspelt template is not used either."""
    bad, _ = published.CASES["DRA306"]
    asked_for_two = asked.CASES["DRA113"][1]
    assert found(asked_for_two) == []
    broken = asked_for_two.replace(
        "- {name: g0}", "- {name: g0, consumesCounters: [{counterSet: a, counters: {b: {value: 1}}}]}"
    )
    assert [rule for rule, _ in found(broken)] == ["DRA306"]
    assert [rule for rule, _ in found(bad)] == ["DRA306"]


def test_requests_that_lack_the_same_attribute_are_told_together() -> None:
    requests = request(name="a") + request(name="b")
    text = together(NODE, GPU_CLASS, gpu_slice(), claim(requests, "    constraints: [{matchAttribute: a.b/c}]\n"))
    assert [rule for rule, _ in found(text)] == ["DRA105"]


def test_a_version_that_is_none_is_told_where_it_is_written() -> None:
    """The selectors that come to the device fail as well, until it is mended."""
    devices = "  - {name: g0, attributes: {serial: {version: 1.x}}}\n"
    text = together(NODE, GPU_CLASS, gpu_slice(devices), claim(request()))
    results = json.loads(dractl("lint", "-", "-o", "json", stdin=text.encode()).out)["findings"]
    assert [(each["rule"], each["at"]["line"]) for each in results] == [("validation/refused", 24)]
