"""A claim that no pod uses.

No pod of the namespace names the ResourceClaim, and it is reserved for nobody.

Why: it gets no devices as long as no pod needs it, so the pod that was meant to use it probably names another one. If
it **has** devices, it holds them for nobody: a claim that was never reserved stays allocated until it is deleted.

Example: a claim `gpu` and pods that all use a template.

Instead: name it in `spec.resourceClaims[].resourceClaimName`, or delete it. The rule is silent where the namespace
has no pods in the input, or where objects of unknown kinds might make some.
"""

from collections.abc import Iterator

from dractl.api.identities import ClaimRef
from dractl.api.objects import Sourced
from dractl.api.resource import ResourceClaim
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import USERS, is_misspelt, knows_all_users, named_claims
from dractl.phrases import counted


def check(context: LintContext) -> Iterator[Remark]:
    """A warning where such a claim holds devices, else a remark."""
    named = named_claims(context)
    for claim in context.objects.of(ResourceClaim):
        key = (claim.ref.namespace, claim.ref.name)
        ref = ClaimRef(*key)
        if claim.made_by is None and key not in named and ref not in context.users and not _is_kept(claim):
            if not knows_all_users(context, claim.ref.namespace) or is_misspelt(context, *key):
                continue
            allocation = claim.object.status.allocation
            results = (allocation.devices.results if allocation is not None else None) or ()
            if results:
                held = f"no pod uses this claim, and it holds {counted(len(results), 'device')}"
                yield Remark(held, claim.place, str(claim.ref), "delete it if nobody needs it", Severity.WARNING)
            else:
                yield Remark("no pod uses this claim", claim.place, str(claim.ref))


def _is_kept(claim: Sourced[ResourceClaim]) -> bool:
    """Whether the claim is reserved, belongs to somebody, or is going anyway."""
    metadata = claim.metadata
    is_owned = bool(metadata.ownerReferences)
    return bool(claim.object.status.reservedFor) or is_owned or metadata.deletionTimestamp is not None


RULE = Rule("DRA203", "claim-unused", Severity.INFO, __doc__, check, needs_slices=True, needs_all=USERS)
