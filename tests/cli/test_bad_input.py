# FEATURE: C2
"""Bad input: exit code 2, nothing on standard output, every error with its line and what to write instead."""

from pathlib import Path

import pytest

from tests.cli.running import dractl

CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpus
  namespace: ml
spec:
  devices:
    requests:
    - name: pair
      exactly:
        deviceClassName: gpu
        count: 2
    constraints:
    - requests: [pair]
      matchAttribute: pcieRoot
"""


CONTAINERS = "spec: {containers: [{name: c, image: i}]}\n"


def test_the_picture_of_an_error() -> None:
    ran = dractl("plan", "-", stdin=CLAIM.encode())
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        'error: <stdin>:15:23: ResourceClaim ml/gpus: spec.devices.constraints[0].matchAttribute: "pcieRoot" is not a '
        "qualified name\n"
        "  15 |       matchAttribute: pcieRoot\n"
        "     |                       ^^^^^^^^ write it as DOMAIN/NAME, for example resource.kubernetes.io/pcieRoot\n"
        "1 error; nothing was planned.\n"
    )


def test_errors_of_reading_and_of_checking_come_together_in_the_order_of_the_lines() -> None:
    text = f"{CLAIM}---\nkind: Pod\napiVersion: v1\nmetadata: {{name: p, nmae: q}}\n{CONTAINERS}---\na: [\n"
    err = dractl("plan", "-", stdin=text.encode()).err
    starts = [line.split(": ")[1] for line in err.splitlines() if line.startswith("error: ")]
    assert starts == ["<stdin>:15:23", "<stdin>:19:21", "<stdin>:23:1"]
    assert err.endswith("3 errors; nothing was planned.\n")


def test_only_the_first_fifty_are_shown() -> None:
    pods = [f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p{number}, nmae: q}}\n{CONTAINERS}" for number in range(60)]
    err = dractl("plan", "-", stdin="---\n".join(pods).encode()).err
    assert err.count("error: ") == 50
    assert err.endswith("60 errors (50 shown); nothing was planned.\n")


def test_a_line_of_a_thousand_characters_is_cut_around_the_place() -> None:
    labels = ",".join(f'"label-{number}":"x"' for number in range(100))
    text = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{' + labels + '},"nmae":"q"},'
    text += '"spec":{"containers":[{"name":"c","image":"i"}]}}'
    err = dractl("plan", "-", stdin=text.encode()).err
    line = next(line for line in err.splitlines() if line.startswith("  1 | "))
    mark = next(line for line in err.splitlines() if "^" in line)
    assert len(line) < 140
    assert '"nmae"' in line[mark.index("^") - 10 :]


def test_tabs_and_control_characters_do_not_shift_or_steer() -> None:
    text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  nmae:\t\tq\n"
    err = dractl("plan", "-", stdin=text.encode()).err
    assert "  5 |   nmae:  q\n" in err
    assert "\x1b" not in dractl("plan", "-", stdin=b'{"kind": "\\u001b[31mPod", "apiVersion": "v1"}').err


def test_nothing_is_written_to_files_either() -> None:
    assert dractl("plan", "-", "-o", "json=/nonexistent/x.json", stdin=CLAIM.encode()).code == 2


def test_a_file_that_is_no_text_is_told_beside_the_faults_of_others(tmp_path: Path) -> None:
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("kind: Pod\nmetadata: {name: Müller}\n".encode("latin-1"))
    ran = dractl("plan", str(latin), "-", stdin=CLAIM.encode())
    assert (ran.code, ran.out) == (2, "")
    assert (
        f"error: {latin}:2:19: the file is not text: byte 0xfc is not UTF-8\n  2 | metadata: {{name: M�ller}}\n"
        in ran.err
    )
    assert "error: <stdin>:15:23: " in ran.err
    assert ran.err.endswith("2 errors; nothing was planned.\n")


@pytest.mark.parametrize("command", ["plan", "gates", "topology"])
def test_bytes_that_are_no_text_are_bad_input_to_every_command(command: str) -> None:
    ran = dractl(command, "-", stdin=b"\x87\x8f\x01\n\xfc")
    assert ran.code == 2
    assert "byte 0x87 is not UTF-8" in ran.err


@pytest.mark.parametrize("output", ["json", "yaml", "table"])
def test_parameters_may_be_nested_as_deep_as_kubernetes_reads_them(output: str) -> None:
    """Their size is limited, not their depth: 1,200 levels are far below it."""
    parameters = '{"a":' * 1200 + "1" + "}" * 1200
    claim = (
        '{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{'
        '"requests":[{"name":"r","exactly":{"deviceClassName":"gpu"}}],'
        '"config":[{"opaque":{"driver":"gpu.example.com","parameters":' + parameters + "}}]}}}"
    )
    ran = dractl("plan", "-", "-o", output, stdin=claim.encode())
    assert ran.code == 0, ran.err
