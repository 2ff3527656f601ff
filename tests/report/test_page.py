# FEATURE: C1, P2
"""The page: marks, notes, totals, width and colour."""

from msgspec import structs

from dractl.finding import Finding, Severity
from dractl.planner.settings import Settings
from dractl.report import table, wide
from dractl.report.view import View
from tests.report.worlds import claim, device_class, node, planned, pod, request, slice_of

WORLD = (node(), device_class(), slice_of("g0", "g1"), claim(f"[{request()}]"), pod())


def test_an_outcome_that_rests_on_a_choice_is_marked_and_explained_once() -> None:
    plan, view = planned(node("n1"), pod("a", None), pod("b", None))
    outcomes = tuple(structs.replace(each, uncertain="of a tie") for each in plan.prediction.outcomes)
    prediction = structs.replace(plan.prediction, outcomes=outcomes)
    text = table.render(structs.replace(plan, prediction=prediction), view)
    assert "ml/a  n1*" in text
    assert "ml/b  n1*" in text
    assert text.count("* ml/a and ml/b: not certain, of a tie\n") == 1


def test_nodes_with_the_same_score_are_such_a_choice() -> None:
    plan, view = planned(node("n1"), node("n2"), pod("a", None))
    assert "ml/a  n1*" in table.render(plan, view)


def test_a_device_of_a_pool_that_is_not_the_nodes_has_its_pool_in_front() -> None:
    network = slice_of("g0").replace("nodeName: n1", "allNodes: true").replace("{name: n1, gen", "{name: fabric, gen")
    plan, view = planned(node(), device_class(), network, claim(f"[{request()}]"), pod())
    assert "fabric/g0\n" in table.render(plan, view)


def test_admin_access_is_said() -> None:
    namespace = (
        'apiVersion: v1\nkind: Namespace\nmetadata: {name: ml, labels: {resource.kubernetes.io/admin-access: "true"}}'
    )
    plan, view = planned(namespace, *WORLD[:3], claim(f"[{request(adminAccess='true')}]"), pod())
    assert "g0 (admin)\n" in table.render(plan, view)
    assert "g0 (admin)" in wide.render(plan, view)


def test_wide_has_a_line_for_each_device_with_everything_about_it() -> None:
    shared = "{name: g0, allowMultipleAllocations: true, capacity: {memory: {value: 8Gi}}}"
    asked = request(capacity="{requests: {memory: 2Gi}}")
    plan, view = planned(node(), device_class(), slice_of(shared), claim(f"[{asked}]"), pod())
    line = wide.render(plan, view).splitlines()[1].split()
    assert line[:10] == ["ml/a", "n1", "devices", "gpus", "r", "placed", "gpu.example.com", "n1", "g0", "memory=2Gi"]
    assert len(line[10]) == 36  # the share's id


def test_a_narrow_terminal_wraps_and_keeps_the_place_at_the_right() -> None:
    plan, view = planned(*WORLD[:3], claim(f"[{request(count=3)}]"), pod())
    narrow = structs.replace(view, width=60)
    lines = table.render(plan, narrow).splitlines()
    assert max(map(len, lines)) <= 60
    header = next(line for line in lines if line.startswith("ml/a does not fit"))
    assert len(header) == 60
    assert "world.yaml:" in header


def test_no_line_ends_in_blanks() -> None:
    plan, view = planned(*WORLD)
    assert all(line == line.rstrip() for line in table.render(plan, view).splitlines())


def test_an_optimum_without_proof_says_so() -> None:
    plan, view = planned(*WORLD, settings=Settings(wants_optimum=True))
    assert plan.optimum is not None
    open_end = structs.replace(plan, optimum=structs.replace(plan.optimum, is_proven=False, bound=3))
    assert "Optimum     1 of 1 pod placed, not proven, at most 3\n" in table.render(open_end, view)


def test_of_each_rule_the_first_findings_and_how_many_more() -> None:
    plan, view = planned(*WORLD)
    many = tuple(Finding("reading/x", Severity.WARNING, f"remark {number}") for number in range(8))
    text = table.render(structs.replace(plan, findings=many), view)
    assert "warning: remark 4 (reading/x)\n" in text
    assert "remark 5" not in text
    assert "reading/x: 3 more; -o json has them all\n" in text


def test_nothing_of_the_input_steers_the_terminal() -> None:
    plan, view = planned(*WORLD)
    finding = Finding("reading/x", Severity.ERROR, "a \x1b[31mred\x1b[0m\n herring")
    text = table.render(structs.replace(plan, findings=(finding,)), view)
    assert "\x1b" not in text
    assert "a �[31mred�[0m� herring" in text


def test_without_pods() -> None:
    plan, _ = planned(node())
    assert table.render(plan, View(lambda _: None)) == "No pod is to be placed: there is none.\n"


def test_pods_of_which_the_same_is_to_be_said_are_told_together() -> None:
    deployment = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ml}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]
"""
    plan, view = planned(node(), deployment)
    text = table.render(plan, view)
    (line,) = [line for line in text.splitlines() if line.startswith("ml/web-") and "do not fit" in line]
    assert line.startswith("ml/web-2 and ml/web-3 do not fit")
    assert text.count("because ") == 1


def test_of_many_nodes_the_first_are_told() -> None:
    nodes = [node(f"n{number:02}") for number in range(20)]
    slices = [slice_of(*(f"g{each}" for each in range(number + 1)), name=f"n{number:02}") for number in range(20)]
    plan, view = planned(*nodes, device_class(), *slices, claim(f"[{request(count=32)}]"), pod())
    lines = table.render(plan, view).splitlines()
    assert sum(line.startswith("  and on n") for line in lines) == 7
    assert "  and on 13 more nodes it is much the same; -o json says why." in lines


def test_a_group_for_which_pods_are_deleted_is_tried_again_only_later() -> None:
    old = """
apiVersion: v1
kind: Pod
metadata: {name: old, namespace: ml, uid: u-old}
spec: {nodeName: n1, priority: -5, containers: [{name: c, image: i, resources: {requests: {cpu: 6}}}]}
status: {phase: Running}
"""
    group = """
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: g, namespace: ml}
spec: {schedulingPolicy: {gang: {minCount: 1}}}
"""
    member = pod("m", None, cpu="3").replace("spec:\n", "spec:\n  schedulingGroup: {podGroupName: g}\n")
    plan, view = planned(node(), old, group, member)
    text = table.render(plan, view)
    assert "  The scheduler deletes ml/old to make that room, and tries the pod again only later.\n" in text
    assert "will not find this by itself" not in text
