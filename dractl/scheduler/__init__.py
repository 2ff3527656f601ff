"""One pod, all nodes: what kube-scheduler does with it (scheduling.md)."""

from dractl.scheduler.carrying_out import carry_out
from dractl.scheduler.groups import Group, queue_entries
from dractl.scheduler.queue import in_queue_order
from dractl.scheduler.run import Run
from dractl.scheduler.schedule import Attempt, schedule_pod

__all__ = ["Attempt", "Group", "Run", "carry_out", "in_queue_order", "queue_entries", "schedule_pod"]
