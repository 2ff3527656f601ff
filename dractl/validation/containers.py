"""Containers of a pod: names, images, ports, restart policies (answers in validate-core)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from dractl.api.core import Container, ContainerPort, PodSpec
from dractl.errors import FieldPath
from dractl.validation.choices import one_of
from dractl.validation.container_resources import check_resources
from dractl.validation.environment import check_variable
from dractl.validation.formats import label, missing
from dractl.validation.lists import repeated
from dractl.validation.mounts import check_mounts, mountable
from dractl.validation.ports import PROTOCOLS, in_range, port_name
from dractl.validation.probes import check_probes, forbidden_probes
from dractl.validation.violation import Violation, ViolationType, below, invalid

_Port: TypeAlias = tuple[FieldPath, ContainerPort]
"""A port, and the path of its `hostPort` in the pod's spec."""
RESTART_POLICIES: Final = ("Always", "OnFailure", "Never")
_PULL_POLICIES: Final = ("Always", "IfNotPresent", "Never")
_MESSAGE_POLICIES: Final = ("File", "FallbackToLogsOnError")


def check_containers(spec: PodSpec) -> Iterator[Violation]:
    """All containers; paths begin at the pod's spec."""
    apps, inits = spec.containers or [], spec.initContainers or []
    if not apps:
        yield missing("a container", "a pod has at least one container").below("containers")
    names: set[str] = set()
    volumes = mountable(spec.volumes or ())
    for field, containers in (("containers", apps), ("initContainers", inits)):
        for index, container in enumerate(containers):
            yield from below(_check_container(container, names), field, index)
            yield from below(_check_running(container, volumes), field, index)
            ends = field == "initContainers" and container.restartPolicy != "Always"
            yield from below(forbidden_probes(container) if ends else check_probes(container), field, index)
            names.add(container.name)
    if any(container.ports for container in (*apps, *inits)):
        yield from _check_host_ports([port for place in enumerate(apps) for port in _ports("containers", *place)])
        for place in enumerate(inits):
            yield from _check_host_ports(_ports("initContainers", *place))
    if spec.hostNetwork:
        for place in enumerate(apps):
            yield from _check_host_network(_ports("containers", *place))


def _check_container(container: Container, names: set[str]) -> Iterator[Violation]:
    if not container.name:
        yield missing("the container's name", "write `name: …`").below("name")
    else:
        yield from below(label(container.name), "name")
        if container.name in names:
            message = f'the pod has a container "{container.name}" already'
            yield Violation(("name",), ViolationType.DUPLICATE, message, "choose another name")
    if not container.image:
        yield missing("the container's image", "write `image: …`").below("image")
    yield from below(_check_ports(container.ports or ()), "ports")
    if container.restartPolicy is not None:
        yield from below(one_of(container.restartPolicy, RESTART_POLICIES), "restartPolicy")
    yield from below(check_resources(container.resources), "resources")


def _check_running(container: Container, volumes: Mapping[str, bool]) -> Iterator[Violation]:
    """What it is given while it runs, and the words for what happens before and after."""
    for field, word, words in (
        ("imagePullPolicy", container.imagePullPolicy, _PULL_POLICIES),
        ("terminationMessagePolicy", container.terminationMessagePolicy, _MESSAGE_POLICIES),
    ):
        if word:
            yield from below(one_of(word, words), field)
    for index, variable in enumerate(container.env or ()):
        yield from below(check_variable(variable), "env", index)
    yield from below(check_mounts(container.volumeMounts or (), volumes), "volumeMounts")


def check_images(spec: PodSpec) -> Iterator[Violation]:
    """Spaces around images, which templates may have; paths begin at the pod's spec."""
    for field, containers in (("containers", spec.containers), ("initContainers", spec.initContainers)):
        for index, container in enumerate(containers or ()):
            if container.image != container.image.strip():
                message = f'"{container.image}" begins or ends with a space'
                yield invalid(message, "take the space out", field, index, "image")


# --- ports -----------------------------------------------------------------------------------------------------------


def _check_ports(ports: Sequence[ContainerPort]) -> Iterator[Violation]:
    """The ports of one container. A name that cannot be is not compared with others."""
    for index, port in enumerate(ports):
        yield from below(_check_port(port), index)
    sound = [port.name if not any(port_name(port.name)) else "" for port in ports]
    for flaw in repeated(sound, "name"):
        if sound[int(flaw.path[0])]:
            yield replace(flaw, path=(*flaw.path, "name"))


def _check_port(port: ContainerPort) -> Iterator[Violation]:
    if port.containerPort == 0:
        yield missing("the port's number", "write `containerPort: …`").below("containerPort")
    else:
        yield from below(in_range(port.containerPort), "containerPort")
    if port.hostPort:
        yield from below(in_range(port.hostPort), "hostPort")
    if port.name:
        yield from below(port_name(port.name), "name")
    yield from below(one_of(port.protocol, PROTOCOLS), "protocol")


def _ports(field: str, index: int, container: Container) -> Iterator[_Port]:
    for number, port in enumerate(container.ports or ()):
        yield (field, index, "ports", number, "hostPort"), port


def _check_host_ports(ports: Iterable[_Port]) -> Iterator[Violation]:
    """No two of these take one port of the node."""
    taken: set[tuple[int, str, str]] = set()
    for path, port in ports:
        key = (port.hostPort, port.hostIP, port.protocol)
        if port.hostPort and key in taken:
            message = f"the pod takes port {port.hostPort} of its node already"
            yield Violation(path, ViolationType.DUPLICATE, message, "choose another port")
        taken.add(key)


def _check_host_network(ports: Iterable[_Port]) -> Iterator[Violation]:
    for path, port in ports:
        if port.hostPort and port.hostPort != port.containerPort:
            message = f"in the node's network port {port.containerPort} cannot be {port.hostPort}"
            yield invalid(message, "write the same number twice", *path)
