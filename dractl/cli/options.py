"""Options that commands have in common, declared once."""

import re
from typing import Annotated, Final, TypeAlias

import typer

from dractl.cli.exit_codes import FailOn
from dractl.cli.terminal import Color
from dractl.errors import UsageError

_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def namespace_name(name: str | None) -> str | None:
    """Raises UsageError for what no namespace can be called."""
    if name is not None and not _LABEL.fullmatch(name):
        raise UsageError(
            f"-n {name!r} is not the name of a namespace",
            "write at most 63 lower case letters, digits and -, with a letter or digit at both ends",
        )
    return name


Paths: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH]...", help="Manifests and dumps: files, folders, globs, or - for standard input."),
]
Filenames: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("-f", "--filename", metavar="PATH", help="The same as PATH. Repeatable."),
]
Recursive: TypeAlias = Annotated[bool, typer.Option("-R", "--recursive", help="Read the subfolders of folders too.")]
Namespace: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "-n",
        "--namespace",
        metavar="NAME",
        callback=namespace_name,
        help="The namespace of objects that name none, and the only one that is shown; all are planned.",
    ),
]
AllNamespaces: TypeAlias = Annotated[
    bool, typer.Option("-A", "--all-namespaces", help="Show all namespaces, also with -n. The default without it.")
]
Outputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FORMAT[=FILE]",
        help="table (the default), wide, tree, name, yaml, json, metadata, markdown, junit, sarif or github; to a file "
        "with =FILE. Repeatable.",
    ),
]
KubernetesVersion: TypeAlias = Annotated[
    str, typer.Option("--kubernetes-version", metavar="VERSION", help="The release whose gates apply: 1.34 to 1.37.")
]
FeatureGates: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--feature-gates",
        metavar="NAME=BOOL,…",
        help="Gates to fix, or Defaults. Else a gate is at its default, and on besides if the input uses it.",
    ),
]
WantsOptimum: TypeAlias = Annotated[
    bool, typer.Option("--optimum", help="Look for the optimum even if every pod is placed.")
]
Prefers: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--prefer",
        metavar="aligned",
        help="Look for the optimum too; of the answers that place most pods, take one that aligns the most: devices on "
        "the NUMA node of their pod's CPUs.",
    ),
]
TimeLimit: TypeAlias = Annotated[
    str, typer.Option("--time-limit", metavar="DURATION", help="For the search of the optimum: 30s, 2m, 1m30s.")
]
Now: TypeAlias = Annotated[
    str | None,
    typer.Option("--now", metavar="TIME", help="The time of the plan: 2026-01-31T12:00:00Z. The default is the clock."),
]
ExitZero: TypeAlias = Annotated[
    bool, typer.Option("--exit-zero", help="Exit with 0 whatever becomes of the pods; bad input is still 2.")
]
TopologyFiles: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--topology", metavar="NODE=FILE", help="A dump, and whose it is where it does not say so. Repeatable."
    ),
]
KubeletConfigs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--kubelet-config",
        metavar="[NODE=]FILE",
        help="A KubeletConfiguration or configz, of one node or of all. Repeatable.",
    ),
]
SchedulerConfig: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--scheduler-config",
        metavar="FILE",
        help="A KubeSchedulerConfiguration; one among the manifests is read as well.",
    ),
]
FailOnFindings: TypeAlias = Annotated[
    FailOn, typer.Option("--fail-on", help="Exit with 1 if a finding is at least so severe.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("-q", "--quiet", help="Only the answer and errors.")]
Verbose: TypeAlias = Annotated[
    bool,
    typer.Option("-v", "--verbose", help="Say how long each step took, and where an internal error was."),
]
ColorWhen: TypeAlias = Annotated[Color, typer.Option("--color", help="auto colours a terminal unless NO_COLOR is set.")]
NoProgress: TypeAlias = Annotated[
    bool, typer.Option("--no-progress", help="Do not show what is going on; on a terminal it is shown.")
]
