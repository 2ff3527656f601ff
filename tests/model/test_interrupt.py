"""Ctrl-C while the solver is at work reaches Python at once."""

# FEATURE: C2

import subprocess
import sys
import time

PIGEONS = """
import os, signal, threading
from dractl.model.formula import Formula
from dractl.model.solving import Solving

formula = Formula()
holes = [[formula.new() for _ in range(14)] for _ in range(15)]
for pigeon in holes:
    formula.exactly_one(pigeon)
for hole in zip(*holes):
    for one, pigeon in enumerate(hole):
        for other in hole[:one]:
            formula.at_most_one([pigeon, other])
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored in the background
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    Solving(formula, time_limit_seconds=60, workers=1).first([pigeon[0] for pigeon in holes])
except KeyboardInterrupt:
    print("interrupted")
"""


def test_the_solver_stops_when_interrupted() -> None:
    """With the pigeonhole problem, which takes it far longer than a second."""
    start = time.monotonic()
    ran = subprocess.run([sys.executable, "-c", PIGEONS], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "interrupted\n", "")
    assert time.monotonic() - start < 40
