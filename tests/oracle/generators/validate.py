"""Questions of kind "validate": sound manifests, and the same ones spoilt in one or more places.

python -m tests.oracle.generators.validate [--seed N] [--count M] > cases.jsonl
"""

import argparse
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

LONG_LABEL = "a" * 64
LONG_SUBDOMAIN = ".".join(["b" * 60] * 5)
GONE = object()  # as a value: delete the field


# ---------------------------------------------------------------- sound manifests


def device_class() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "gpu.example.com", "labels": {"team": "ml"}},
        "spec": {
            "selectors": [{"cel": {"expression": 'device.driver == "gpu.example.com"'}}],
            "config": [{"opaque": {"driver": "gpu.example.com", "parameters": {"mode": "fast"}}}],
            "extendedResourceName": "example.com/gpu",
        },
    }


def claim_spec() -> Json:
    return {
        "devices": {
            "requests": [
                {
                    "name": "main",
                    "exactly": {
                        "deviceClassName": "gpu.example.com",
                        "selectors": [{"cel": {"expression": 'device.attributes["gpu.example.com"].model == "a100"'}}],
                        "allocationMode": "ExactCount",
                        "count": 2,
                        "tolerations": [{"key": "example.com/broken", "operator": "Exists", "effect": "NoSchedule"}],
                        "capacity": {"requests": {"memory": "8Gi"}},
                    },
                },
                {
                    "name": "alt",
                    "firstAvailable": [
                        {
                            "name": "big",
                            "deviceClassName": "big.example.com",
                            "count": 1,
                            "selectors": [
                                {
                                    "cel": {
                                        "expression": "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) >= 0"
                                    }
                                }
                            ],
                            "tolerations": [
                                {
                                    "key": "k",
                                    "operator": "Equal",
                                    "value": "v",
                                    "effect": "NoExecute",
                                    "tolerationSeconds": 10,
                                }
                            ],
                        },
                        {"name": "small", "deviceClassName": "small.example.com", "allocationMode": "All"},
                    ],
                },
            ],
            "constraints": [
                {"requests": ["main", "alt/big"], "matchAttribute": "gpu.example.com/numa"},
                {"distinctAttribute": "gpu.example.com/model"},
            ],
            "config": [
                {"requests": ["main"], "opaque": {"driver": "gpu.example.com", "parameters": {"a": 1}}},
                {"opaque": {"driver": "nic.example.com", "parameters": {}}},
            ],
        }
    }


def claim() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "claim", "namespace": "default"},
        "spec": claim_spec(),
    }


def derived_claim() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "derived", "namespace": "default"},
        "spec": {
            "devices": {
                "requests": [
                    {
                        "name": "a",
                        "exactly": {
                            "deviceClassName": "gpu.example.com",
                            "derivedAttributes": [
                                {
                                    "name": "my.example.com/side",
                                    "expression": 'device.attributes["gpu.example.com"].numa < 2 ? "left" : "right"',
                                }
                            ],
                        },
                    },
                    {
                        "name": "b",
                        "firstAvailable": [
                            {
                                "name": "one",
                                "deviceClassName": "nic.example.com",
                                "derivedAttributes": [{"name": "my.example.com/side", "expression": '"left"'}],
                            }
                        ],
                    },
                ],
                "constraints": [{"matchAttribute": "my.example.com/side"}],
            }
        },
    }


def template() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "template", "namespace": "default"},
        "spec": {"metadata": {"labels": {"a": "b"}, "annotations": {"note": "x"}}, "spec": claim_spec()},
    }


def plain_slice() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "node1-gpu"},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": "node-1",
            "pool": {"name": "node-1/gpus", "generation": 3, "resourceSliceCount": 1},
            "devices": [
                {
                    "name": "gpu-0",
                    "attributes": {
                        "model": {"string": "a100"},
                        "numa": {"int": 0},
                        "healthy": {"bool": True},
                        "driverVersion": {"version": "1.2.3-rc.1+build"},
                        "other.example.com/slots": {"ints": [1, 2]},
                    },
                    "capacity": {"memory": {"value": "80Gi"}, "other.example.com/lanes": {"value": "16"}},
                    "taints": [
                        {
                            "key": "example.com/broken",
                            "value": "yes",
                            "effect": "NoSchedule",
                            "timeAdded": "2026-01-01T00:00:00Z",
                        }
                    ],
                    "bindingConditions": ["example.com/ready"],
                    "bindingFailureConditions": ["example.com/failed"],
                    "bindsToNode": True,
                },
                {"name": "gpu-1", "attributes": {"model": {"string": "h100"}}},
            ],
        },
    }


def shareable_slice() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "shareable"},
        "spec": {
            "driver": "nic.example.com",
            "allNodes": True,
            "pool": {"name": "nics", "generation": 0, "resourceSliceCount": 1},
            "devices": [
                {
                    "name": "nic",
                    "allowMultipleAllocations": True,
                    "capacity": {
                        "bandwidth": {
                            "value": "40G",
                            "requestPolicy": {"default": "1G", "validRange": {"min": "1G", "max": "10G", "step": "1G"}},
                        },
                        "queues": {"value": "8", "requestPolicy": {"default": "2", "validValues": ["1", "2", "4"]}},
                        "free": {"value": "5"},
                    },
                }
            ],
        },
    }


def counters_slice() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "counters"},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": "node-1",
            "pool": {"name": "parts", "generation": 1, "resourceSliceCount": 2},
            "sharedCounters": [
                {"name": "set-0", "counters": {"memory": {"value": "80Gi"}, "slices": {"value": "8"}}},
                {"name": "set-1", "counters": {"memory": {"value": "80Gi"}}},
            ],
        },
    }


def partitions_slice() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "partitions"},
        "spec": {
            "driver": "gpu.example.com",
            "perDeviceNodeSelection": True,
            "pool": {"name": "parts", "generation": 1, "resourceSliceCount": 2},
            "partitionTypeAttribute": "gpu.example.com/profile",
            "devices": [
                {
                    "name": "p0",
                    "nodeName": "node-1",
                    "attributes": {"profile": {"string": "1g"}},
                    "consumesCounters": [
                        {
                            "counterSet": "set-0",
                            "counters": {"memory": {"value": "10Gi"}},
                            "compatibilityGroups": ["mig"],
                        }
                    ],
                },
                {
                    "name": "p1",
                    "allNodes": True,
                    "attributes": {"gpu.example.com/profile": {"string": "2g"}},
                    "consumesCounters": [
                        {"counterSet": "set-0", "counters": {"memory": {"value": "20Gi"}}},
                        {"counterSet": "set-1", "counters": {"memory": {"value": "1"}}},
                    ],
                },
                {
                    "name": "whole",
                    "nodeSelector": {
                        "nodeSelectorTerms": [
                            {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
                        ]
                    },
                },
            ],
        },
    }


def allocatable_slice() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "allocatable"},
        "spec": {
            "driver": "cpu.example.com",
            "nodeSelector": {
                "nodeSelectorTerms": [
                    {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}
                ]
            },
            "pool": {"name": "cpus", "generation": 1, "resourceSliceCount": 1},
            "skipNodeOperations": ["NodePrepareResources", "NodeUnprepareResources"],
            "devices": [
                {
                    "name": "numa-0",
                    "capacity": {"cpus": {"value": "32"}},
                    "nodeAllocatableResources": {
                        "cpu": {"mapping": {"capacityKey": "cpus", "capacityMultiplier": "1"}},
                        "memory": {
                            "mapping": {"deviceMultiplier": "1Gi"},
                            "overhead": {"perPod": "10Mi", "perContainer": "0"},
                        },
                    },
                }
            ],
        },
    }


def taint_rule() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "rule"},
        "spec": {
            "deviceSelector": {"driver": "gpu.example.com", "pool": "node-1/gpus", "device": "gpu-0"},
            "taint": {
                "key": "example.com/broken",
                "value": "yes",
                "effect": "NoExecute",
                "timeAdded": "2026-01-01T00:00:00Z",
            },
        },
    }


def pool_request() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1alpha3",
        "kind": "ResourcePoolStatusRequest",
        "metadata": {"name": "request"},
        "spec": {
            "driver": "gpu.example.com",
            "poolName": "node-1/gpus",
            "limit": 10,
            "defaultPartitionTypeAttribute": "gpu.example.com/profile",
        },
    }


def pod() -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "pod", "namespace": "default"},
        "spec": {
            "resourceClaims": [
                {"name": "gpu", "resourceClaimName": "claim"},
                {"name": "nic", "resourceClaimTemplateName": "template"},
            ],
            "initContainers": [{"name": "init", "image": "i", "resources": {"claims": [{"name": "nic"}]}}],
            "containers": [
                {
                    "name": "main",
                    "image": "i",
                    "resources": {"claims": [{"name": "gpu", "request": "main"}, {"name": "nic"}]},
                }
            ],
        },
    }


def pod_group() -> Json:
    return {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "group", "namespace": "default"},
        "spec": {
            "schedulingPolicy": {"basic": {}},
            "resourceClaims": [
                {"name": "gpu", "resourceClaimName": "claim"},
                {"name": "nic", "resourceClaimTemplateName": "template"},
            ],
        },
    }


# ---------------------------------------------------------------- values that spoil

LABEL = ["", "Upper", "dot.dot", "-a", "a-", "under_score", LONG_LABEL, "sp ace", "ä"]
SUBDOMAIN = ["", "Upper.com", "-a.b", "a..b", "a.-b", "under_score", LONG_SUBDOMAIN, "a/b", "*.x"]
DRIVER = ["", "UPPER.com", "-a", "a..b", "a/b", "x" * 64, "a." + "b" * 63, "under_score", "a.", "1", "a.b"]
POOL = ["", "/", "a//b", "a/", "Upper", "a/b/c/d", LONG_SUBDOMAIN, "x" * 200 + "/" + "y" * 60, "under_score"]
LABEL_KEY = ["", "a b", "example.com/", "/x", "a/b/c", "x" * 64, "Example.com/x", "e" * 254 + "/x", "-x", "ok_Name.1"]
LABEL_VALUE = ["a b", "-a", "v" * 64, "a/b", "ok_V.1", ""]
FQN = [
    "",
    "bare",
    "a/b/c",
    "/x",
    "x/",
    "gpu.example.com/1x",
    "gpu.example.com/" + "a" * 33,
    "UPPER.com/x",
    "gpu.example.com/with-dash",
    "b" * 64 + "/x",
    "gpu.example.com/ok_1",
]
QUALIFIED = [
    "",
    "bare-dash",
    "1abc",
    "a" * 33,
    "/x",
    "x/",
    "a/b/c",
    "gpu.example.com/with-dash",
    "d" * 64 + "/x",
    "UPPER.com/x",
    "k" * 150,
]
CEL = [
    "",
    "device.driver ==",
    "1 + 1",
    '"text"',
    "device.nope",
    "foo",
    "device.driver == 3",
    "true",
    'device.attributes["x"].y',
    'device.attributes["x"]["y"] == 1',
    "cel.bind(x, device.driver, x == 'a')",
    'device.attributes["x"].?y.orValue(1) == 1',
    'semver("1.x").major() == 1',
    "quantity(1) == quantity(2)",
    "device.capacity['d'].c.isGreaterThan(quantity('1Gi'))",
    "device.allowMultipleAllocations",
    "[1,2,3].all(x, x > 0)",
    "device.driver.matches('^(a')",
    "'a'.matches('a+')",
    "device.driver",
    "!true || false",
    "#",
    " ",
    "\n\ntrue\n  &&",
    "device.attributes['a'].b.includes('x')",
    "type(device.driver) == string",
    "[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, "
    "[0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, a+b+c+d+e+f < 99))))))",
    "device.attributes['x'].y.matches(device.attributes['x'].z)",
    "true && " * 1279 + "true",
    "true && " * 1280 + "true",
]
DERIVED = CEL[:7] + [
    "1",
    "true",
    '"a"',
    "[1,2]",
    '["a"]',
    "1.5",
    "device.attributes",
    "null",
    "[]",
    "[1.5]",
    "{'a':1}",
    'semver("1.2.3")',
    "[semver('1.2.3')]",
    "device",
    "quantity('1')",
    "dyn(1)",
    "uint(1)",
    "1u",
    "[[1]]",
    "device.attributes['x'].y",
    "device.capacity['x'].y",
    "bytes('a')",
    "[true]",
    "timestamp('2026-01-01T00:00:00Z')",
    CEL[-4],
    "true && " * 1280 + "true",
]
QUANTITY = [
    "",
    "abc",
    "1.5.2",
    "-1",
    "0",
    "1e3",
    "1E",
    "0.5",
    "1500m",
    "8Gi",
    5,
    5.5,
    True,
    None,
    "9223372036854775808",
    "1n",
    "1 Gi",
    "+3",
    "1ki",
    "123456789012345678901234567890",
    {"a": 1},
    "٣",
]
WRONG = [5, "text", [], {}, True, None]
EFFECT = ["", "noexecute", "PreferNoSchedule", "None", "NoSchedule", GONE]


def long_list(count: int, make: Any) -> Any:
    return [make(i) for i in range(count)]


def metadata(subdomain: Any = True) -> Any:
    names = SUBDOMAIN if subdomain else LABEL
    return [
        (("metadata", "name"), names + [GONE, "ok.name"]),
        (("metadata",), [{"generateName": "gen-"}, {"generateName": "Gen_"}, {}, {"generateName": "g" * 70}]),
        (("metadata", "labels"), [{"a b": "x"}, {"a": "b c"}, {"a": "x" * 64}, {"a": 5}]),
        (("metadata", "annotations"), [{"a b": "x"}, {"A.b/c": "fine"}, {"x/y/z": "1"}]),
        (("metadata", "finalizers"), [["nodomain"], ["example.com/f"], ["Bad/!"]]),
        (
            ("metadata", "ownerReferences"),
            [
                [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}],
                [{"apiVersion": "v1", "kind": "Pod", "name": "", "uid": ""}],
                [
                    {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True},
                    {"apiVersion": "v1", "kind": "Pod", "name": "q", "uid": "v", "controller": True},
                ],
            ],
        ),
        (("metadata", "namespace"), ["other", "Bad NS"]),
    ]


CLASS = metadata() + [
    (("spec",), [GONE, {}, None, []]),
    (
        ("spec", "selectors"),
        [
            [],
            [{}],
            [{"cel": None}],
            long_list(33, lambda i: {"cel": {"expression": "true"}}),
            long_list(32, lambda i: {"cel": {"expression": "true"}}),
        ],
    ),
    (("spec", "selectors", 0, "cel", "expression"), CEL),
    (
        ("spec", "config"),
        [[], [{}], [{"opaque": None}], long_list(33, lambda i: {"opaque": {"driver": "a.b", "parameters": {}}})],
    ),
    (("spec", "config", 0, "opaque", "driver"), DRIVER),
    (
        ("spec", "config", 0, "opaque", "parameters"),
        [GONE, None, [], "x", 5, {"a": "x" * 10300}, {"a": "x" * 10232}, {"a": "x" * 10233}, {"z": None}],
    ),
    (
        ("spec", "extendedResourceName"),
        [
            "",
            "gpu",
            "kubernetes.io/gpu",
            "requests.example.com/x",
            "example.com/",
            "example.com/a b",
            "example.com/" + "x" * 64,
            "a.kubernetes.io/x",
            "deviceclass.resource.kubernetes.io/x",
            "requests.x/y",
            "EXAMPLE.com/x",
            "cpu",
            "hugepages-2Mi",
            "example.com/x/y",
            "e" * 245 + "/abc",
            5,
        ],
    ),
]

EXACT = [
    (("deviceClassName",), SUBDOMAIN + [GONE]),
    (("selectors",), [[{}], long_list(33, lambda i: {"cel": {"expression": "true"}}), [{"cel": {}}], None]),
    (("selectors", 0, "cel", "expression"), CEL[:12] + CEL[-4:]),
    (("allocationMode",), ["", "exactcount", "All", "Some", GONE, 5]),
    (("count",), [0, -1, 1, 100000, "2", 1.5, 9223372036854775808, GONE]),
    (
        ("tolerations",),
        [
            [{}],
            [{"operator": "Exists"}],
            [{"operator": "Exists", "value": "x"}],
            [{"operator": "Equal", "key": "a", "value": "b c"}],
            [{"operator": "equal", "key": "a"}],
            [{"key": "a", "value": "b"}],
            [{"operator": "Equal", "value": ""}],
            [{"operator": "Exists", "key": "a b"}],
            [{"operator": "Exists", "effect": "Nope"}],
            [{"operator": "Exists", "effect": "None"}],
            [{"operator": "Exists", "tolerationSeconds": -5}],
            [{"operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 5}],
            long_list(17, lambda i: {"operator": "Exists", "key": f"k{i}"}),
            long_list(3, lambda i: {"operator": "Exists", "key": "same"}),
        ],
    ),
    (
        ("capacity",),
        [
            {},
            {"requests": {}},
            {"requests": {"bad key": "1"}},
            {"requests": {"a": "x"}},
            {"requests": {"a": "-5"}},
            {"requests": {"a/b/c": "1"}},
            {"requests": {"": "0"}},
        ],
    ),
    (("derivedAttributes",), [[{"name": "x.y/z", "expression": "1"}], [], [{}], [{"name": "bare", "expression": "1"}]]),
]


def claim_paths(root: Any) -> Any:
    devices = root + ("devices",)
    first, second = devices + ("requests", 0), devices + ("requests", 1)
    request = {"name": "r", "exactly": {"deviceClassName": "c.example.com"}}
    paths = [(first + ("exactly",) + path, values) for path, values in EXACT]
    paths += [
        (second + ("firstAvailable", 0) + path, values)
        for path, values in EXACT
        if path != ("selectors", 0, "cel", "expression")
    ]
    paths += [
        (devices, [GONE, {}, {"requests": []}, {"constraints": [{"matchAttribute": "a.b/c"}]}, 5]),
        (
            devices + ("requests",),
            [
                long_list(33, lambda i: dict(request, name=f"r{i}")),
                long_list(32, lambda i: dict(request, name=f"r{i}")),
                [request, request],
                [{"name": "main"}],
                [dict(request, firstAvailable=[])],
                [dict(request, firstAvailable=[{"name": "x", "deviceClassName": "c"}])],
                [{"name": "main", "exactly": {}}],
                [{}],
                [None],
            ],
        ),
        (first + ("name",), LABEL + ["alt"]),
        (first + ("exactly", "adminAccess"), [True, False, "yes"]),
        (first + ("exactly", "unknown"), [1]),
        (
            second + ("firstAvailable",),
            [
                long_list(9, lambda i: {"name": f"s{i}", "deviceClassName": "c"}),
                [{"name": "a", "deviceClassName": "c"}, {"name": "a", "deviceClassName": "c"}],
                [{}],
                long_list(8, lambda i: {"name": f"s{i}", "deviceClassName": "c"}),
            ],
        ),
        (second + ("firstAvailable", 0, "name"), LABEL),
        (second + ("firstAvailable", 0, "adminAccess"), [True]),
        (
            devices + ("constraints",),
            [
                [{}],
                [{"matchAttribute": "a.b/c", "distinctAttribute": "a.b/c"}],
                long_list(33, lambda i: {"matchAttribute": "a.b/c"}),
                [{"requests": ["main", "main"], "matchAttribute": "a.b/c"}],
                [{"requests": ["nope"], "matchAttribute": "a.b/c"}],
                [{"requests": ["alt"], "matchAttribute": "a.b/c"}],
                [{"requests": ["alt/nope"], "matchAttribute": "a.b/c"}],
                [{"requests": ["main/x"], "matchAttribute": "a.b/c"}],
                [{"requests": ["a/b/c"], "distinctAttribute": "a.b/c"}],
                [{"requests": [""], "matchAttribute": "a.b/c"}],
                [{"requests": ["Main", "alt/"], "matchAttribute": "a.b/c"}],
                [{"requests": long_list(33, lambda i: f"r{i}"), "matchAttribute": "a.b/c"}],
            ],
        ),
        (devices + ("constraints", 0, "matchAttribute"), FQN),
        (devices + ("constraints", 1, "distinctAttribute"), FQN[:6]),
        (
            devices + ("config",),
            [
                [{}],
                [{"requests": ["nope"], "opaque": {"driver": "a.b", "parameters": {}}}],
                [{"requests": ["main", "main"], "opaque": {"driver": "a.b", "parameters": {}}}],
                long_list(33, lambda i: {"opaque": {"driver": "a.b", "parameters": {}}}),
                [{"requests": ["alt/big"], "opaque": {"driver": "a.b", "parameters": {}}}],
                [{"requests": ["alt/big/x"], "opaque": {"driver": "a.b", "parameters": {}}}],
            ],
        ),
        (devices + ("config", 0, "opaque", "driver"), DRIVER),
        (devices + ("config", 0, "opaque", "parameters"), [GONE, None, [], "x", 5, {"a": "x" * 10300}]),
    ]
    return paths


CLAIM = (
    metadata()
    + claim_paths(("spec",))
    + [
        (("status",), [{"reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}, {"nope": 1}, 5]),
        (("spec",), [GONE, {}]),
    ]
)
TEMPLATE = (
    metadata()
    + claim_paths(("spec", "spec"))
    + [
        (
            ("spec", "metadata"),
            [
                {"name": "x"},
                {"labels": {"a b": "c"}},
                {"annotations": {"a b": "c"}},
                {"labels": {"a": "b c"}},
                {},
                {"finalizers": ["x"]},
            ],
        ),
        (("spec",), [GONE, {}]),
        (("status",), [{}]),
    ]
)
DERIVED_CLAIM = [
    (("spec", "devices", "requests", 0, "exactly", "derivedAttributes", 0, "expression"), DERIVED),
    (("spec", "devices", "requests", 0, "exactly", "derivedAttributes", 0, "name"), FQN),
    (("spec", "devices", "requests", 1, "firstAvailable", 0, "derivedAttributes", 0, "expression"), DERIVED[:12]),
    (
        ("spec", "devices", "requests", 0, "exactly", "derivedAttributes"),
        [
            [{"name": "my.example.com/side", "expression": "1"}, {"name": "my.example.com/side", "expression": "2"}],
            long_list(33, lambda i: {"name": f"my.example.com/a{i}", "expression": "1"}),
            [{}],
            [{"name": "my.example.com/side"}],
            [{"name": "my.example.com/other", "expression": "1"}],
        ],
    ),
    (
        ("spec", "devices", "constraints"),
        [
            GONE,
            [{"requests": ["a"], "matchAttribute": "my.example.com/side"}],
            [{"requests": ["b"], "matchAttribute": "my.example.com/side"}],
            [{"requests": ["b/one"], "distinctAttribute": "my.example.com/side"}],
            [{"requests": ["a", "b/one"], "distinctAttribute": "my.example.com/side"}],
            [{"matchAttribute": "my.example.com/other"}],
            [{"matchAttribute": "my.example.com/x", "distinctAttribute": "my.example.com/side"}],
        ],
    ),
    (("spec", "devices", "requests", 1, "firstAvailable", 0, "name"), ["two"]),
]
SLICE_HEAD = metadata() + [
    (("spec", "driver"), DRIVER + [GONE]),
    (("spec", "pool", "name"), POOL + [GONE]),
    (("spec", "pool", "generation"), [-1, 0, "1", GONE, 9223372036854775807]),
    (("spec", "pool", "resourceSliceCount"), [0, -1, GONE, 1.5]),
    (("spec", "nodeName"), SUBDOMAIN + [GONE]),
    (("spec", "allNodes"), [True, False]),
    (("spec", "perDeviceNodeSelection"), [True, False]),
    (
        ("spec", "nodeSelector"),
        [
            {},
            {"nodeSelectorTerms": []},
            {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]},
            {"nodeSelectorTerms": [{}]},
            {"nodeSelectorTerms": [{}, {}]},
        ],
    ),
    (
        ("spec", "skipNodeOperations"),
        [
            [],
            ["*"],
            ["NodePrepareResources"],
            ["NodeUnprepareResources"],
            ["Nope"],
            ["*", "*"],
            ["NodePrepareResources", "*"],
            [""],
        ],
    ),
    (("spec", "partitionTypeAttribute"), FQN),
    (("spec", "sharedCounters"), [[], [{"name": "a", "counters": {"b": {"value": "1"}}}]]),
    (
        ("spec", "devices"),
        [
            GONE,
            [],
            long_list(129, lambda i: {"name": f"d{i}"}),
            long_list(128, lambda i: {"name": f"d{i}"}),
            long_list(65, lambda i: {"name": f"d{i}", "taints": [{"key": "a", "effect": "None"}] if i == 3 else []}),
            long_list(65, lambda i: {"name": f"d{i}", "attributes": {"a": {"ints": [1]}} if i == 3 else {}}),
            [{"name": "a"}, {"name": "a"}],
            [{}],
            [None],
        ],
    ),
    (("spec",), [GONE, {}]),
]
FIRST = ("spec", "devices", 0)
SLICE = SLICE_HEAD + [
    (FIRST + ("name",), LABEL + ["gpu-1", GONE]),
    (
        FIRST + ("attributes",),
        [{key: {"int": 1}} for key in QUALIFIED]
        + [
            {f"a{i}": {"int": i} for i in range(33)},
            {"a": {"ints": list(range(49))}},
            {"a": {"ints": list(range(48))}},
            {"a": {"ints": list(range(40))}, "b": {"strings": ["x"] * 9}},
            {"a": {"ints": list(range(47))}, "b": {"int": 3}},
            {},
        ],
    ),
    (
        FIRST + ("attributes", "model"),
        [
            {},
            {"string": "a", "int": 1},
            {"string": "x" * 65},
            {"string": "x" * 64},
            {"string": "ä" * 33},
            {"string": ""},
            {"int": "1"},
            {"int": 1.5},
            {"int": 9223372036854775808},
            {"bool": "true"},
            {"version": "1.2"},
            {"version": "v1.2.3"},
            {"version": "1.2.3"},
            {"version": "01.2.3"},
            {"version": "1.2.3-" + "a" * 60},
            {"version": ""},
            {"strings": []},
            {"strings": ["a"]},
            {"strings": ["x" * 65]},
            {"strings": ["a"], "ints": [1]},
            {"ints": []},
            {"bools": [True]},
            {"bools": []},
            {"versions": ["1.0.0", "x"]},
            {"versions": []},
            {"strings": ["a", "a"]},
            {"versions": ["1.0.0-" + "a" * 64]},
            {"string": None},
            {"string": "a", "strings": ["b"], "ints": []},
            {"float": 1.5},
            None,
        ],
    ),
    (
        FIRST + ("capacity",),
        [{key: {"value": "1"}} for key in QUALIFIED[:8]]
        + [{f"c{i}": {"value": "1"} for i in range(33)}, {f"c{i}": {"value": "1"} for i in range(28)}],
    ),
    (FIRST + ("capacity", "memory", "value"), QUANTITY + [GONE]),
    (FIRST + ("capacity", "memory", "requestPolicy"), [{"default": "1"}, {}]),
    (
        FIRST + ("taints",),
        [
            long_list(17, lambda i: {"key": f"k{i}", "effect": "None"}),
            long_list(16, lambda i: {"key": f"k{i}", "effect": "None"}),
            [{}],
            [{"key": "a", "effect": "None"}, {"key": "a", "effect": "None"}],
        ],
    ),
    (FIRST + ("taints", 0, "key"), LABEL_KEY),
    (FIRST + ("taints", 0, "value"), LABEL_VALUE),
    (FIRST + ("taints", 0, "effect"), EFFECT),
    (FIRST + ("taints", 0, "timeAdded"), ["yesterday", "2026-01-01", "2026-01-01T00:00:00+02:00", None, 5, GONE]),
    (
        FIRST + ("bindingConditions",),
        [[], ["a b"], long_list(5, lambda i: f"c{i}"), ["x", "x"], ["example.com/failed"], GONE, [""]],
    ),
    (FIRST + ("bindingFailureConditions",), [[], ["a b"], long_list(5, lambda i: f"c{i}"), ["x", "x"], GONE]),
    (FIRST + ("bindsToNode",), [False, "x"]),
    (FIRST + ("nodeName",), ["node-1"]),
    (FIRST + ("allNodes",), [True]),
    (FIRST + ("allowMultipleAllocations",), [True, False]),
    (FIRST + ("basic",), [{}]),
    (("spec", "devices", 1, "name"), ["gpu-0"]),
]
SHARE = ("spec", "devices", 0, "capacity")
BAND = SHARE + ("bandwidth", "requestPolicy")
SHAREABLE = [
    (("spec", "devices", 0, "allowMultipleAllocations"), [False, GONE]),
    (BAND + ("default",), ["0", "11G", "1500M", "10G", "1.5", GONE, "-1", "1G1"]),
    (
        BAND + ("validRange",),
        [
            {},
            {"min": "1G"},
            {"min": "41G"},
            {"min": "2G"},
            {"min": "1G", "max": "500M"},
            {"min": "1G", "max": "41G"},
            {"min": "1G", "step": "0"},
            {"min": "1G", "step": "-1"},
            {"min": "1G", "step": "40G"},
            {"min": "1G", "max": "10G", "step": "2G"},
            {"min": "0", "max": "9G", "step": "2G"},
            {"min": "0.5", "step": "0.25"},
            {"min": "0.0001", "step": "1"},
            {"max": "10G", "step": "1G"},
            {"min": "1", "step": "999999999"},
            {"min": "-1", "step": "1"},
            {"min": "0", "step": "18446744073709551616"},
            {"min": "0", "step": "0.3"},
        ],
    ),
    (
        BAND,
        [
            {},
            {"default": "1G"},
            {"default": "50G"},
            {"default": "1G", "validValues": ["1G"], "validRange": {"min": "1G"}},
            {"validValues": ["1G"]},
            {"default": "1G", "validValues": []},
            {"validRange": {"min": "1G"}},
        ],
    ),
    (
        SHARE + ("queues", "requestPolicy", "validValues"),
        [
            ["2", "1"],
            ["1", "4"],
            ["2", "2"],
            ["2", "2.0", "2000m"],
            ["2", "9"],
            long_list(11, lambda i: str(i)),
            long_list(10, lambda i: str(i)),
            ["0.5", "2"],
            ["1500m", "2", "1.5"],
            [],
            ["x"],
        ],
    ),
    (SHARE + ("queues", "requestPolicy", "default"), ["3", GONE, "2.0", "2000m", "0"]),
    (SHARE + ("bandwidth", "value"), ["5G", "1", "0", "100G", "9223372036854775808"]),
    (SHARE + ("free", "requestPolicy"), [{"default": "9"}]),
]
COUNTERS = SLICE_HEAD[7:8] + [
    (
        ("spec", "sharedCounters"),
        [
            long_list(9, lambda i: {"name": f"s{i}", "counters": {"a": {"value": "1"}}}),
            [{}],
            [{"name": "a", "counters": {}}],
            long_list(8, lambda i: {"name": f"s{i}", "counters": {"a": {"value": "1"}}}),
            [],
            GONE,
            [{"name": "a", "counters": {f"c{i}": {"value": "1"} for i in range(33)}}],
            [{"name": "a", "counters": {f"c{i}": {"value": "1"} for i in range(32)}}],
        ],
    ),
    (("spec", "sharedCounters", 0, "name"), LABEL + ["set-1"]),
    (("spec", "sharedCounters", 0, "counters"), [{key: {"value": "1"}} for key in LABEL]),
    (("spec", "sharedCounters", 0, "counters", "memory", "value"), QUANTITY[:8]),
    (("spec", "devices"), [[], [{"name": "a"}]]),
    (("spec", "partitionTypeAttribute"), ["gpu.example.com/profile"]),
    (("spec", "allNodes"), [True]),
]
PART = ("spec", "devices", 0)
PARTITIONS = [
    (("spec", "partitionTypeAttribute"), FQN + [GONE, "gpu.example.com/other"]),
    (
        PART + ("attributes",),
        [
            {},
            GONE,
            {"profile": {"int": 1}},
            {"profile": {"strings": ["a"]}},
            {"other.example.com/profile": {"string": "x"}},
            {"profile": {"int": 1}, "gpu.example.com/profile": {"string": "1g"}},
            {"gpu.example.com/profile": {"int": 1}, "profile": {"string": "x"}},
        ],
    ),
    (
        PART + ("consumesCounters",),
        [
            long_list(3, lambda i: {"counterSet": f"s{i}", "counters": {"a": {"value": "1"}}}),
            [{}],
            [],
            [{"counterSet": "a", "counters": {}}],
            [{"counterSet": "a", "counters": {"x": {"value": "1"}}}] * 2,
            [{"counterSet": "a", "counters": {f"c{i}": {"value": "1"} for i in range(33)}}],
        ],
    ),
    (PART + ("consumesCounters", 0, "counterSet"), LABEL),
    (PART + ("consumesCounters", 0, "counters"), [{key: {"value": "1"}} for key in LABEL]),
    (
        PART + ("consumesCounters", 0, "compatibilityGroups"),
        [[], ["a", "b"], ["a", "b", "c"], ["a", "a"], ["Upper"], [""], ["dot.dot"]],
    ),
    (PART + ("nodeName",), ["", GONE, "Upper", "n2"]),
    (PART + ("allNodes",), [True, False]),
    (
        ("spec", "devices", 2, "nodeSelector"),
        [
            {},
            {"nodeSelectorTerms": []},
            {"nodeSelectorTerms": [{}]},
            {"nodeSelectorTerms": [{}, {}]},
            {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a b", "operator": "In", "values": []}]}]},
            {
                "nodeSelectorTerms": [
                    {"matchFields": [{"key": "metadata.namespace", "operator": "In", "values": ["x"]}]}
                ]
            },
            {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["x"]}]}]},
            {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Like"}]}]},
            GONE,
        ],
    ),
    (("spec", "perDeviceNodeSelection"), [False, GONE]),
    (("spec", "nodeName"), ["node-1"]),
    (
        ("spec", "devices"),
        [
            long_list(
                65,
                lambda i: {
                    "name": f"d{i}",
                    "allNodes": True,
                    "attributes": {"profile": {"string": "x"}},
                    "consumesCounters": [{"counterSet": "a", "counters": {"x": {"value": "1"}}}],
                },
            )
        ],
    ),
]
ALLOC = ("spec", "devices", 0, "nodeAllocatableResources")
ALLOCATABLE = [
    (
        ALLOC,
        [
            {key: {"mapping": {"deviceMultiplier": "1"}}}
            for key in [
                "cpu",
                "memory",
                "ephemeral-storage",
                "pods",
                "hugepages-2Mi",
                "example.com/x",
                "storage",
                "",
                "attachable-volumes-x",
            ]
        ]
        + [{"cpu": {}}, {}],
    ),
    (
        ALLOC + ("cpu", "mapping"),
        [
            {},
            {"capacityKey": "cpus"},
            {"capacityMultiplier": "1"},
            {"capacityKey": "", "capacityMultiplier": "1"},
            {"capacityKey": "nope", "capacityMultiplier": "1"},
            {"capacityKey": "cpus", "capacityMultiplier": "0"},
            {"capacityKey": "cpus", "capacityMultiplier": "-1"},
            {"deviceMultiplier": "0"},
            {"deviceMultiplier": "-2"},
            {"capacityKey": "cpus", "capacityMultiplier": "1", "deviceMultiplier": "1"},
            {"deviceMultiplier": "x"},
            {"capacityKey": "cpu.example.com/cpus", "capacityMultiplier": "1"},
            {"capacityMultiplier": "1", "deviceMultiplier": "1"},
        ],
    ),
    (
        ALLOC + ("memory", "overhead"),
        [{}, {"perPod": "-1"}, {"perContainer": "-1"}, {"perPod": "0"}, {"perContainer": "1"}, None],
    ),
    (ALLOC + ("memory", "mapping"), [GONE]),
    (("spec", "skipNodeOperations"), SLICE_HEAD[8][1]),
    (
        ("spec", "nodeSelector", "nodeSelectorTerms"),
        [
            [],
            [{}],
            [{}, {}],
            [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["Bad Name"]}]}],
            [{"matchFields": [{"key": "metadata.name", "operator": "Exists"}]}],
            [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a", "b"]}]}],
        ],
    ),
]
RULE = metadata() + [
    (("spec",), [GONE, {}]),
    (
        ("spec", "deviceSelector"),
        [GONE, {}, None, {"deviceClassName": "x"}, {"selectors": [{"cel": {"expression": "true"}}]}],
    ),
    (("spec", "deviceSelector", "driver"), DRIVER),
    (("spec", "deviceSelector", "pool"), POOL),
    (("spec", "deviceSelector", "device"), LABEL),
    (("spec", "taint"), [GONE, {}]),
    (("spec", "taint", "key"), LABEL_KEY),
    (("spec", "taint", "value"), LABEL_VALUE),
    (("spec", "taint", "effect"), EFFECT),
    (("spec", "taint", "timeAdded"), [GONE, "x", None]),
    (("status",), [{"conditions": [{"type": "A"}]}, {"conditions": 5}]),
]
REQUEST = metadata() + [
    (("spec",), [GONE, {}]),
    (("spec", "driver"), DRIVER + [GONE, "d" * 300]),
    (("spec", "poolName"), POOL),
    (("spec", "limit"), [0, 1, 1000, 1001, -1, GONE, None, "5", 2147483648]),
    (("spec", "defaultPartitionTypeAttribute"), FQN),
    (("status",), [{"poolCount": 1}, {"pools": 5}]),
]
POD = [
    (
        ("spec", "resourceClaims"),
        [
            [],
            GONE,
            [{}],
            [{"name": "a"}],
            [{"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "y"}],
            [
                {"name": "gpu", "resourceClaimName": "x"},
                {"name": "gpu", "resourceClaimName": "y"},
                {"name": "nic", "resourceClaimName": "y"},
            ],
            [{"name": "gpu", "resourceClaimName": ""}, {"name": "nic", "resourceClaimTemplateName": "Bad"}],
            [{"name": "gpu", "source": {"resourceClaimName": "x"}}],
        ],
    ),
    (("spec", "resourceClaims", 0, "name"), LABEL),
    (("spec", "resourceClaims", 0, "resourceClaimName"), SUBDOMAIN),
    (("spec", "resourceClaims", 1, "resourceClaimTemplateName"), SUBDOMAIN),
    (
        ("spec", "containers", 0, "resources", "claims"),
        [
            [],
            [{"name": "nope"}],
            [{"name": "gpu"}, {"name": "gpu"}],
            [{"name": "gpu"}, {"name": "gpu", "request": "x"}],
            [{"name": "gpu", "request": "x"}, {"name": "gpu", "request": "x"}],
            [{"name": "gpu", "request": "Bad Request"}],
            [{"name": ""}],
            [{"name": "gpu", "request": "a"}, {"name": "gpu", "request": "b"}],
        ],
    ),
    (("spec", "initContainers", 0, "resources", "claims"), [[{"name": "nope"}], [{"name": "nic"}, {"name": "nic"}]]),
]
GROUP = [
    (
        ("spec", "resourceClaims"),
        [
            [],
            GONE,
            [{}],
            [{"name": "a"}],
            [{"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "y"}],
            [{"name": "a", "resourceClaimName": "x"}, {"name": "a", "resourceClaimName": "y"}],
            long_list(5, lambda i: {"name": f"c{i}", "resourceClaimName": "x"}),
        ],
    ),
    (("spec", "resourceClaims", 0, "name"), LABEL[:5]),
    (("spec", "resourceClaims", 0, "resourceClaimName"), SUBDOMAIN[:5]),
    (("spec", "resourceClaims", 1, "resourceClaimTemplateName"), SUBDOMAIN[:5]),
]

# (maker, spoiling paths, share of cases)
SUBJECTS = {
    "class": (device_class, CLASS),
    "claim": (claim, CLAIM),
    "derived": (derived_claim, DERIVED_CLAIM),
    "template": (template, TEMPLATE),
    "slice": (plain_slice, SLICE),
    "shareable": (shareable_slice, SHAREABLE),
    "counters": (counters_slice, COUNTERS),
    "partitions": (partitions_slice, PARTITIONS),
    "allocatable": (allocatable_slice, ALLOCATABLE),
    "rule": (taint_rule, RULE),
    "request": (pool_request, REQUEST),
    "pod": (pod, POD),
    "group": (pod_group, GROUP),
}
OLDER = {
    "DeviceClass": ["v1beta1", "v1beta2"],
    "ResourceClaim": ["v1beta1", "v1beta2"],
    "ResourceClaimTemplate": ["v1beta1", "v1beta2"],
    "ResourceSlice": ["v1beta1", "v1beta2"],
    "DeviceTaintRule": ["v1beta2", "v1alpha3"],
    "ResourcePoolStatusRequest": ["v1alpha3"],
}

TEXTS = [
    "",
    "   \n",
    "[]",
    "5",
    "null",
    "{",
    "{}",
    '{"kind":"ResourceClaim"}',
    '{"apiVersion":"resource.k8s.io/v1"}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","kind":"DeviceClass","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a","name":"b"},"spec":{}}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"},"spec":{},"spec":{"selectors":[]}}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"},"Spec":{}}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"},"spec":{"Selectors":[]}}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"},"spec":{}} trailing',
    '{"apiVersion":"resource.k8s.io/v1","kind":"deviceclass","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClasses","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceSlice","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceTaintRule","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1","kind":"ResourcePoolStatusRequest","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v1beta2","kind":"ResourcePoolStatusRequest","metadata":{"name":"a"}}',
    '{"apiVersion":"resource.k8s.io/v2","kind":"ResourceClaim","metadata":{"name":"a"}}',
    '{"apiVersion":"resource/v1","kind":"ResourceClaim","metadata":{"name":"a"}}',
    '{"apiVersion":"a/b/c","kind":"ResourceClaim","metadata":{"name":"a"}}',
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\nspec:\n  selectors:\n  - cel:\n      expression: 'true'\n",
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\nspec:\n  selectors: []\n  selectors: []\n",
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\nspec:\n\tselectors: []\n",
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\n  unknownOne: 1\nspec:\n  unknownTwo: 2\n",
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\nspec:\n  driver: a.b\n  nodeName: on\n  pool: {name: p, generation: 1, resourceSliceCount: 1}\n",
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: a}\nspec:\n  driver: a.b\n  nodeName: 5\n  pool: {name: p, generation: 1, resourceSliceCount: 1}\n",
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: &m {name: a}\nspec: {}\n---\napiVersion: v1\n",
    "a: *nope\n",
    "- a\n- b\n",
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {selectors: [{cel: {expression: yes}}]}\n",
]


# ---------------------------------------------------------------- spoiling


def spoil(manifest: Json, path: Any, value: Any) -> Any:
    """Whether the place existed, so that the value could be put there."""
    node = manifest
    for step in path[:-1]:
        if (isinstance(node, dict) and step in node) or (
            isinstance(node, list) and isinstance(step, int) and step < len(node)
        ):
            node = node[step]
        else:
            return False
    last = path[-1]
    if isinstance(node, list) and (not isinstance(last, int) or last >= len(node)):
        return False
    if not isinstance(node, (dict, list)):
        return False
    if value is GONE:
        if isinstance(node, dict):
            node.pop(last, None)
        return True
    node[last] = copy.deepcopy(value)
    return True


def older(manifest: Json, version: Any) -> Any:
    """The same manifest for an older API version; the shape differs only in v1beta1."""
    manifest["apiVersion"] = "resource.k8s.io/" + version
    if version != "v1beta1":
        return manifest
    spec = manifest.get("spec")
    if not isinstance(spec, dict):
        return manifest
    if manifest["kind"] == "ResourceSlice":
        devices = spec.get("devices")
        for device in devices if isinstance(devices, list) else []:
            if isinstance(device, dict):
                basic = {key: device.pop(key) for key in list(device) if key not in ("name", "basic")}
                device.setdefault("basic", basic)
    if manifest["kind"] == "ResourceClaimTemplate":
        spec = spec.get("spec")
    requests = spec.get("devices", {}) if isinstance(spec, dict) else None
    requests = requests.get("requests") if isinstance(requests, dict) else None
    for request in requests if isinstance(requests, list) else []:
        if isinstance(request, dict) and isinstance(request.get("exactly"), dict):
            request.update(request.pop("exactly"))
    return manifest


def single_spoils() -> Iterator[Any]:
    for name, (make, paths) in SUBJECTS.items():
        for path, values in paths:
            for value in values:
                yield name, make, [(path, value)]


def build(dice: random.Random, make: Any, spoils: Any, version: Any = None) -> Any:
    manifest = make()
    for path, value in spoils:
        spoil(manifest, path, value)
    if version:
        manifest = older(manifest, version)
    question = {"object": manifest}
    if dice.random() < 0.3 and manifest.get("kind") in ("ResourceClaim", "ResourceClaimTemplate"):
        question["namespaceLabels"] = dice.choice(
            [
                {"resource.kubernetes.io/admin-access": "true"},
                {"resource.kubernetes.io/admin-access": "yes"},
                {"resource.k8s.io/admin-access": "true"},
            ]
        )
    return question


def version_for(dice: random.Random, make: Any, chance: float) -> Any:
    versions = OLDER.get(make()["kind"], [])
    return dice.choice(versions) if versions and dice.random() < chance else None


def heavy(question: Json) -> Any:
    return len(json.dumps(question)) > 9000


def questions(dice: random.Random, count: int) -> Iterator[Any]:
    """Sound ones and texts first, then single spoils (all of them if count allows), then combined ones."""
    done = 0
    for name, (make, _) in SUBJECTS.items():
        for version in [None] + OLDER.get(make()["kind"], []):
            yield f"sound-{name}", build(dice, make, [], version)
            done += 1
    for text in TEXTS:
        yield "text", {"text": text}
        done += 1
    singles = list(single_spoils())
    dice.shuffle(singles)
    heavy_left = 25
    for name, make, spoils in singles:
        if done >= count * 0.85:
            break
        question = build(dice, make, spoils, version_for(dice, make, 0.25))
        if heavy(question):
            heavy_left -= 1
            if heavy_left < 0:
                continue
        yield name, question
        done += 1
    rich = [
        "class",
        "claim",
        "claim",
        "derived",
        "template",
        "slice",
        "slice",
        "slice",
        "shareable",
        "shareable",
        "counters",
        "partitions",
        "partitions",
        "allocatable",
        "rule",
        "request",
        "pod",
        "group",
    ]
    while done < count:
        name = dice.choice(rich)
        make, paths = SUBJECTS[name]
        spoils = []
        for _ in range(dice.randint(2, 4)):
            path, values = dice.choice(paths)
            spoils.append((path, dice.choice(values)))
        spoils.sort(key=lambda one: len(one[0]))
        question = build(dice, make, spoils, version_for(dice, make, 0.25))
        if heavy(question):
            continue
        yield f"{name}-many", question
        done += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=900)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    for number, (label, question) in enumerate(questions(dice, options.count)):
        if number >= options.count:
            break
        print(
            json.dumps(
                {"id": f"validate-{options.seed}-{number:04d}-{label}", "input": question},
                ensure_ascii=False,
                separators=(",", ":"),
            )
        )


if __name__ == "__main__":
    main()
