"""The rooms of the package and who may import whom; imports inside functions count."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "dractl"

EVERYWHERE = frozenset({"", "errors", "gates", "finding", "near_misses", "phrases"})
"""The first row, which everything may import; "" is the package itself."""

ROOMS: dict[str, tuple[str, ...]] = {
    "api": (),
    "machine": ("api",),
    "cel": ("api",),
    "validation": ("cel",),
    "manifests": ("api",),
    "topology": ("machine",),
    "workloads": ("api",),
    "cluster": ("cel", "machine"),
    "problem": ("cluster",),
    "solution": ("problem",),
    "search": ("solution",),
    "scheduler": ("search",),
    "model": ("solution",),
    "kubelet": ("machine",),
    "explain": ("scheduler", "model", "kubelet"),
    "observe": ("validation", "solution", "kubelet"),
    "planner": ("explain", "observe", "workloads"),
    "report": ("planner",),
}
"""What each room may import besides; whatever those may import, it may import too. `cli` may import everything."""

LONGEST_FUNCTION = 90
LONGEST_MODULE = 600


def may_import(room: str) -> frozenset[str]:
    if room == "cli":
        return frozenset(ROOMS) | EVERYWHERE | {"cli"}
    named = ROOMS.get(room, ())
    return EVERYWHERE.union({room}, *(may_import(each) for each in named))


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(module: Path) -> str:
    """The folder or file below the package; `python -m dractl` is a door of the command line."""
    name = module.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return {"__init__": "", "__main__": "cli"}.get(name, name)


def imported(module: Path) -> Iterator[tuple[int, str]]:
    """Every module that is imported, with its line, relative imports resolved."""
    package = ("dractl", *module.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*start, *([node.module] if node.module else ())))
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_what_its_room_may(module: Path) -> None:
    room = room_of(module)
    allowed = may_import(room) if room in ROOMS or room == "cli" else EVERYWHERE
    for line, name in imported(module):
        parts = name.split(".")
        if parts[0] != "dractl":
            continue
        target = parts[1] if len(parts) > 1 else ""
        is_attribute = target not in ROOMS and target != "cli" and target not in EVERYWHERE
        assert is_attribute or target in allowed, f"{module.relative_to(PACKAGE)}:{line} imports {name}"


def test_every_room_is_known() -> None:
    found = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert found <= {*ROOMS, *EVERYWHERE, "cli"}


@pytest.mark.parametrize("library", ["ortools"])
def test_only_the_model_knows_the_solver(library: str) -> None:
    importers = {
        room_of(module) for module in modules() for _, name in imported(module) if name.split(".")[0] == library
    }
    assert importers <= {"model"}


def test_only_the_command_line_opens_prints_and_exits() -> None:
    forbidden = {"print", "open", "exit", "input"}
    found = [
        f"{module.relative_to(PACKAGE)}:{node.lineno}: {node.func.id}"
        for module in modules()
        if room_of(module) != "cli"
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in forbidden
    ]
    assert not found


def test_sizes_that_a_reader_can_take_in() -> None:
    found = []
    for module in modules():
        text = module.read_text(encoding="utf-8")
        name = module.relative_to(PACKAGE)
        if (lines := text.count("\n")) > LONGEST_MODULE:
            found.append(f"{name}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    found.append(f"{name}:{node.lineno}: {node.name} has {length} lines")
    assert not found
