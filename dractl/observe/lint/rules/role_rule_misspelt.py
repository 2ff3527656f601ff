"""A rule of a role that names a resource, a verb or a group that is none.

A Role or ClusterRole names a resource that its groups do not have, a verb that nobody asks for, or a group in a form
that never matches, and nearly the right one.

Why: the API server takes any words. The rule never matches, and the driver or scheduler that has the role is refused
when it runs.

Example:

    - apiGroups: [resource.k8s.io/v1]              # the group alone, without a version
      resources: [resourceclaim]                   # resourceclaims
      verbs: [gett]                                # get

Instead: the plural, in lower case, with `/` before a subresource; `kubectl api-resources` lists resources with their
groups. The rule is silent about rules for groups that dractl does not know, and about names that are not nearly known
ones.
"""

from collections.abc import Iterator, Sequence

from dractl.finding import Severity
from dractl.near_misses import nearest
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.served import FINALIZERS, NODE_AWARE, SERVED, VERBS, group_of
from dractl.observe.permissions import Grant, Permissions
from dractl.phrases import listed

_ALL = "*"
_CORE = '""'


def check(context: LintContext) -> Iterator[Remark]:
    """Every word of every rule."""
    for grant in Permissions(context.objects).grants:
        yield from _of_groups(grant)
        yield from _of_resources(grant)
        if not grant.rule.nonResourceURLs:
            yield from _of_verbs(grant)


def _of_groups(grant: Grant) -> Iterator[Remark]:
    for number, group in enumerate(grant.rule.apiGroups or ()):
        name, slash, _ = group.partition("/")
        if slash:
            message, meant = f"the group {group} never matches: a rule names groups without a version", name
        elif group in ("v1", "core"):
            message, meant = f"the group {group} never matches: the core group has an empty name", '""'
        else:
            meant = "" if group in SERVED else nearest(group, list(SERVED))
            message = f"Kubernetes has no group {group}"
        if meant:
            yield _remark(grant, message, meant, "apiGroups", number)


def _of_resources(grant: Grant) -> Iterator[Remark]:
    """Only where all groups are known: another one may have any resource."""
    groups = grant.rule.apiGroups or []
    if not groups or not all(group in SERVED for group in groups):
        return
    known = {name: subresources for group in groups for name, subresources in SERVED[group].items()}
    where = listed(group or "the core group" for group in groups)
    lacks = f"{where} {'has' if len(groups) == 1 else 'have'} no resource"
    elsewhere: dict[str, list[int]] = {}
    for number, resource in enumerate(grant.rule.resources or ()):
        name, slash, subresource = resource.partition("/")
        if _ALL in (name, subresource):
            continue
        if name not in known:
            meant = nearest(name.lower(), list(known))
            if meant:
                yield _remark(grant, f"{lacks} {name}", f"{meant}{slash}{subresource}", "resources", number)
            elif (group := group_of(name)) is not None:
                elsewhere.setdefault(group, []).append(number)
        elif slash and subresource != FINALIZERS and subresource not in known[name]:
            meant = nearest(subresource.lower(), [*known[name], FINALIZERS])
            if meant:
                message = f"{name} has no subresource {subresource}"
                yield _remark(grant, message, f"{name}/{meant}", "resources", number)
    for group, numbers in elsewhere.items():
        yield _of_another_group(grant, lacks, group, numbers)


def _of_another_group(grant: Grant, lacks: str, group: str, numbers: Sequence[int]) -> Remark:
    """At the rule's only group where all of its resources are of the other one, else at the first that is."""
    resources = grant.rule.resources or []
    names = dict.fromkeys(resources[number].partition("/")[0] for number in numbers)
    is_wrong_group = len(numbers) == len(resources) and len(grant.rule.apiGroups or ()) == 1
    place = ("apiGroups", 0) if is_wrong_group else ("resources", numbers[0])
    return _remark(grant, f"{lacks} {listed(names)}", f"the group {group or _CORE}", *place)


def _of_verbs(grant: Grant) -> Iterator[Remark]:
    for number, verb in enumerate(grant.rule.verbs or ()):
        prefix, colon, action = verb.rpartition(":")
        meant_prefix = (_meant(prefix, NODE_AWARE) or _begun(prefix)) if colon else ""
        if colon and not meant_prefix:
            continue
        meant = _meant(action, VERBS)
        if meant and (meant, meant_prefix) != (action, prefix):
            yield _remark(grant, f"nobody asks for the verb {verb}", f"{meant_prefix}{colon}{meant}", "verbs", number)


def _begun(prefix: str) -> str:
    """The prefix that begins with this word: `associated-node` for `associated`, or for `associated-nodes`."""
    word = prefix.partition("-")[0]
    return next((known for known in NODE_AWARE if known.partition("-")[0] == word), "")


def _meant(word: str, known: Sequence[str]) -> str:
    return word if word in known else nearest(word, known)


def _remark(grant: Grant, message: str, meant: str, field: str, number: int) -> Remark:
    return Remark(message, grant.place.at(field, number), grant.role, f"did you mean {meant}?")


RULE = Rule("DRA601", "role-rule-misspelt", Severity.WARNING, __doc__, check)
