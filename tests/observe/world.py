"""Inputs in a few lines of YAML, read and completed as the command does it."""

from dractl.api.feature_use import gates_in_use
from dractl.api.objects import ObjectSet
from dractl.cluster.features import Features
from dractl.finding import Finding
from dractl.gates import Gates, resolve
from dractl.manifests import Locator, Source, survey
from dractl.observe.findings import observations
from dractl.workloads import expand

FILE = "world.yaml"


def read(text: str) -> ObjectSet:
    reading = survey([Source(FILE, text.encode())])
    assert not reading.faults, reading.faults
    return expand(reading.objects).objects


def gates(objects: ObjectSet, settings: str | None = None, release: str = "1.37") -> Gates:
    return resolve(release=release, settings=settings, used=gates_in_use(objects))


def findings(text: str, *, settings: str | None = None, release: str = "1.37", prefix: str = "") -> list[Finding]:
    objects = read(text)
    found = gates(objects, settings, release)
    every = observations(objects, found, Features.of(found.enabled))
    return [finding for finding in every if finding.rule.startswith(prefix)]


def lines(text: str, found: list[Finding]) -> list[tuple[str, int]]:
    """The rules with the lines that they point at."""
    locate = Locator([Source(FILE, text.encode())]).locate
    pairs = []
    for finding in found:
        position = locate(finding.place) if finding.place is not None else None
        pairs.append((finding.rule, position.line if position is not None else 0))
    return pairs
