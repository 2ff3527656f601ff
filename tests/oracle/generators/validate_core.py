"""Questions of kind "validate" about whole objects of the core kinds: pods, workloads, nodes, quotas, roles.

Each is a sound object in which one to three of the fields that dractl reads are spoilt.

Usage: python -m tests.oracle.generators.validate_core [--seed N] [--count M] > cases.jsonl
"""

import argparse
import copy
import json
import random
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
GONE: Final = ...
"""In place of a value: take the field out."""

SELECTOR: Final = {"matchLabels": {"app": "a"}}
POD_SPEC: Final[dict[str, Any]] = {
    "containers": [
        {
            "name": "main",
            "image": "registry.example.com/main:1",
            "ports": [{"containerPort": 80}],
            "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}},
        },
        {"name": "side", "image": "registry.example.com/side:1"},
    ],
    "initContainers": [{"name": "init", "image": "registry.example.com/init:1"}],
    "affinity": {
        "nodeAffinity": {
            REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]},
            PREFERRED: [{"weight": 5, "preference": {"matchExpressions": [{"key": "fast", "operator": "Exists"}]}}],
        },
        "podAntiAffinity": {REQUIRED: [{"topologyKey": "zone", "labelSelector": SELECTOR}]},
    },
    "tolerations": [{"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoExecute"}],
    "topologySpreadConstraints": [
        {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": SELECTOR}
    ],
}
TEMPLATE: Final = {"metadata": {"labels": {"app": "a"}}, "spec": POD_SPEC}
JOB_SPEC: Final = {"template": {**TEMPLATE, "spec": {**POD_SPEC, "restartPolicy": "Never"}}}


def _object(version: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "sound"}, **fields}


RBAC: Final = "rbac.authorization.k8s.io"
RULE: Final = {"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}
BINDING: Final = {
    "subjects": [{"kind": "ServiceAccount", "name": "s", "namespace": "n"}],
    "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": "r"},
}
GANG: Final = {"gang": {"minCount": 2}}
SOUND: Final[dict[str, dict[str, Any]]] = {
    "Pod": {**_object("v1", "Pod", spec=POD_SPEC), "metadata": {"name": "sound", "labels": {"app": "a"}}},
    "Deployment": _object("apps/v1", "Deployment", spec={"selector": SELECTOR, "template": TEMPLATE}),
    "ReplicaSet": _object("apps/v1", "ReplicaSet", spec={"selector": SELECTOR, "template": TEMPLATE}),
    "StatefulSet": _object("apps/v1", "StatefulSet", spec={"selector": SELECTOR, "template": TEMPLATE}),
    "DaemonSet": _object("apps/v1", "DaemonSet", spec={"selector": SELECTOR, "template": TEMPLATE}),
    "ReplicationController": _object(
        "v1", "ReplicationController", spec={"selector": {"app": "a"}, "template": TEMPLATE}
    ),
    "Job": _object("batch/v1", "Job", spec=JOB_SPEC),
    "CronJob": _object("batch/v1", "CronJob", spec={"schedule": "0 3 * * *", "jobTemplate": {"spec": JOB_SPEC}}),
    "Node": _object("v1", "Node", spec={"taints": [{"key": "gpu", "effect": "NoSchedule"}]}, status={}),
    "Namespace": _object("v1", "Namespace"),
    "Service": _object("v1", "Service", spec={"selector": {"app": "a"}, "ports": [{"port": 80, "name": "http"}]}),
    "RuntimeClass": _object("node.k8s.io/v1", "RuntimeClass", handler="kata"),
    "PriorityClass": _object("scheduling.k8s.io/v1", "PriorityClass", value=5),
    "ResourceQuota": _object("v1", "ResourceQuota", spec={"hard": {"pods": "1"}}),
    "LimitRange": _object(
        "v1",
        "LimitRange",
        spec={
            "limits": [
                {
                    "type": "Container",
                    "max": {"cpu": "4"},
                    "min": {"cpu": "1"},
                    "default": {"cpu": "3"},
                    "defaultRequest": {"cpu": "2"},
                }
            ]
        },
    ),
    "Role": _object(f"{RBAC}/v1", "Role", rules=[RULE]),
    "ClusterRole": _object(f"{RBAC}/v1", "ClusterRole", rules=[RULE]),
    "RoleBinding": _object(f"{RBAC}/v1", "RoleBinding", **BINDING),
    "ClusterRoleBinding": _object(f"{RBAC}/v1", "ClusterRoleBinding", **BINDING),
    "PodGroup": _object("scheduling.k8s.io/v1beta1", "PodGroup", spec={"schedulingPolicy": GANG}),
    "Workload": _object(
        "scheduling.k8s.io/v1beta1", "Workload", spec={"podGroupTemplates": [{"name": "t", "schedulingPolicy": GANG}]}
    ),
}

# --- values ----------------------------------------------------------------------------------------------------------

LABEL_NAMES: Final = ["A", "a.b", "a" * 64, "-a", "a-", "a b", "fine-1"]
DOMAIN_NAMES: Final = ["A", "a.b", "a" * 254, "a..b", ".a", "a b", "fine.example.com"]
LABELS: Final = [{"a b": "x"}, {"app": "x y"}, {"app": "a", "": "x"}, {"a.b/c": "x"}, {"A.b/c": "x"}, {"app": "a" * 64}]
SELECTORS: Final = [
    {},
    SELECTOR,
    {"matchLabels": {"app": "b"}},
    {"matchLabels": {"a b": "c d"}},
    {"matchExpressions": [{"key": "app", "operator": "Exists"}]},
    {"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]},
    {
        "matchExpressions": [
            {"key": "app", "operator": "In"},
            {"key": "x y", "operator": "NotIn", "values": ["a", "b c"]},
        ]
    },
    {"matchExpressions": [{"key": "app", "operator": "Exists", "values": ["a"]}, {"key": "app", "operator": "Is"}]},
    {"matchLabels": {"app": "a"}, "matchExpressions": [{"key": "app", "operator": "In", "values": ["a", "b"]}]},
]
RESOURCES: Final = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "hugepages-2Mi",
    "hugepages-3Mi",
    "hugepages-x",
    "example.com/gpu",
    "kubernetes.io/batch",
    "requests.example.com/x",
    "foo",
    "storage",
    "pods",
    "requests.cpu",
    "count/pods",
    "a b/c",
    "",
]
AMOUNTS: Final = ["0", "1", "2", "3", "4", "500m", "1500m", "-1", "2Mi", "4Mi", "3Mi", "1Gi", "2Gi", "0.5"]
PORTS: Final = [-1, 0, 1, 80, 81, 65535, 65536]
NUMBERS: Final = [-1, 0, 1, 3]
SHARES: Final = [-1, 0, 1, "0%", "25%", "100%", "101%", "-1%", "1", "x", "07%"]


def _amounts(dice: random.Random) -> dict[str, str]:
    return {dice.choice(RESOURCES[: dice.choice([4, 16])]): dice.choice(AMOUNTS) for _ in range(dice.randint(1, 3))}


def _resources(dice: random.Random) -> dict[str, Any]:
    return {field: _amounts(dice) for field in dice.sample(["requests", "limits"], dice.randint(1, 2))}


def _port(dice: random.Random) -> dict[str, Any]:
    port: dict[str, Any] = {"containerPort": dice.choice(PORTS)}
    if dice.random() < 0.7:
        port["hostPort"] = dice.choice(PORTS)
    if dice.random() < 0.3:
        port["protocol"] = dice.choice(["TCP", "UDP", "SCTP", "X", ""])
    if dice.random() < 0.4:
        port["name"] = dice.choice(["a", "a", "A", "80", "a--b", "-a", "a" * 16, ""])
    if dice.random() < 0.2:
        port["hostIP"] = dice.choice(["10.0.0.1", "10.0.0.2"])
    return port


def _requirement(dice: random.Random) -> dict[str, Any]:
    values = [["a"], ["1"], ["x y"], ["a", "b"], [], None]
    return {
        "key": dice.choice(["zone", "a b", "", "x.y/z"]),
        "operator": dice.choice(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Is", ""]),
        "values": dice.choice(values),
    }


def _field_requirement(dice: random.Random) -> dict[str, Any]:
    return {
        "key": dice.choice(["metadata.name", "metadata.name", "spec.x"]),
        "operator": dice.choice(["In", "NotIn", "Exists"]),
        "values": dice.choice([["a"], ["A"], ["a", "b"], []]),
    }


def _term(dice: random.Random) -> dict[str, Any]:
    if dice.random() < 0.2:
        return {"matchFields": [_field_requirement(dice)]}
    return {"matchExpressions": [_requirement(dice) for _ in range(dice.randint(0, 2))]}


def _pod_term(dice: random.Random) -> dict[str, Any]:
    term: dict[str, Any] = {"topologyKey": dice.choice(["zone", "zone", "", "a b"])}
    fields: dict[str, list[Any]] = {
        "labelSelector": SELECTORS,
        "namespaceSelector": SELECTORS,
        "namespaces": [["a"], ["A"], ["a", ""]],
        "matchLabelKeys": [["app"], ["version"], ["app", "app"], ["a b"]],
        "mismatchLabelKeys": [["app"], ["version"], ["a b"]],
    }
    for field, choices in fields.items():
        if dice.random() < 0.4:
            term[field] = copy.deepcopy(dice.choice(choices))
    return term


def _spread(dice: random.Random) -> dict[str, Any]:
    spread: dict[str, Any] = {
        "maxSkew": dice.choice([-1, 0, 1, 2]),
        "topologyKey": dice.choice(["zone", "zone", "rack", "", "a b"]),
        "whenUnsatisfiable": dice.choice(["DoNotSchedule", "ScheduleAnyway", "X", ""]),
    }
    fields: dict[str, list[Any]] = {
        "labelSelector": SELECTORS,
        "minDomains": NUMBERS,
        "nodeAffinityPolicy": ["Honor", "Ignore", "X", ""],
        "nodeTaintsPolicy": ["Honor", "Ignore", "X"],
        "matchLabelKeys": [["app"], ["version", "version"], ["a b"]],
    }
    for field, choices in fields.items():
        if dice.random() < 0.4:
            spread[field] = copy.deepcopy(dice.choice(choices))
    return spread


def _toleration(dice: random.Random) -> dict[str, Any]:
    toleration: dict[str, Any] = {}
    fields: dict[str, list[Any]] = {
        "key": ["gpu", "a b", "", "x.y/z"],
        "operator": ["Exists", "Equal", "", "Gt", "Lt", "X"],
        "value": ["yes", "x y", "", "5"],
        "effect": ["NoSchedule", "NoExecute", "PreferNoSchedule", "", "None"],
        "tolerationSeconds": [-5, 0, 300],
    }
    for field, choices in fields.items():
        if dice.random() < 0.6:
            toleration[field] = dice.choice(choices)
    return toleration


def _taint(dice: random.Random) -> dict[str, Any]:
    return {
        "key": dice.choice(["gpu", "gpu", "a b", "", "x.y/z"]),
        "value": dice.choice(["", "yes", "x y"]),
        "effect": dice.choice(["NoSchedule", "NoSchedule", "PreferNoSchedule", "NoExecute", "None", ""]),
    }


def _several(make: Any, most: int = 3) -> Any:
    return lambda dice: [make(dice) for _ in range(dice.randint(0, most))]


def _one_of(*values: Any) -> Any:
    return lambda dice: copy.deepcopy(dice.choice(values))


Spoilers = Mapping[str, Any]


def _variable(dice: random.Random) -> dict[str, Any]:
    sources: dict[str, list[Any]] = {
        "fieldRef": [
            {"fieldPath": path}
            for path in (
                *("metadata.name", "spec.nodeName", "spec.nodename", "status.podIPs", "status.phase", "spec.host", ""),
                *(
                    "metadata.labels['app']",
                    "metadata.labels['a b']",
                    "metadata.annotations['A.b/c']",
                    "metadata.labels",
                ),
            )
        ]
        + [{"fieldPath": "metadata.uid", "apiVersion": "v2"}],
        "resourceFieldRef": [
            {"resource": name} for name in ("limits.cpu", "limits.cpus", "requests.hugepages-2Mi", "")
        ],
        "configMapKeyRef": [{"name": "a", "key": key} for key in ("k", "", "a b", "..", "A_b.c")] + [{"key": "k"}],
        "secretKeyRef": [{"name": "A", "key": "k"}, {"name": "a", "key": ".a"}],
    }
    variable: dict[str, Any] = {"name": dice.choice(["A", "A", "", "a=b", "a b", "1"])}
    if dice.random() < 0.3:
        variable["value"] = dice.choice(["", "x"])
    if dice.random() < 0.7:
        picked = dice.sample(list(sources), dice.choice([0, 1, 1, 1, 2]))
        variable["valueFrom"] = {source: copy.deepcopy(dice.choice(sources[source])) for source in picked}
    return variable


def _mount(dice: random.Random) -> dict[str, Any]:
    return {"name": dice.choice(["data", "data", "date", ""]), "mountPath": dice.choice(["/a", "/b", ""])}


def _volume(dice: random.Random) -> dict[str, Any]:
    sources: dict[str, list[Any]] = {
        "emptyDir": [{}],
        "configMap": [{"name": "a"}, {}],
        "secret": [{"secretName": "a"}, {}],
        "hostPath": [{"path": "/a"}, {}, {"path": "/a", "type": "File"}, {"path": "/a", "type": "X"}, {"path": "a/.."}],
        "persistentVolumeClaim": [{"claimName": "a"}, {}],
    }
    picked = dice.sample(list(sources), dice.choice([0, 1, 1, 1, 2]))
    chosen = {source: copy.deepcopy(dice.choice(sources[source])) for source in picked}
    return {"name": dice.choice(["data", "data", "date", "", "A"]), **chosen}


def _probe(dice: random.Random) -> dict[str, Any]:
    handlers: dict[str, list[Any]] = {
        "exec": [{"command": ["a"]}, {}],
        "httpGet": [{"port": port} for port in (0, 80, 70_000, "http", "80", "A")] + [{"port": 80, "scheme": "http"}],
        "tcpSocket": [{"port": 80}, {"port": "a--b"}, {}],
        "grpc": [{"port": 80}, {"port": 0}],
    }
    picked = dice.sample(list(handlers), dice.choice([0, 1, 1, 1, 1, 2]))
    probe = {handler: copy.deepcopy(dice.choice(handlers[handler])) for handler in picked}
    numbers = ("periodSeconds", "timeoutSeconds", "initialDelaySeconds", "successThreshold", "failureThreshold")
    for field in dice.sample([*numbers, "terminationGracePeriodSeconds"], dice.choice([0, 1, 2])):
        probe[field] = dice.choice(NUMBERS)
    return probe


def _service_port(dice: random.Random) -> dict[str, Any]:
    port: dict[str, Any] = {"port": dice.choice(PORTS)}
    fields: dict[str, list[Any]] = {
        "name": ["a", "a", "b", "A", ""],
        "protocol": ["TCP", "UDP", "sctp", ""],
        "targetPort": [0, 80, 70_000, "http", "A"],
    }
    for field, choices in fields.items():
        if dice.random() < 0.6:
            port[field] = dice.choice(choices)
    return port


OF_CONTAINERS: Final[Spoilers] = {
    "env": _several(_variable, 2),
    "volumeMounts": _several(_mount),
    "imagePullPolicy": _one_of("Always", "always", ""),
    "terminationMessagePolicy": _one_of("File", "X", ""),
    **dict.fromkeys(("livenessProbe", "readinessProbe", "startupProbe"), _probe),
    "name": _one_of(*LABEL_NAMES, "main", "side", "init"),
    "image": _one_of("", " i", "i ", "i", GONE),
    "ports": _several(_port),
    "resources": _resources,
    "restartPolicy": _one_of("Always", "OnFailure", "Never", "X", ""),
}
OF_POD_SPECS: Final[Spoilers] = {
    "containers": _one_of([], GONE),
    "containers|1|name": _one_of(""),
    **{
        f"{where}|{field}": spoil
        for where in ("containers|0", "containers|1", "initContainers|0")
        for field, spoil in OF_CONTAINERS.items()
    },
    "restartPolicy": _one_of("Always", "OnFailure", "Never", "X", "", GONE),
    "hostNetwork": _one_of(True),
    "nodeSelector": _one_of(*LABELS),
    "nodeName": _one_of(*DOMAIN_NAMES),
    "hostname": _one_of(*LABEL_NAMES),
    "subdomain": _one_of(*LABEL_NAMES),
    "dnsPolicy": _one_of("Default", "default", "None", ""),
    "volumes": _several(_volume),
    "priorityClassName": _one_of(*DOMAIN_NAMES),
    "runtimeClassName": _one_of("", *DOMAIN_NAMES),
    "preemptionPolicy": _one_of("", "Never", "PreemptLowerPriority", "X"),
    "overhead": _amounts,
    "resources": _resources,
    "schedulingGates": _one_of([{"name": "a"}], [{"name": "a"}, {"name": "a"}], [{"name": ""}], [{"name": "a b"}]),
    f"affinity|nodeAffinity|{REQUIRED}|nodeSelectorTerms": _several(_term),
    f"affinity|nodeAffinity|{PREFERRED}|0|preference": _term,
    f"affinity|nodeAffinity|{PREFERRED}|0|weight": _one_of(-1, 0, 1, 100, 101),
    f"affinity|podAntiAffinity|{REQUIRED}": _several(_pod_term),
    f"affinity|podAffinity|{PREFERRED}": lambda dice: [
        {"weight": dice.choice([0, 1, 100, 101]), "podAffinityTerm": _pod_term(dice)}
    ],
    "tolerations": _several(_toleration),
    "topologySpreadConstraints": _several(_spread),
    "resourceClaims": _one_of(
        [{"name": "gpu", "resourceClaimName": "a"}, {"name": "gpu", "resourceClaimName": "b"}], [{"name": "A"}]
    ),
}
OF_TEMPLATES: Final[Spoilers] = {
    **{f"spec|{field}": spoil for field, spoil in OF_POD_SPECS.items()},
    "metadata|labels": _one_of(*LABELS, GONE),
    "metadata|annotations": _one_of({"a b": "x"}, {"A.b/c": "x"}),
}
OF_JOBS: Final[Spoilers] = {
    **{f"template|{field}": spoil for field, spoil in OF_TEMPLATES.items()},
    "parallelism": _one_of(*NUMBERS, 100_001),
    "completions": _one_of(*NUMBERS, 200),
    "backoffLimit": _one_of(*NUMBERS),
    "backoffLimitPerIndex": _one_of(*NUMBERS),
    "completionMode": _one_of("Indexed", "NonIndexed", "X", ""),
    "managedBy": _one_of("", "x", "a.b/c", "/x", "a b/c"),
    "podReplacementPolicy": _one_of("Failed", "X", "TerminatingOrFailed"),
}
SCHEDULES: Final = (
    "", "x", "@daily", "@every 5m", "@never", "* * * *", "* * * * * *", "TZ=UTC * * * * *", "61 * * * *", "*/5 1-3 * JAN MON",
    "0 24 * * *", "0 3 0 * *", "0 3 * 13 *", "0 3 * * 7", "5-1 * * * *", "*/0 * * * *", "1/2/3 * * * *", "1,2,30-40/2 * * * sun-fri",
    "a * * * *", "? ? ? ? ?", "1- * * * *", "-1 * * * *", "0 3 * foo *",
)  # fmt: skip
OF_ROLES: Final[Spoilers] = {
    "rules|0": _one_of({}, {"verbs": ["get"], "nonResourceURLs": ["/x"]}, {**RULE, "nonResourceURLs": ["/x"]}),
    "rules|0|verbs": _one_of([], GONE),
    "rules|0|apiGroups": _one_of([], GONE),
    "rules|0|resources": _one_of([], GONE),
}
OF_BINDINGS: Final[Spoilers] = {
    "roleRef|apiGroup": _one_of("", "x"),
    "roleRef|kind": _one_of("Role", "X", ""),
    "roleRef|name": _one_of("", "a/b", "system:x", ".."),
    "subjects|0|kind": _one_of("User", "Group", "X", ""),
    "subjects|0|name": _one_of("", "A b", "system:x"),
    "subjects|0|namespace": _one_of("", GONE),
    "subjects|0|apiGroup": _one_of(RBAC, "x"),
}
OF_GROUPS: Final[Spoilers] = {
    "schedulingPolicy": _one_of({}, {"basic": {}}, {"basic": {}, "gang": {"minCount": 0}}, {"gang": {}}),
    "schedulingPolicy|gang|minCount": _one_of(*NUMBERS),
    "priorityClassName": _one_of("", *DOMAIN_NAMES),
    "priority": _one_of(5, -5, 1_000_000_001),
    "resourceClaims": _one_of([{"name": "gpu"}], [{"name": "gpu", "resourceClaimName": "a"}] * 2),
}
OF_LIMITS: Final[Spoilers] = {
    "type": _one_of("Pod", "PersistentVolumeClaim", "X", "", "x.y/z"),
    **dict.fromkeys(("max", "min", "default", "defaultRequest", "maxLimitRequestRatio"), _amounts),
    "max|cpu": _one_of(*AMOUNTS),
    "min|cpu": _one_of(*AMOUNTS),
}


def _below(path: str, spoilers: Spoilers) -> Spoilers:
    return {f"{path}|{field}": spoil for field, spoil in spoilers.items()}


OF_CLAIMS: Final = [
    {
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
]
OF_REPLICAS: Final[Spoilers] = {
    **_below("spec|template", OF_TEMPLATES),
    "spec|replicas": _one_of(*NUMBERS),
    "spec|selector": _one_of(*SELECTORS, GONE),
    "metadata|name": _one_of(*DOMAIN_NAMES),
}
SPOILERS: Final[Mapping[str, Spoilers]] = {
    "Pod": {
        **_below("spec", OF_POD_SPECS),
        "metadata|labels": _one_of(*LABELS, GONE),
        "spec|schedulingGroup": _one_of({}, {"podGroupName": ""}, {"podGroupName": "A"}, {"podGroupName": "a.b"}),
    },
    "Deployment": {
        **OF_REPLICAS,
        "spec|strategy": _one_of({"type": "X"}, {"type": "Recreate"}, {"type": "Recreate", "rollingUpdate": {}}),
        "spec|strategy|rollingUpdate|maxSurge": _one_of(*SHARES),
        "spec|strategy|rollingUpdate|maxUnavailable": _one_of(*SHARES),
    },
    "ReplicaSet": OF_REPLICAS,
    "StatefulSet": {
        **OF_REPLICAS,
        "spec|podManagementPolicy": _one_of("Parallel", "X", ""),
        "spec|ordinals": _one_of({"start": -1}, {"start": 3}),
        "spec|minReadySeconds": _one_of(*NUMBERS),
        "spec|volumeClaimTemplates": _one_of(OF_CLAIMS),
        "spec|updateStrategy": _one_of({"type": "Rolling"}, {"type": ""}, {"type": "OnDelete"}),
        "spec|updateStrategy|rollingUpdate|partition": _one_of(*NUMBERS),
        "spec|updateStrategy|rollingUpdate|maxUnavailable": _one_of(*SHARES),
    },
    "DaemonSet": {
        **{field: spoil for field, spoil in OF_REPLICAS.items() if field != "spec|replicas"},
        "spec|minReadySeconds": _one_of(*NUMBERS),
        "spec|updateStrategy": _one_of({"type": "Rolling"}, {"type": ""}, {"type": "OnDelete"}),
        "spec|updateStrategy|rollingUpdate|maxSurge": _one_of(*SHARES),
        "spec|updateStrategy|rollingUpdate|maxUnavailable": _one_of(*SHARES),
    },
    "ReplicationController": {**OF_REPLICAS, "spec|selector": _one_of({"app": "b"}, {"a b": "c"}, {}, GONE)},
    "Job": {**_below("spec", OF_JOBS), "metadata|name": _one_of(*DOMAIN_NAMES, "a" * 62, "a" * 64)},
    "CronJob": {
        **_below("spec|jobTemplate|spec", OF_JOBS),
        "spec|schedule": _one_of(*SCHEDULES),
        "spec|timeZone": _one_of("", "Local", "Europe/Berlin"),
        "spec|concurrencyPolicy": _one_of("Forbid", "Forbit", ""),
        "spec|startingDeadlineSeconds": _one_of(*NUMBERS),
        "spec|successfulJobsHistoryLimit": _one_of(*NUMBERS),
        "spec|failedJobsHistoryLimit": _one_of(*NUMBERS),
        "metadata|name": _one_of(*DOMAIN_NAMES, "a" * 52, "a" * 53),
    },
    "Node": {
        "spec|taints": _several(_taint, 4),
        "status|capacity": _amounts,
        "status|allocatable": _amounts,
        "metadata|name": _one_of(*DOMAIN_NAMES),
        "metadata|labels": _one_of(*LABELS),
    },
    "Namespace": {"metadata|name": _one_of(*LABEL_NAMES)},
    "Service": {
        "spec|ports": _several(_service_port),
        "spec|ports|0": _service_port,
        "spec|type": _one_of("NodePort", "LoadBalancer", "Nodeport", ""),
        "spec|sessionAffinity": _one_of("None", "ClientIP", "X", ""),
        "spec|selector": _one_of(*LABELS),
        "metadata|name": _one_of(*LABEL_NAMES),
    },
    "RuntimeClass": {
        "handler": _one_of(*LABEL_NAMES, "runc_rt", "", GONE),
        "overhead|podFixed": _amounts,
        "scheduling|nodeSelector": _one_of(*LABELS),
        "scheduling|tolerations": _several(_toleration, 4),
    },
    "PriorityClass": {
        "value": _one_of(-5, 1_000_000_000, 1_000_000_001, 2_000_000_000, 2_000_001_000),
        "metadata|name": _one_of("system-x", "system-node-critical", "system-cluster-critical", *DOMAIN_NAMES),
        "preemptionPolicy": _one_of("", "Never", "X"),
    },
    "ResourceQuota": {
        "spec|hard": _amounts,
        "spec|hard|gpu.deviceclass.resource.k8s.io/devices": _one_of(*AMOUNTS),
        "spec|scopes": _one_of(
            ["X"], ["BestEffort"], ["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]
        ),
    },
    "LimitRange": {
        **_below("spec|limits|0", OF_LIMITS),
        "spec|limits|1": _one_of({"type": "Container", "max": {"memory": "1"}}, {"type": "Pod", "max": {"cpu": "1"}}),
    },
    "Role": {**OF_ROLES, "metadata|name": _one_of("system:a", "a/b", "A b")},
    "ClusterRole": {
        **OF_ROLES,
        "aggregationRule": _one_of({}, *({"clusterRoleSelectors": [selector]} for selector in SELECTORS)),
    },
    "RoleBinding": OF_BINDINGS,
    "ClusterRoleBinding": OF_BINDINGS,
    "PodGroup": {
        **_below("spec", OF_GROUPS),
        "spec|workloadRef": _one_of(
            {}, {"workloadName": "A", "templateName": "a.b"}, {"workloadName": "a.b", "templateName": "b"}
        ),
    },
    "Workload": {
        **_below("spec|podGroupTemplates|0", OF_GROUPS),
        "spec|podGroupTemplates|0|name": _one_of("", *LABEL_NAMES),
        "spec|podGroupTemplates|1": _one_of(
            {"name": "t", "schedulingPolicy": GANG}, {"name": "u", "schedulingPolicy": {}}
        ),
        "spec|podGroupTemplates": _one_of(
            [], [{"name": f"t{number}", "schedulingPolicy": GANG} for number in range(9)]
        ),
    },
}
"""By kind: for each path what may stand there."""

SHARE_OF_PODS: Final = 0.35


# --- questions -------------------------------------------------------------------------------------------------------


def put(target: Any, path: str, value: Any) -> None:
    """Put a value at a path, whose missing maps are made; nothing happens where a list has ended before."""
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("|"))
    for step in steps:
        if isinstance(step, int):
            if not isinstance(target, list) or step >= len(target):
                return
            target = target[step]
        else:
            if not isinstance(target, dict):
                return
            target = target.setdefault(step, {})
    if isinstance(last, int):
        if not isinstance(target, list) or last > len(target):
            return
        target[last : last + 1] = [value]
    elif not isinstance(target, dict):
        return
    elif value is GONE:
        target.pop(last, None)
    else:
        target[last] = value


def questions(dice: random.Random, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Objects with a name for what kind they are."""
    for _ in range(count):
        kind = "Pod" if dice.random() < SHARE_OF_PODS else dice.choice(list(SOUND))
        spoilt = copy.deepcopy(SOUND[kind])
        for path in dice.sample(list(SPOILERS[kind]), min(dice.choice([1, 1, 2, 3]), len(SPOILERS[kind]))):
            put(spoilt, path, SPOILERS[kind][path](dice))
        yield kind, {"object": spoilt, "whole": True}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=900)
    options = parser.parse_args()
    for number, (kind, question) in enumerate(questions(random.Random(options.seed), options.count)):
        case = {"id": f"validate-core-{options.seed}-{number:04d}-{kind}", "input": question}
        sys.stdout.write(json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
