"""More pods share a claim than can be reserved for it.

More than 256 pods of the input name one ResourceClaim.

Why: `status.reservedFor` holds 256 consumers. The next pod is never allowed to use the claim; its reservation fails
and is tried for ever, without an event. Pods of a PodGroup whose claim it is count once.

Example: a Deployment with 300 replicas and `resourceClaimName: shared`.

Instead: several claims, a template, or a PodGroup with the claim.
"""

from collections.abc import Iterator

from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.sharing import sharing_findings


def check(context: LintContext) -> Iterator[Remark]:
    """Claims by the number of their consumers, those that are recorded and those to come."""
    for finding in sharing_findings(context.objects, context.cluster.gates):
        if finding.place is not None:
            yield Remark(finding.message, finding.place, finding.subject, finding.remedy)


RULE = Rule("DRA205", "claim-shared-by-too-many", Severity.ERROR, __doc__, check, covers=("claims/too-many-consumers",))
