# FEATURE: A4, A5
"""Whatever bytes come: an answer or BadInput that names the file, never another exception."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dractl.errors import BadInput
from dractl.topology import Dump
from tests.topology.reading import ROOT, SMALL, read

FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "fixtures/topology").rglob("*") if path.is_file())


def must_answer(content: bytes) -> None:
    with contextlib.suppress(BadInput):
        read(Dump("n1.dump", content))
        return
    with pytest.raises(BadInput) as bad:
        read(Dump("n1.dump", content))
    assert all(fault.message and (fault.file or fault.place) for fault in bad.value.faults)


@pytest.mark.parametrize("path", FILES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_dump_with_something_else_inside(path: str, data: st.DataObject) -> None:
    content = (ROOT / path).read_bytes()
    at = data.draw(st.integers(0, len(content)))
    until = data.draw(st.integers(at, min(len(content), at + 40)))
    inserted = data.draw(
        st.sampled_from([b"", b"-1", b"99999999999999999999", b"x", b"\0", b"{", b'"', b"<", b",", b" "])
    )
    must_answer(content[:at] + inserted + content[until:])


@pytest.mark.parametrize("path", FILES)
def test_a_dump_cut_at_every_tenth(path: str) -> None:
    content = (ROOT / path).read_bytes()
    for tenth in range(10):
        must_answer(content[: len(content) * tenth // 10])


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    must_answer(content)


HEADS = [
    b"# CPU,Core,Socket,Node\n",
    b"available: 2 nodes (0-1)\nnode 0 cpus: ",
    b"<topology version='2.0'><object type='Machine' cpuset='0x3'>",
    b'{"topology": [{"node_id": 0, "cores": ',
    b'{"policyName": "static", "defaultCpuSet": ',
    b'{"pod_resources": [',
    b"kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n",
    b'{"cpus": [{"cpu": ',
]


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(HEADS), st.text(alphabet='0123456789,-:{}[]"<>/ \nabcu', max_size=60))
def test_anything_behind_a_head_that_is_known(head: bytes, rest: str) -> None:
    must_answer(head + rest.encode())


def test_the_fixtures_are_read() -> None:
    assert any(path.startswith(SMALL) for path in FILES)
    for path in FILES:
        read(Dump(path, (ROOT / path).read_bytes()))
