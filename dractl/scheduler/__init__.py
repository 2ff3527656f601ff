"""One pod, all nodes: what kube-scheduler does with it (scheduling.md)."""

from dractl.scheduler.queue import in_queue_order
from dractl.scheduler.run import Run, carry_out
from dractl.scheduler.schedule import Attempt, schedule_pod

__all__ = ["Attempt", "Run", "carry_out", "in_queue_order", "schedule_pod"]
