"""Probes of containers: what is asked, and how often (answers in validate-core)."""

from collections.abc import Iterator
from typing import Final

from dractl.api.core import Container
from dractl.api.processes import HTTPGetAction, Probe
from dractl.validation.choices import one_of
from dractl.validation.formats import missing
from dractl.validation.ports import in_range, port_name
from dractl.validation.violation import Violation, ViolationType, below, invalid

PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "grpc")
_SCHEMES: Final = ("HTTP", "HTTPS")
_NUMBERS: Final = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")


def check_probes(container: Container) -> Iterator[Violation]:
    """The probes of a container that stays; paths begin at the container."""
    for field in PROBES:
        probe: Probe | None = getattr(container, field)
        if probe is not None:
            yield from below(_check_probe(probe, field), field)


def forbidden_probes(container: Container) -> Iterator[Violation]:
    """The probes of an init container that ends before the pod's others begin: there may be none."""
    for field in PROBES:
        if getattr(container, field) is not None:
            message = "nothing probes an init container that ends"
            remedy = "take it out, or write `restartPolicy: Always`"
            yield Violation((field,), ViolationType.FORBIDDEN, message, remedy)


def _check_probe(probe: Probe, field: str) -> Iterator[Violation]:
    yield from _check_handler(probe)
    for number in _NUMBERS:
        if getattr(probe, number) < 0:
            yield invalid(f"{getattr(probe, number)} is less than 0", "write 1 or more", number)
    grace = probe.terminationGracePeriodSeconds
    if grace is not None and grace <= 0:
        yield invalid(f"{grace} is not more than 0", "write 1 or more", "terminationGracePeriodSeconds")
    if field == "readinessProbe":
        if grace is not None:
            message = "a readiness probe ends nothing"
            yield invalid(message, "take it out", "terminationGracePeriodSeconds")
    elif probe.successThreshold not in (0, 1):
        message = f"{probe.successThreshold} successes are not waited for: only readiness probes do"
        yield invalid(message, "write 1, or take it out", "successThreshold")


def _check_handler(probe: Probe) -> Iterator[Violation]:
    """One of the handlers; what stands in those behind the first is not looked at."""
    present = [handler for handler in _HANDLERS if getattr(probe, handler) is not None]
    if not present:
        message = "what the probe asks"
        remedy = f"write one of {', '.join(f'`{handler}`' for handler in _HANDLERS)}"
        yield missing(message, remedy)
        return
    for handler in present[1:]:
        message = f"the probe has `{present[0]}` already"
        yield Violation((handler,), ViolationType.FORBIDDEN, message, "keep one of them")
    if probe.exec is not None:
        if not probe.exec.command:
            yield missing("the command", "write `command: […]`").below("exec", "command")
    elif probe.httpGet is not None:
        yield from below(_check_http(probe.httpGet), "httpGet")
    elif probe.tcpSocket is not None:
        yield from below(_check_port(probe.tcpSocket.port), "tcpSocket", "port")
    elif probe.grpc is not None:
        yield from below(in_range(probe.grpc.port), "grpc", "port")


def _check_http(action: HTTPGetAction) -> Iterator[Violation]:
    yield from below(_check_port(action.port), "port")
    if action.scheme:
        yield from below(one_of(action.scheme, _SCHEMES), "scheme")


def _check_port(port: int | str) -> Iterator[Violation]:
    yield from in_range(port) if isinstance(port, int) else port_name(port)
