"""Why a pod does not fit, in one grammar: because A, and B, and C; then what would fix it (STYLE, principle 7)."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from dractl.api.identities import ClaimRef, PodRef
from dractl.api.resource import DeviceRequest
from dractl.cluster.availability import why_unusable
from dractl.cluster.pools import PoolState
from dractl.errors import Place
from dractl.explain.facts import ConstraintUnmet, NodeFact, TooFewDevices
from dractl.explain.freeing import Freeing
from dractl.near_misses import did_you_mean
from dractl.observe.references import missing_references
from dractl.phrases import counted, listed, verb
from dractl.planner.plan import Optimum, Plan
from dractl.report.asked import Asked
from dractl.report.differences import Difference
from dractl.report.holders import Holders
from dractl.report.kubelet_words import refusal_sentences
from dractl.report.pool_states import PoolTrouble, pool_troubles
from dractl.report.rows import claim_uses
from dractl.report.upstream import documented_text
from dractl.report.words import Words
from dractl.scheduler.pod_claims import group_ref
from dractl.solution.outcomes import AllocatorFailed, ClaimsDoNotFit, GroupUnmet, PodOutcome, Rejection, Verdict

_NODES_NAMED = 4
_REASONS_SHOWN = 8
_OF_ONE_NODE_AT_LEAST = 3


class Statement(Struct, frozen=True):
    """One reason. `kind` is the name of the fact or rejection, `nodes` those that it holds for (none: for all)."""

    kind: str
    text: str
    nodes: tuple[str, ...] = ()
    place: Place | None = None

    @property
    def sentence(self) -> str:
        """The statement with the nodes in front."""
        return f"on {listed(self.nodes, at_most=_NODES_NAMED)} {self.text}" if self.nodes else self.text


class Explanation(Struct, frozen=True):
    """All reasons of a pod that is not placed, and what would help, as whole sentences.

    `upstream` says what the documented rules would allow; it is no advice. `message` is what the scheduler itself
    writes into the pod's condition.
    """

    pod: PodRef
    verdict: Verdict
    place: Place
    reasons: tuple[Statement, ...]
    fixes: tuple[str, ...]
    upstream: str = ""
    message: str = ""


def abridged(reasons: Sequence[Statement]) -> list[Statement]:
    """The reasons for people: of many that hold for one node each the first, and for how many nodes there are more.

    Formats for programs have them all.
    """
    own = [reason for reason in reasons if len(reason.nodes) == 1]
    kept = max(_REASONS_SHOWN - (len(reasons) - len(own)), _OF_ONE_NODE_AT_LEAST)
    if len(own) <= kept + 1:
        return list(reasons)
    left_out = own[kept:]
    number = len({node for reason in left_out for node in reason.nodes})
    more = Statement("More", f"on {counted(number, 'more node')} it is much the same; -o json says why")
    return [*(reason for reason in reasons if reason not in left_out), more]


def alike(explanations: Iterable[Explanation]) -> list[tuple[list[PodRef], Explanation]]:
    """Pods of which the same is to be said, together where the first of them stands."""
    groups: dict[tuple[object, ...], tuple[list[PodRef], Explanation]] = {}
    for each in explanations:
        key = (each.verdict, each.place, each.reasons, each.fixes, each.upstream, each.message)
        groups.setdefault(key, ([], each))[0].append(each.pod)
    return list(groups.values())


class Explainer:
    """Explains the pods of one plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._difference = Difference(plan)
        self._holders = Holders(plan.prediction.claims)

    def of(self, outcome: PodOutcome) -> Explanation:
        """The explanation of a pod that is not placed."""
        reasons, fixes = tuple(self._reasons(outcome)), tuple(self._fixes(outcome))
        upstream = documented_text(self._plan.prediction, outcome)
        message = outcome.message if outcome.refusal is None else ""
        return Explanation(outcome.pod, outcome.verdict, outcome.place, reasons, fixes, upstream, message)

    # --- because ---

    def _reasons(self, outcome: PodOutcome) -> Iterator[Statement]:
        if outcome.waiting_for:
            yield Statement("Waiting", outcome.waiting_for)
            yield from self._given_up(outcome)
            if outcome.placement is not None:
                return  # it has its node: why others did not take it is beside the point
        if outcome.refusal is not None:
            pod, named = self._plan.prediction.pods[outcome.pod], self._plan.cluster.pods[outcome.pod].spec.nodeName
            objects = self._plan.cluster.objects
            texts = refusal_sentences(pod, outcome.refusal, objects, names_its_node=bool(named))
            yield from (Statement("KubeletRefusal", text) for text in texts)
            return
        if not self._plan.cluster.nodes and outcome.verdict is Verdict.DOES_NOT_FIT:
            yield Statement("NoNodes", "the input has no node: no Node object, and nothing that names one")
            return
        missing = list(self._missing_classes(outcome))
        yield from missing
        if outcome.aborted is not None:
            yield Statement("SchedulingError", f"the scheduler's attempt ends with an error: {outcome.aborted.text}")
            for trouble in pool_troubles(self._plan.cluster, "", outcome.aborted):
                yield Statement("Pool", trouble.text, (), trouble.place)
            yield Statement(
                "SchedulingError", "that keeps the pod from every node, and each retry meets the error again"
            )
        if outcome.preempted_by is not None:
            yield Statement("Preempted", f"it is deleted again to make room for {outcome.preempted_by}")
        yield from self._facts(outcome)
        yield from self._rejections(outcome)
        if outcome.group_unmet is not None:
            yield from _group(outcome.group_unmet)
        if outcome.verdict is Verdict.UNDECIDED and outcome.uncertain:
            yield Statement("Uncertain", outcome.uncertain)
        if outcome.message and not (missing or outcome.aborted or outcome.rejections or outcome.group_unmet):
            yield Statement("Refused", outcome.message)

    def _given_up(self, outcome: PodOutcome) -> Iterator[Statement]:
        """Claims that had devices, lose them because they cannot be used, and get devices anew."""
        cluster, placement = self._plan.cluster, outcome.placement
        for use in claim_uses(self._plan.prediction, outcome) if placement is not None else ():
            before = cluster.claims.get(use.ref) if use.ref is not None else None
            if placement is None or before is None or use.ref not in placement.allocations:
                continue
            because = why_unusable(before, cluster.nodes[placement.node], cluster.features, cluster.now)
            if because:
                text = f"claim {use.entry} loses its earlier allocation: {because}"
                yield Statement(
                    "GivenUp", text, (), cluster.place_of_claim(ClaimRef(outcome.pod.namespace, before.metadata.name))
                )

    def _missing_classes(self, outcome: PodOutcome) -> Iterator[Statement]:
        cluster = self._plan.cluster
        for use in claim_uses(self._plan.prediction, outcome):
            if use.claim is None or use.ref is None or use.claim.status.allocation is not None:
                continue
            place = cluster.place_of_claim(use.ref).at("spec", "devices", "requests")
            for number, request in enumerate(use.claim.spec.devices.requests or ()):
                for name in _class_names(request):
                    if name not in cluster.classes:
                        text = f"claim {use.entry} names device class {name}, which is not in the input"
                        text = "; ".join(filter(None, [text, did_you_mean(name, cluster.classes)]))
                        yield Statement("MissingClass", text, (), place.at(number))

    def _facts(self, outcome: PodOutcome) -> Iterator[Statement]:
        """First what was asked for, then node by node why it cannot be had; nodes with the same reason together."""
        asked = Asked(self._plan.prediction, outcome, self._plan.explanations.get(outcome.pod, ()))
        by_claims: dict[tuple[ClaimRef, ...], list[tuple[str, NodeFact]]] = {}
        for explanation in self._plan.explanations.get(outcome.pod, ()):
            for fact in explanation.facts:
                by_claims.setdefault(asked.claims_of(fact), []).append((explanation.node, fact))
        for claims, found in by_claims.items():
            yield Statement("Asked", asked.wishes(claims), (), found[0][1].place)
            reasons = _Grouping({})
            for node, fact in found:
                text = Words(node, self._holders).of_fact(fact)
                reasons.add(node, fact, f"{asked.which(fact)}{text}")
            yield from reasons.statements()

    def _rejections(self, outcome: PodOutcome) -> Iterator[Statement]:
        """Reasons that no fact about devices explains better."""
        explained = {each.node for each in self._plan.explanations.get(outcome.pod, ()) if each.facts}
        reasons = _Grouping({})
        troubles: dict[PoolTrouble, list[str]] = {}
        for rejection in outcome.rejections:
            words = Words(rejection.node, self._holders)
            for reason in rejection.reasons:
                if not (isinstance(reason, ClaimsDoNotFit) and rejection.node in explained):
                    reasons.add(rejection.node, reason, words.of_rejection(reason))
                if isinstance(reason, AllocatorFailed):
                    for trouble in pool_troubles(self._plan.cluster, rejection.node, reason.fault):
                        troubles.setdefault(trouble, []).append(rejection.node)
        yield from reasons.statements()
        for trouble, nodes in troubles.items():
            yield Statement("Pool", trouble.text, tuple(nodes), trouble.place)

    # --- what would help ---

    def _fixes(self, outcome: PodOutcome) -> Iterator[str]:
        plan = self._plan
        if not plan.cluster.nodes:
            yield "Add the nodes and their slices: kubectl get nodes,resourceslices -o yaml."
        yield from self._meant_instead(outcome.pod)
        if plan.optimum is not None and self._difference.gains(outcome.pod):
            way = self._difference.way_to_fit(outcome.pod)
            yield f"It would fit {way}: the optimum places {_how_many(plan.optimum)}."
            if self._difference.overtaken_by(outcome.pod):
                yield "Create it first, or give it a higher priority."
            elif victims := self._deleted_for(outcome.pod):
                yield f"The scheduler deletes {listed(victims)} to make that room, and tries the pod again only later."
            elif outcome.verdict is not Verdict.UNDECIDED:
                yield "The scheduler will not find this by itself."
        if outcome.awaits:
            yield self._awaited(outcome)
        yield from (fault.remedy for fault in outcome.faults)
        if (freeing := plan.freeing.get(outcome.pod)) is not None:
            yield self._freeing(freeing)
        if outcome.aborted is not None and "no such key: " in outcome.aborted.text:
            yield "Test that the attribute is there before reading it: has(…), in, or .?NAME.orValue(…)."
        facts = [fact for each in plan.explanations.get(outcome.pod, ()) for fact in each.facts]
        yield from dict.fromkeys(fix for fact in facts if (fix := _fix(fact)))

    def _meant_instead(self, pod: PodRef) -> Iterator[str]:
        """For claims and templates that are not there."""
        cluster = self._plan.cluster
        for kind, ref, hint in missing_references(cluster, cluster.pods[pod]):
            if hint:
                yield f"{kind} {ref.name}: {hint}{'' if hint.endswith('?') else '.'}"

    def _deleted_for(self, pod: PodRef) -> list[PodRef]:
        """Pods that are deleted to make room for this pod or others of its group."""
        cluster = self._plan.cluster
        group = group_ref(cluster, cluster.pods[pod])
        return [
            ref
            for ref, victim in self._plan.prediction.preempted.items()
            if victim.preemptor == pod
            or (group is not None and group_ref(cluster, cluster.pods[victim.preemptor]) == group)
        ]

    def _awaited(self, outcome: PodOutcome) -> str:
        """Pods that are being deleted already: the scheduler does not do it again, and does not know when they go."""
        pods, number = self._plan.cluster.pods, len(outcome.awaits)
        names = listed([f"{ref} (on {pods[ref].spec.nodeName})" for ref in outcome.awaits])
        they = "it is" if number == 1 else "they are"
        return f"It waits until {names} {verb(number, 'is', 'are')} gone: {they} being deleted already."

    def _freeing(self, freeing: Freeing) -> str:
        """Devices are not freed by preemption; whom deleting would help all the same."""
        pods = self._plan.cluster.pods
        names = [f"{ref} (priority {pods[ref].spec.priority or 0})" for ref in freeing.pods]
        return (
            f"Preemption does not free devices; deleting {listed(names)} would: the pod would fit on {freeing.node}, "
            "which was found by planning again."
        )


class _Grouping(Struct, frozen=True):
    """Nodes by the kind and wording of what keeps the pod from them."""

    nodes: dict[tuple[str, str], list[str]]

    def add(self, node: str, reason: NodeFact | Rejection, text: str) -> None:
        self.nodes.setdefault((type(reason).__name__, text), []).append(node)

    def statements(self) -> Iterator[Statement]:
        for (kind, text), nodes in self.nodes.items():
            yield Statement(kind, text, tuple(nodes))


def _group(unmet: GroupUnmet) -> Iterator[Statement]:
    group = f"its {unmet.group.kind} {unmet.group.name}"
    wanted = counted(unmet.min_count, "pod")
    found = "none" if not unmet.scheduled else str(unmet.scheduled)
    finds = f"{found} of its pods {verb(max(unmet.scheduled, 1), 'finds', 'find')} a node"
    yield Statement("Group", f"{group} starts with {wanted} or not at all, and {finds}")
    if unmet.node:
        yield Statement("Group", f"the pod itself would run on {unmet.node}")


def _how_many(optimum: Optimum) -> str:
    placed, total = optimum.answer.count(Verdict.PLACED), len(optimum.answer.outcomes)
    if placed < total:
        return f"{placed} of {total} pods"
    return {1: "it", 2: "both pods"}.get(total, f"all {total} pods")


def _class_names(request: DeviceRequest) -> list[str]:
    asked = (request.exactly, *(request.firstAvailable or ()))
    return [each.deviceClassName for each in asked if each is not None and each.deviceClassName]


def _fix(fact: NodeFact) -> str:
    if isinstance(fact, ConstraintUnmet) and fact.near_miss:
        return (
            f"With derivedAttributes (alpha, gate DRADerivedAttributes) a request can show {fact.near_miss} "
            f"under the name {fact.constraint.attribute}."
        )
    if isinstance(fact, TooFewDevices) and any(pool.state == PoolState.INCOMPLETE for pool in fact.pools):
        return "A pool gives devices once there are as many slices of its newest generation as resourceSliceCount says."
    return ""
