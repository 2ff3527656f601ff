"""One pod, all nodes: what kube-scheduler does with it (scheduling.md)."""

from dractl.scheduler.queue import in_queue_order
from dractl.scheduler.schedule import schedule_pod

__all__ = ["in_queue_order", "schedule_pod"]
