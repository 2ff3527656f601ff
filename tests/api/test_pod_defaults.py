"""What the API server fills in where a pod sets resources as a whole."""

# FEATURE: K7

from typing import Any

import pytest

from dractl.api.codec import to_api, to_plain
from dractl.api.core import Pod
from dractl.api.defaults import with_defaults


def filled(level: Any, *containers: Any, init: Any = ()) -> dict[str, Any]:
    spec = {
        "containers": [{"name": f"c{number}", "resources": one} for number, one in enumerate(containers)],
        "initContainers": [{"name": f"i{number}", **one} for number, one in enumerate(init)],
        "resources": level,
    }
    resources: dict[str, Any] = to_plain(with_defaults(to_api({"spec": spec}, Pod)).spec.resources)
    return resources


def limits(**amounts: str) -> dict[str, Any]:
    return {"limits": {name.replace("_", "-"): amount for name, amount in amounts.items()}}


@pytest.mark.parametrize(
    ("containers", "requests"),
    [
        ([{}], {"cpu": "4", "memory": "2Gi"}),
        ([limits(cpu="1", memory="1Gi")], {"cpu": "1", "memory": "1Gi"}),
        ([limits(cpu="1", memory="1Gi"), limits(cpu="3", memory="1Gi")], {"cpu": "4", "memory": "2Gi"}),
        ([limits(cpu="4"), {}], {"cpu": "4", "memory": "2Gi"}),
        ([{"requests": {"cpu": "2"}, "limits": {"cpu": "4"}}], {"cpu": "2", "memory": "2Gi"}),
    ],
)
def test_a_limit_without_a_request_asks_for_what_the_containers_ask_for(containers: Any, requests: Any) -> None:
    assert filled(limits(cpu="4", memory="2Gi"), *containers)["requests"] == requests


def test_init_containers_count_one_by_one_beside_sidecars() -> None:
    init = [
        {"resources": limits(memory="2Gi")},
        {"resources": limits(memory="1Gi"), "restartPolicy": "Always"},
        {"resources": limits(memory="1536Mi")},
    ]
    level = filled(limits(memory="3Gi"), limits(memory="1Gi"), init=init)
    assert level["requests"] == {"memory": "2560Mi"}


def test_huge_pages_of_containers_are_the_pods() -> None:
    level = filled(limits(memory="2Gi"), limits(memory="2Gi", hugepages_2Mi="64Mi"), limits(hugepages_2Mi="32Mi"))
    assert level["limits"] == {"memory": "2Gi", "hugepages-2Mi": "96Mi"}
    assert level["requests"] == {"memory": "2Gi", "hugepages-2Mi": "96Mi"}


def test_a_limit_of_huge_pages_is_the_request() -> None:
    level = filled(limits(hugepages_2Mi="64Mi"), limits(hugepages_2Mi="32Mi"))
    assert level["requests"] == {"hugepages-2Mi": "64Mi"}


def test_requests_make_no_limits() -> None:
    assert filled({"requests": {"cpu": "4"}}, limits(cpu="1")) == {"requests": {"cpu": "4"}}
