# FEATURE: C1
"""What is skipped, in the first line of a plan and the last one of lint."""

from dractl.report.not_read import NotRead


def test_kinds_that_are_plurals_already_stay_as_they_are() -> None:
    kinds = ("ConfigMap", "Ingress", "NetworkPolicy", "Endpoints", "DeviceAttributes")
    assert str(NotRead(kinds * 2)) == "2 ConfigMaps, 2 DeviceAttributes, 2 Endpoints, 2 Ingresses and 2 NetworkPolicies"


def test_documents_and_files_come_behind_the_kinds() -> None:
    told = str(NotRead(("ConfigMap",), documents=1, unrendered=2, files=1))
    assert told == "1 ConfigMap, 1 document that is no object, 2 files for Helm or kustomize and 1 other file"
