"""What the user asks of a plan."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """`feature_gates` is the text of the option; `wants_optimum` builds the model even if all pods are placed."""

    release: str = "1.37"
    feature_gates: str | None = None
    wants_optimum: bool = False
    time_limit_seconds: float = 30.0
