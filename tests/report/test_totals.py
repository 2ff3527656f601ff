# FEATURE: C1
"""The first and the last lines of a plan."""

from dractl.report.totals import _plural


def test_kinds_that_are_plurals_already_stay_as_they_are() -> None:
    plurals = [_plural(kind) for kind in ("ConfigMap", "Ingress", "NetworkPolicy", "Endpoints", "DeviceAttributes")]
    assert plurals == ["ConfigMaps", "Ingresses", "NetworkPolicies", "Endpoints", "DeviceAttributes"]
