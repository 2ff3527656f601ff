# FEATURE: C1
"""The YAML that dractl writes is read alike by YAML 1.1, YAML 1.2 and Kubernetes."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from dractl.manifests import Source, survey
from dractl.report.yaml import emit

TEXT = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "n",
            "null",
            "~",
            "",
            "1",
            "0x1f",
            "1_000",
            "1e3",
            ".5",
            "0o7",
            "12:30:45",
            "- a",
            "a: b",
            "#",
            "<<",
            "=",
            "2024-01-01",
            "true",
            "@x",
            "`",
            "%",
            "*a",
            "&a",
            "!t",
            "|",
            ">",
            "'",
            '"',
            "\u2028",
            "\x85",
            "\x7f",
            "\ufeff",
        ]
    ),
)
PLAIN = st.recursive(
    st.one_of(TEXT, st.integers(-(2**40), 2**40), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(TEXT, PLAIN, min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_round_trip_through_both_versions(value: dict[str, Any]) -> None:
    text = "\n".join(emit(value)) + "\n"
    for version in ("1.1", "1.2"):
        yaml = YAML(typ="safe", pure=True)
        yaml.version = version
        assert yaml.load(text) == value


@given(st.text(max_size=20))
@settings(max_examples=100, deadline=None)
def test_round_trip_through_dractls_own_reader(text: str) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "annotations": {"note": text}},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    }
    reading = survey([Source("p.yaml", "\n".join(emit(pod)).encode("utf-8", "surrogatepass"))])
    assert not reading.faults
    (read,) = reading.objects
    assert read.metadata.annotations == {"note": text}
