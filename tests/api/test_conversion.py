"""From v1beta1 to v1 (spec/validation.md §1)."""

# FEATURE: A2

from typing import Any

import pytest

from dractl.api import conversion, older, resource
from dractl.api.codec import to_api, to_plain


def converted_request(**fields: Any) -> dict[str, Any]:
    claim = to_api({"spec": {"devices": {"requests": [{"name": "r", **fields}]}}}, older.ResourceClaim)
    plain: dict[str, Any] = to_plain(conversion.claim(claim))
    request: dict[str, Any] = plain["spec"]["devices"]["requests"][0]
    return request


@pytest.mark.parametrize(
    "fields",
    [
        {"deviceClassName": "c"},
        {"allocationMode": "All"},
        {"count": 2},
        {"adminAccess": False},
        {"selectors": []},
        {"tolerations": []},
        {"derivedAttributes": []},
        {"capacity": {}},
        {"deviceClassName": "c", "selectors": [{"cel": {"expression": "true"}}], "count": 3},
    ],
)
def test_flat_fields_move_below_exactly_and_an_empty_list_counts(fields: dict[str, Any]) -> None:
    assert converted_request(**fields) == {"name": "r", "exactly": fields}


@pytest.mark.parametrize("fields", [{}, {"deviceClassName": ""}, {"allocationMode": ""}, {"count": 0}])
def test_a_request_without_any_of_them_has_no_exactly(fields: dict[str, Any]) -> None:
    assert converted_request(**fields) == {"name": "r"}


def test_alternatives_stay_where_they_are() -> None:
    alternatives = [{"name": "a", "deviceClassName": "c", "count": 2}]
    assert converted_request(firstAvailable=alternatives) == {"name": "r", "firstAvailable": alternatives}


def test_templates_are_converted_too() -> None:
    spec = {"devices": {"requests": [{"name": "r", "deviceClassName": "c"}]}}
    template = to_api({"spec": {"metadata": {"labels": {"a": "b"}}, "spec": spec}}, older.ResourceClaimTemplate)
    assert to_plain(conversion.template(template))["spec"] == {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}},
    }


def slice_of(spec: dict[str, Any]) -> resource.ResourceSlice:
    return conversion.resource_slice(to_api({"spec": spec}, older.ResourceSlice))


def test_devices_are_unwrapped() -> None:
    basic = {"attributes": {"model": {"string": "m"}}, "capacity": {"memory": {"value": "8Gi"}}, "allNodes": False}
    devices = to_plain(slice_of({"devices": [{"name": "a", "basic": basic}, {"name": "b"}]}))["spec"]["devices"]
    assert devices == [{"name": "a", **basic}, {"name": "b"}]


def test_an_empty_node_selection_of_the_slice_is_absent_and_that_of_a_device_is_not() -> None:
    spec = slice_of(
        {"nodeName": "", "allNodes": False, "perDeviceNodeSelection": False, "devices": [{"basic": {"nodeName": ""}}]}
    ).spec
    assert (spec.nodeName, spec.allNodes, spec.perDeviceNodeSelection) == (None, None, False)
    assert spec.devices is not None
    assert spec.devices[0].nodeName == ""
