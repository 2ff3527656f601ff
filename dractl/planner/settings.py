"""What the user asks of a plan."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Settings:
    """`feature_gates` is the text of the option; `wants_optimum` builds the model even if all pods are placed.

    `now` is the moment at which the plan is made, with its time zone; None leaves deadlines out.
    """

    release: str = "1.37"
    feature_gates: str | None = None
    wants_optimum: bool = False
    time_limit_seconds: float = 30.0
    now: datetime | None = None
