# FEATURE: D27
"""What each container gets (metadata.md §6)."""

from dractl.api.core import Pod
from dractl.api.identities import ClaimRef
from dractl.api.resource import ResourceClaim
from dractl.observe.containers import ContainerUse, container_devices
from tests.observe.world import findings, lines, read

CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec:
  devices:
    requests:
    - {name: gpu, firstAvailable: [{name: large, deviceClassName: g}]}
    - {name: nic, exactly: {deviceClassName: net}}
status:
  allocation:
    devices:
      results:
      - {request: gpu/large, driver: g.example.com, pool: p, device: g0}
      - {request: nic, driver: n.example.com, pool: p, device: n0}
---
"""


def pod(containers: str, more: str = "") -> str:
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: p, namespace: default}}
spec:
  resourceClaims: [{{name: d, resourceClaimName: c}}]
  containers:
{containers}{more}"""


def container(name: str, claims: str, more: str = "") -> str:
    return f"  - {{name: {name}, image: i, resources: {{claims: [{claims}]}}{more}}}\n"


def uses(text: str) -> dict[str, list[str]]:
    return {use.name: [each.device.device for each in use.devices] for use in containers(text)}


def containers(text: str) -> tuple[ContainerUse, ...]:
    objects = read(text)
    claims = {ClaimRef(each.ref.namespace, each.ref.name): each.object for each in objects.of(ResourceClaim)}
    return container_devices(objects.of(Pod)[0].object, claims)


def test_without_a_request_all_devices_with_one_those_of_the_request() -> None:
    text = CLAIM + pod(
        container("all", "{name: d}")
        + container("one", "{name: d, request: gpu}")
        + container("both", "{name: d, request: nic}, {name: d}")
        + container("none", "")
    )
    assert uses(text) == {"all": ["g0", "n0"], "one": ["g0"], "both": ["n0", "g0"], "none": []}


def test_init_containers_and_sidecars_too() -> None:
    inits = (
        "  initContainers:\n"
        + container("i", "{name: d, request: nic}")
        + container("s", "{name: d}", ", restartPolicy: Always")
    )
    found = containers(CLAIM + pod(container("c", ""), inits))
    assert [(use.name, str(use.kind)) for use in found] == [("i", "init"), ("s", "sidecar"), ("c", "app")]
    assert [len(use.devices) for use in found] == [1, 2, 0]


def test_devices_of_a_driver_that_is_not_called_are_not_injected() -> None:
    text = CLAIM.replace("device: n0", "device: n0, skipNodeOperations: ['*']") + pod(container("c", "{name: d}"))
    (use,) = containers(text)
    assert [each.is_prepared for each in use.devices] == [True, False]


def test_extended_resources_come_by_the_mappings_of_the_status() -> None:
    special = CLAIM.replace("name: c, namespace", "name: x, namespace")
    text = special + pod(
        "  - {name: a, image: i, resources: {requests: {example.com/gpu: 1}}}\n  - {name: b, image: i}\n",
        "status:\n  extendedResourceClaimStatus:\n    resourceClaimName: x\n    requestMappings:\n"
        "    - {containerName: a, resourceName: example.com/gpu, requestName: gpu}\n"
        "    - {containerName: b, resourceName: example.com/gpu, requestName: gpu}\n",
    ).replace("  resourceClaims: [{name: d, resourceClaimName: c}]\n", "")
    assert uses(text) == {"a": ["g0"], "b": []}


def test_a_claim_that_no_container_uses() -> None:
    text = CLAIM + pod(container("c", ""))
    found = findings(text, prefix="containers/")
    assert lines(text, found) == [("containers/unused-claim", 20)]
    assert found[0].subject == "Pod default/p"
    used = "  initContainers:\n" + container("i", "{name: d}")
    assert findings(CLAIM + pod(container("c", ""), used), prefix="containers/") == []


def test_a_request_that_the_claim_does_not_have() -> None:
    text = CLAIM + pod(container("c", "{name: d}, {name: d, request: npu}"))
    found = findings(text, prefix="containers/")
    assert lines(text, found) == [("containers/unknown-request", 22)]
    assert found[0].remedy == "the claim has gpu and nic; without `request` the container gets all devices"


def test_all_pods_of_a_template_are_told_once() -> None:
    template = pod(container("c", "")).split("spec:\n")[1].replace("\n", "\n      ")
    text = (
        CLAIM + "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: default}\n"
        "spec:\n  replicas: 3\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n"
        f"    spec:\n      {template}"
    )
    (finding,) = findings(text, prefix="containers/")
    assert finding.subject == "ReplicaSet default/r"
    (finding,) = findings(text.replace("kind: ReplicaSet", "kind: Deployment"), prefix="containers/")
    assert finding.subject == "Deployment default/r"
