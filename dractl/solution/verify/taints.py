"""Every taint that repels is tolerated by the request (dra.md §15)."""

from collections.abc import Iterator

from dractl.api.tolerations import untolerated
from dractl.solution.verify.attempt import Attempt
from dractl.solution.verify.violations import Breach


def every_taint_is_tolerated(attempt: Attempt) -> Iterator[Breach]:
    """Admin access needs tolerations like anybody else."""
    if not attempt.problem.features.device_taints:
        return
    for take in attempt.takes():
        taint = untolerated(take.device.device.taints or (), take.demand.tolerations)
        if taint is not None:
            text = f"request {take.demand.ref.name} does not tolerate {taint.key}={taint.value}:{taint.effect}"
            yield Breach(text, take.claim, take.id)
