"""Written schedule cases about pod groups with DRAWorkloadResourceClaims or GenericWorkload off.

    python -m tests.oracle.generators.schedule_groups | oracle schedule > answered.jsonl

Left out on purpose: members of one gang that share an unallocated claim with DRAWorkloadResourceClaims off (the fake API
does not refuse the second write), pods of a group that does not exist (the real controller makes no claims for them), and
group members apart in the queue with GenericWorkload off (the oracle creates members together).
"""

import json
from collections.abc import Iterator
from typing import Any

Obj = dict[str, Any]

DRIVER = "gpu.forge.test"
GROUP = "crew"
CLAIMS_OFF = {"DRAWorkloadResourceClaims": False}
WORKLOAD_OFF = {"DRAWorkloadResourceClaims": False, "GenericWorkload": False}
CLASS = {"metadata": {"name": "gpu"}, "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]}}
GROUP_UID = f"uid-podgroup-default-{GROUP}"
GROUP_OWNER = {
    "apiVersion": "scheduling.k8s.io/v1beta1",
    "kind": "PodGroup",
    "name": GROUP,
    "uid": GROUP_UID,
    "controller": True,
}
FOR_GROUP = {"apiGroup": "scheduling.k8s.io", "resource": "podgroups", "name": GROUP, "uid": GROUP_UID}
BIRDS = ("lark", "wren", "finch", "heron")


def node(name: str, cpu: str = "4") -> Obj:
    return {
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "status": {"capacity": {"cpu": cpu, "memory": "16Gi", "pods": "110"}},
    }


def gpus(on: str, count: int) -> Obj:
    return {
        "metadata": {"name": f"{on}-gpu"},
        "spec": {
            "driver": DRIVER,
            "pool": {"name": on, "generation": 1, "resourceSliceCount": 1},
            "nodeName": on,
            "devices": [{"name": f"dev-{i}"} for i in range(count)],
        },
    }


def requests(count: int) -> Obj:
    exactly: Obj = {"deviceClassName": "gpu"}
    if count != 1:
        exactly["count"] = count
    return {"devices": {"requests": [{"name": "main", "exactly": exactly}]}}


def template(name: str, count: int = 1) -> Obj:
    return {"metadata": {"name": name, "namespace": "default"}, "spec": {"spec": requests(count)}}


def claim(name: str, count: int = 1, **metadata: Any) -> Obj:
    return {
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-claim-{name}", **metadata},
        "spec": requests(count),
    }


def held(what: Obj, on: str, device: str, consumer: Obj) -> Obj:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [on]}]}
    result = {"request": "main", "driver": DRIVER, "pool": on, "device": device}
    return {
        **what,
        "status": {
            "allocation": {"devices": {"results": [result]}, "nodeSelector": {"nodeSelectorTerms": [term]}},
            "reservedFor": [consumer],
        },
    }


def made(entry: str, source: str) -> Obj:
    return {"name": entry, "resourceClaimTemplateName": source}


def named(entry: str, source: str) -> Obj:
    return {"name": entry, "resourceClaimName": source}


def statuses(known: dict[str, str]) -> Obj:
    return {"resourceClaimStatuses": [{"name": entry, "resourceClaimName": name} for entry, name in known.items()]}


def pod(
    name: str,
    group: str | None,
    entry: Obj,
    *,
    cpu: str = "500m",
    known: dict[str, str] | None = None,
    on: str | None = None,
    priority: int | None = None,
) -> Obj:
    resources = {"requests": {"cpu": cpu, "memory": "1Gi"}, "claims": [{"name": entry["name"]}]}
    spec: Obj = {"containers": [{"name": "work", "image": "app:v1", "resources": resources}], "resourceClaims": [entry]}
    if group:
        spec["schedulingGroup"] = {"podGroupName": group}
    if on:
        spec["nodeName"] = on
    if priority is not None:
        spec["priority"] = priority
    made_pod: Obj = {"metadata": {"name": name, "namespace": "default"}, "spec": spec}
    return {**made_pod, "status": statuses(known)} if known else made_pod


def group(
    minimum: int | None,
    entries: tuple[Obj, ...] = (),
    *,
    name: str = GROUP,
    known: dict[str, str] | None = None,
    priority: int | None = None,
) -> Obj:
    spec: Obj = {"schedulingPolicy": {"basic": {}} if minimum is None else {"gang": {"minCount": minimum}}}
    if entries:
        spec["resourceClaims"] = list(entries)
    if priority is not None:
        spec["priority"] = priority
    made_group: Obj = {"metadata": {"name": name, "namespace": "default"}, "spec": spec}
    return {**made_group, "status": statuses(known)} if known else made_group


def members(count: int, entry: Obj, **more: Any) -> list[Obj]:
    return [pod(name, GROUP, entry, **more) for name in BIRDS[:count]]


def case(name: str, gates: dict[str, bool] | None, **given: Any) -> Obj:
    world: Obj = {"nodes": [node("amber"), node("birch")], "classes": [CLASS], **given}
    if gates:
        world["featureGates"] = gates
    return {"id": f"groups-{name}", "input": world}


def cases() -> Iterator[Obj]:
    own = made("dev", "tpl")
    one_each, two_each = [gpus("amber", 1), gpus("birch", 1)], [gpus("amber", 2), gpus("birch", 2)]
    templates = [template("tpl")]
    on, off, none = ("on", None), ("claims-off", CLAIMS_OFF), ("workload-off", WORKLOAD_OFF)

    for label, gates in (on, off, none):
        entries = () if gates else (own,)
        yield case(
            f"template-{label}",
            gates,
            slices=two_each,
            templates=templates,
            podGroups=[group(2, entries)],
            pods=members(2, own),
        )
        yield case(
            f"short-{label}",
            gates,
            slices=one_each,
            templates=templates,
            podGroups=[group(3, entries)],
            pods=members(3, own),
        )
    for label, gates in (off, none):
        yield case(
            f"basic-{label}", gates, slices=one_each, templates=templates, podGroups=[group(None)], pods=members(3, own)
        )
        yield case(
            f"short-of-cpu-{label}",
            gates,
            nodes=[node("amber", "1"), node("birch", "1")],
            slices=two_each,
            templates=templates,
            podGroups=[group(3)],
            pods=members(3, own, cpu="800m"),
        )
        yield case(
            f"too-few-members-{label}",
            gates,
            slices=two_each,
            templates=templates,
            podGroups=[group(3)],
            pods=members(2, own),
        )

    shared = named("dev", "shared")
    for label, gates in (on, none):
        yield case(
            f"named-{label}",
            gates,
            slices=two_each,
            claims=[claim("shared", 2)],
            podGroups=[group(2, () if gates else (shared,))],
            pods=members(2, shared),
        )
    generated = claim(
        "crew-dev", ownerReferences=[GROUP_OWNER], annotations={"resource.kubernetes.io/pod-claim-name": "dev"}
    )
    known = {"dev": "crew-dev"}
    for label, gates in (on, off):
        yield case(
            f"generated-stored-{label}",
            gates,
            slices=two_each,
            claims=[held(generated, "amber", "dev-0", FOR_GROUP)],
            templates=templates,
            podGroups=[group(2, (own,), known=known)],
            pods=members(2, own, known=known),
        )
        yield case(
            f"reserved-for-group-{label}",
            gates,
            slices=two_each,
            claims=[held(claim("shared"), "birch", "dev-1", FOR_GROUP)],
            podGroups=[group(1, (shared,))],
            pods=members(1, shared),
        )

    yield case(
        "no-group-workload-off",
        WORKLOAD_OFF,
        slices=two_each,
        templates=templates,
        pods=[pod("lark", GROUP, own), pod("wren", None, own)],
    )
    yield case(
        "beside-single-claims-off",
        CLAIMS_OFF,
        slices=one_each,
        templates=templates,
        podGroups=[group(2)],
        pods=[pod("lark", GROUP, own), pod("robin", None, own), pod("wren", GROUP, own)],
    )
    yield case(
        "two-gangs-claims-off",
        CLAIMS_OFF,
        slices=two_each,
        templates=templates,
        podGroups=[group(3), group(2, name="band")],
        pods=members(3, own) + [pod("heron", "band", own), pod("crane", "band", own)],
    )
    yield case(
        "min-one-claims-off",
        CLAIMS_OFF,
        slices=one_each,
        templates=templates,
        podGroups=[group(1)],
        pods=members(3, own),
    )
    yield case(
        "other-name-stored-claims-off",
        CLAIMS_OFF,
        slices=two_each,
        templates=templates,
        podGroups=[group(2, (made("pool", "tpl"),))],
        pods=members(2, own),
    )
    robin = {"resource": "pods", "name": "robin", "uid": "uid-pod-default-robin"}
    yield case(
        "taken-claims-off",
        CLAIMS_OFF,
        slices=two_each,
        claims=[held(claim("held"), "amber", "dev-1", robin)],
        templates=templates,
        podGroups=[group(4)],
        pods=[pod("robin", None, named("dev", "held"), on="amber"), *members(4, own)],
    )
    yield case(
        "priority-claims-off",
        CLAIMS_OFF,
        slices=one_each,
        templates=templates,
        podGroups=[group(2, priority=10)],
        pods=[pod("robin", None, own), *members(2, own, priority=10)],
    )
    yield case(
        "priority-mixed-claims-off",
        CLAIMS_OFF,
        slices=two_each,
        templates=templates,
        podGroups=[group(2, priority=10)],
        pods=[pod("lark", GROUP, own, priority=10), pod("wren", GROUP, own, priority=5)],
    )
    yield case(
        "two-devices-each-claims-off",
        CLAIMS_OFF,
        slices=[gpus("amber", 3), gpus("birch", 3)],
        templates=[template("pair", 2)],
        podGroups=[group(3)],
        pods=members(3, made("dev", "pair")),
    )


if __name__ == "__main__":
    for written in cases():
        print(json.dumps(written))
