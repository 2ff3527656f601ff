"""Kind `poolstatus`: the status of a ResourcePoolStatusRequest (poolstatus.md)."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dractl.api.codec import to_api, to_plain
from dractl.api.defaults import with_defaults
from dractl.api.resource import DeviceTaintRule, ResourceClaim, ResourcePoolStatusRequest, ResourceSlice
from dractl.errors import path_text
from dractl.observe.pool_inventory import pool_contents
from dractl.observe.pool_status import answer_request

COMPARED: Final = ("published", "sync_error", "status", "status_errors")


def answer(case_input: Mapping[str, Any]) -> dict[str, Any]:
    """Answer the request as `dractl pools` does."""
    contents = pool_contents(
        [to_api(each, ResourceSlice) for each in case_input["slices"]],
        [to_api(each, ResourceClaim) for each in case_input["claims"]],
        [to_api(each, DeviceTaintRule) for each in case_input["rules"]],
    )
    request = with_defaults(to_api(case_input["request"], ResourcePoolStatusRequest))
    found = answer_request(request.spec, contents, now="now")
    return {
        "published": not found.incomplete,
        "sync_error": "incomplete pools detected, requeueing" if found.incomplete else "",
        "status": to_plain(found.status),
        "status_errors": [f"{path_text(path)}: Required value" for path in found.lacking],
    }


def first_difference(expect: Mapping[str, Any], answer: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """All fields; slices by name, claims by namespace and name decide where the order matters."""
    for field in COMPARED:
        if field not in without and expect.get(field) != answer.get(field):
            return f"{field}: expected {_text(expect.get(field))}, got {_text(answer.get(field))}"
    return None


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
