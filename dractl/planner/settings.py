"""What the user asks of a plan."""

from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from dractl.api.scheduler_configuration import SchedulerConfiguration


class Preference(StrEnum):
    """What the optimum goes by after the number of pods, and before the order in which the scheduler would choose."""

    ALIGNED = "aligned"


class Settings(Struct, frozen=True):
    """`feature_gates` is the text of the option; `wants_optimum` builds the model even if all pods are placed.

    `prefers` does so too: among the answers that place most pods, one with the most pods that are aligned is chosen.

    `now` is the moment at which the plan is made, with its time zone; None leaves deadlines out. `scheduler` is how the
    scheduler is configured.
    """

    release: str = "1.37"
    feature_gates: str | None = None
    wants_optimum: bool = False
    prefers: Preference | None = None
    time_limit_seconds: float = 30.0
    now: datetime | None = None
    scheduler: SchedulerConfiguration = field(default_factory=SchedulerConfiguration)
