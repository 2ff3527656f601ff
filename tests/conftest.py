"""What all tests share."""

from hypothesis import settings

settings.register_profile("dractl", deadline=None, derandomize=True)
settings.load_profile("dractl")
"""How long an example takes says nothing on a busy machine (`tests/bench` measures), and a change should not fail for
an example that an earlier one never met: `--hypothesis-profile=default` looks for new ones."""
