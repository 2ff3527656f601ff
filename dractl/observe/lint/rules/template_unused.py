"""A claim template that nothing uses.

No pod, workload or group of pods in the namespace names the ResourceClaimTemplate.

Why: usually the pod that was meant names another one, or names a claim that does not exist instead.

Example: a template `gpu`, and a pod with `resourceClaimName: gpu`.

Instead: `resourceClaimTemplateName: gpu` in the pod, or no template. The rule is silent where the namespace has no
pods in the input, or where objects of unknown kinds might make some.
"""

from collections.abc import Iterator

from dractl.api.resource import ResourceClaimTemplate
from dractl.finding import Severity
from dractl.observe.lint.context import LintContext
from dractl.observe.lint.rule import Remark, Rule
from dractl.observe.lint.usage import USERS, is_misspelt, knows_all_users, named_claims


def check(context: LintContext) -> Iterator[Remark]:
    """Templates that no entry of `resourceClaims` names."""
    used = named_claims(context)
    for each in context.objects.of(ResourceClaimTemplate):
        key = (each.ref.namespace, each.ref.name)
        if key not in used and knows_all_users(context, each.ref.namespace) and not is_misspelt(context, *key):
            yield Remark("nothing uses this template", each.place, str(each.ref))


RULE = Rule("DRA202", "template-unused", Severity.INFO, __doc__, check, needs_slices=True, needs_all=USERS)
