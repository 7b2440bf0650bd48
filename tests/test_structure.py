"""Which modules may import which: no circles, and no arrow against the order of the layers."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {"envs": "", "training": "polytrix.training."}
"""Folders, and what the names of their modules begin with. The second one is linked from the first."""

LAYERS = {
    "polytrix.core": (),
    "polytrix.drawing": ("polytrix.core",),
    "polytrix.games": ("polytrix.core", "polytrix.drawing"),
    "polytrix.learning": ("polytrix.core",),
    "polytrix.agents": ("polytrix.core",),
    "polytrix.arena": ("polytrix.core", "polytrix.agents", "polytrix.drawing"),
    "polytrix.dataset": (
        "polytrix.core", "polytrix.learning", "polytrix.agents", "polytrix.arena", "polytrix.api",
        "polytrix.drawing",
    ),
    "polytrix.play": ("polytrix.core", "polytrix.agents", "polytrix.api", "polytrix.drawing"),
    "polytrix.replay": ("polytrix.core", "polytrix.agents", "polytrix.drawing", "polytrix.play"),
    "polytrix.programs": ("polytrix.core", "polytrix.agents", "polytrix.play"),
    "polytrix.llm": (
        "polytrix.core", "polytrix.agents", "polytrix.arena", "polytrix.play", "polytrix.programs",
        "polytrix.replay",
    ),
    "polytrix.web": (
        "polytrix.core", "polytrix.agents", "polytrix.drawing", "polytrix.play", "polytrix.replay",
    ),
    "polytrix.api": (
        "polytrix.core", "polytrix.learning", "polytrix.agents", "polytrix.arena", "polytrix.drawing",
    ),
}  # fmt: skip
"""What each package may import, besides itself."""


@cache
def modules() -> dict[str, Path]:
    """The files of all modules, also of those that cannot be imported here."""
    found = {}
    for source, prefix in SOURCES.items():
        for file in (ROOT / source).rglob("*.py"):
            name = prefix + ".".join(file.relative_to(ROOT / source).with_suffix("").parts)
            found[name.removesuffix("__init__").removesuffix(".")] = file
    return found


@cache
def imports(module: str) -> frozenset[str]:
    """The modules that a module imports: anywhere in it, for types only as well."""
    file = modules()[module]
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            levels = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*levels, *([node.module] if node.module else [])])
            inner = {f"{base}.{alias.name}" for alias in node.names}
            found |= inner & modules().keys()
            if inner - modules().keys():
                found.add(base)
    return frozenset(found & modules().keys()) - {module}


def circle_from(start: str) -> list[str]:
    """A way along imports from a module back to itself, or []."""
    waiting = [[start]]
    seen: set[str] = set()
    while waiting:
        way = waiting.pop(0)
        for module in imports(way[-1]):
            if module == start:
                return [*way, start]
            if module not in seen:
                seen.add(module)
                waiting.append([*way, module])
    return []


def test_no_module_imports_itself_through_others() -> None:
    assert len(modules()) > 200
    circles = {module: circle_from(module) for module in modules()}
    assert [" -> ".join(way) for way in circles.values() if way] == []


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_what_lies_below_it(layer: str) -> None:
    below = (layer, *LAYERS[layer])
    inside = [module for module in modules() if f"{module}.".startswith(f"{layer}.")]
    assert inside
    wrong = [
        f"{module} -> {other}"
        for module in inside
        for other in imports(module)
        if not f"{other}.".startswith(tuple(f"{allowed}." for allowed in below))
    ]
    assert wrong == []


def test_a_game_imports_no_other_game() -> None:
    wrong = [
        f"{module} -> {other}"
        for module in modules()
        for other in imports(module)
        if module.startswith("polytrix.games.")
        and other.startswith("polytrix.games.")
        and module.split(".")[2] != other.split(".")[2]
    ]
    assert wrong == []
