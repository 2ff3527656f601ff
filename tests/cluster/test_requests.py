"""What a pod takes of a node (scheduling.md §6.2)."""

from typing import Any

import pytest

from dractl.api.codec import to_api
from dractl.api.core import Pod
from dractl.api.quantity import NANO
from dractl.cluster.requests import pod_requests


def container(cpu: str, **fields: Any) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": {"cpu": cpu}}, **fields}


@pytest.mark.parametrize(
    ("spec", "cpus"),
    [
        ({"containers": [container("1"), container("2")]}, 3),
        ({"containers": [container("1")], "initContainers": [container("4")]}, 4),
        ({"containers": [container("1")], "initContainers": [container("2", restartPolicy="Always")]}, 3),
        (
            {
                "containers": [container("1")],
                "initContainers": [container("2", restartPolicy="Always"), container("3")],
            },
            5,
        ),
        (
            {
                "containers": [container("1")],
                "initContainers": [container("3"), container("2", restartPolicy="Always")],
            },
            3,
        ),
        ({"containers": [container("1")], "resources": {"requests": {"cpu": "8"}}}, 8),
        ({"containers": [container("1")], "overhead": {"cpu": "1"}}, 2),
    ],
)
def test_the_peak_of_containers(spec: dict[str, Any], cpus: int) -> None:
    assert pod_requests(to_api({"spec": spec}, Pod)) == {"cpu": cpus * NANO, "pods": NANO}
