"""Services: which pods they are for, and at which ports (answers in validate-core)."""

from collections.abc import Iterator, Sequence
from typing import Final

from dractl.api.core import Service, ServicePort
from dractl.validation.choices import one_of
from dractl.validation.formats import label, missing
from dractl.validation.metadata import label_flaws
from dractl.validation.ports import PROTOCOLS, in_range, port_name
from dractl.validation.rulebook import Rulebook
from dractl.validation.violation import Violation, ViolationType, below, echoes

_EXTERNAL: Final = "ExternalName"
_TYPES: Final = ("ClusterIP", "NodePort", "LoadBalancer", _EXTERNAL)
_AFFINITIES: Final = ("None", "ClientIP")
_HEADLESS: Final = "None"


def check_service(service: Service, _: Rulebook) -> Iterator[Violation]:
    """A Service; of its addresses none is looked at."""
    spec = service.spec
    yield from below(label_flaws(spec.selector), "spec", "selector")
    for field, word, words in (("type", spec.type, _TYPES), ("sessionAffinity", spec.sessionAffinity, _AFFINITIES)):
        if word:
            yield from below(one_of(word, words), "spec", field)
    ports = spec.ports or ()
    if not ports and spec.clusterIP != _HEADLESS and spec.type != _EXTERNAL:
        yield missing("a port", "write `ports: [{port: …}]`").below("spec", "ports")
    yield from below(_check_ports(ports), "spec", "ports")


def _check_ports(ports: Sequence[ServicePort]) -> Iterator[Violation]:
    """The ports: where there are several each has a name, and no two have one number for one protocol."""
    names: set[str] = set()
    numbers: set[tuple[str, int]] = set()
    for index, port in enumerate(ports):
        yield from below(_check_port(port, is_named=len(ports) > 1), index)
        if port.name and port.name in names:
            message = f'the Service has a port "{port.name}" already'
            yield Violation((index, "name"), ViolationType.DUPLICATE, message, "choose another name")
        names.add(port.name)
        number = (port.protocol or PROTOCOLS[0], port.port)
        if number in numbers:
            message = f"the Service has port {port.port} of {number[0]} already"
            yield Violation((index,), ViolationType.DUPLICATE, message, "choose another number")
        numbers.add(number)


def _check_port(port: ServicePort, *, is_named: bool) -> Iterator[Violation]:
    if port.name:
        yield from below(label(port.name), "name")
    elif is_named:
        yield missing("the port's name, which each of several needs", "write `name: …`").below("name")
    yield from below(in_range(port.port), "port")
    if port.protocol:
        yield from below(one_of(port.protocol, PROTOCOLS), "protocol")
    target = port.targetPort or port.port
    if isinstance(target, str):
        yield from below(port_name(target), "targetPort")
    else:
        flaws = below(in_range(target), "targetPort")
        yield from flaws if port.targetPort else echoes(flaws)
