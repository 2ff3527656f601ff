"""What all tests share."""

from hypothesis import settings

settings.register_profile("dractl", deadline=None)
settings.load_profile("dractl")
"""How long an example takes says nothing on a busy machine; `tests/bench` measures."""
