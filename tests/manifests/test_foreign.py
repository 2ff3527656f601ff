# FEATURE: A1
"""Files of other programs among manifests are skipped; what was meant as an object is not."""

import pytest

from dractl.manifests import Source, survey

FOREIGN = [
    "replicaCount: 2\nimage: {tag: a}\n",
    '{"name": "site", "version": "1.0.0", "scripts": {}}',
    "apiVersion: v2\nname: driver\nversion: 0.1.0\n",
    "resources:\n- base\npatches: []\n",
    "- op: replace\n  path: /spec/replicas\n  value: 3\n",
    "name: ci\non: push\njobs: {}\n",
    "[1, 2]\n",
    "site: !ENV SITE\n",
]
OBJECTS = [
    "kind: Pod\nmetadata: {name: a}\n",
    "metadata: {name: a}\nspec: {}\n",
    "apiversion: v1\n",
    "Spec: {}\n",
    "- {kind: Pod, metadata: {name: a}}\n",
    "[]\n",
    "text\n",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_documents_that_were_never_meant_as_objects(text: str) -> None:
    reading = survey([Source("a.yaml", text.encode())])
    assert (reading.faults, reading.findings) == ((), ())
    assert ([skipped.kind for skipped in reading.skipped], reading.unread) == ([""], frozenset())


@pytest.mark.parametrize("text", OBJECTS)
def test_objects_that_lack_something_are_faults(text: str) -> None:
    reading = survey([Source("a.yaml", text.encode())])
    assert reading.faults
    assert not reading.skipped


def test_items_of_a_list_are_objects() -> None:
    reading = survey([Source("a.yaml", b"apiVersion: v1\nkind: List\nitems: [{a: 1}]\n")])
    assert [fault.message for fault in reading.faults] == ["apiVersion and kind are missing"]
