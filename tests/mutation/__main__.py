"""`python -m tests.mutation`: mutants of a part of the package, and which of them the tests notice.

    pip install cosmic-ray==8.7.0
    python -m tests.mutation quatrix --count 200 --seed 1

Cosmic Ray (https://cosmic-ray.readthedocs.io) makes the mutants, in a copy of what is committed or staged, and
keeps their results in `build/mutation`: after Ctrl-C the same command goes on. Each mutant meets the quick
tests with the rules as plain Python, and if these pass, those that need compiled rules. On two cores, run two
parts. `equivalent.toml` names the mutants that no test can tell from the original.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import json
import os
import random
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import parso
from cosmic_ray.commands import execute, init
from cosmic_ray.config import ConfigDict
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import OPERATOR_PROVIDERS, get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkItem

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "mutation"
HERE = Path(__file__).parent
PACKAGE = Path("envs/polytrix")

NO_RULES = {"__init__.py", "words.py", "notation.py", "text.py", "picture.py", "card_pictures.py"}
"""Files of a game that say how it is described, written and drawn."""

NO_APIS = {"__init__.py", "benchmarl", "jax", "rllib", "tianshou", "torchrl"}
"""Files that call nothing, and libraries that have environments of their own."""

ANY_GAME = (
    "tests/games/test_limit.py",
    "tests/games/test_public.py",
    "tests/games/test_redeal.py",
    "tests/games/test_worked_positions.py",
    "tests/shared/test_golden.py",
    "tests/shared/test_every_game.py",
    "tests/shared/test_tell.py",
)
TWO_GAMES = ("quatrix", "estimatrix")
"""Games with which the tests of all games try the core and the APIs."""

SECONDS_PER_TEST = 20
"""A test that takes longer in plain Python is left to the compiled rules."""


class Part(NamedTuple):
    """Files that are mutated, the tests that answer for them, and the games among those of `tests/shared`."""

    files: list[Path]
    tests: list[str]
    games: tuple[str, ...]


def parts() -> dict[str, Part]:
    """By name: each game's rules, `core` and `api`."""
    found = {}
    for rules in sorted(PACKAGE.glob("games/*/rules.py")):
        name = rules.parent.name
        files = [file for file in rules.parent.rglob("*.py") if file.name not in NO_RULES]
        found[name] = Part(files, [f"tests/games/{name}", *ANY_GAME], (name,))
    core = [file for file in PACKAGE.glob("core/**/*.py") if file.name not in ("__init__.py", "rules.py")]
    apis = [file for folder in ("api", "learning") for file in PACKAGE.glob(f"{folder}/**/*.py")]
    apis = [file for file in apis if not NO_APIS & {file.name, file.stem, file.parent.name}]
    agents = [
        f"tests/agents/test_{name}.py" for name in ("search", "guided", "golden_choices", "policy", "choice")
    ]
    found["core"] = Part(core, ["tests/core", *agents, "tests/shared", str(PACKAGE / "core")], TWO_GAMES)
    tests = [
        "tests/learning",
        "tests/api",
        "tests/shared/test_bad_calls.py",
        "tests/training/test_references.py",
    ]
    doctests = [str(PACKAGE / folder) for folder in ("api", "learning")]
    found["api"] = Part(apis, [*tests, *doctests], TWO_GAMES)
    return found


class RemoveStatement(Operator):  # type: ignore[misc]  # Cosmic Ray has no types
    """An assignment or a call that stands alone is left out; Cosmic Ray has no such operator."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        """All of a statement that is an assignment or a call."""
        alone = node.parent is not None and node.parent.type == "simple_stmt"
        call = node.type in ("atom_expr", "power") and str(node.children[-1].get_code()).endswith(")")
        if alone and (node.type == "expr_stmt" or call):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """`pass` instead."""
        return parso.python.tree.Keyword("pass", node.start_pos, node.get_first_leaf().prefix)

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        """Before and after."""
        return (Example("x = f(1)", "pass"), Example("f(1)", "pass"))


OPERATOR_PROVIDERS["polytrix"] = {"RemoveStatement": RemoveStatement}


def draw(session: WorkDB, files: Sequence[Path], count: int, seed: int) -> None:
    """Keep `count` mutants of different places, or all: each place is as likely, and each mistake there.

    Places are those in functions, but for annotations, decorators and the errors that are raised. `is` in the
    place of `==` says something about Python's small numbers, not about rules.
    """
    init(sorted(files), session, {})
    inside, outside = {}, {}
    for file in files:
        inside[file], outside[file] = spans(ast.parse(file.read_text(encoding="utf-8")))
    places: dict[Any, list[WorkItem]] = {}
    for item in session.work_items:
        (spec,) = item.mutations
        file, start, end = spec.module_path, spec.start_pos, spec.end_pos
        if "_Is" in spec.operator_name or any(a <= start < b for a, b in outside[file]):
            continue
        if any(a <= start and end <= b for a, b in inside[file]):
            places.setdefault((file, start, end), []).append(item)
    generator = random.Random(seed)
    sample = generator.sample(sorted(places), min(count, len(places)))
    drawn = [generator.choice(sorted(places[place], key=lambda item: str(item.mutations))) for place in sample]
    session.clear()
    session.add_work_items(drawn)


def spans(tree: ast.AST) -> tuple[list[Any], list[Any]]:
    """Where the bodies of functions are, and where the annotations and the errors that they raise."""
    inside, outside = [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            inside.append(_span(node.body[0], node.body[-1]))
            outside += [_span(each) for each in node.decorator_list]
        left = [getattr(node, name, None) for name in ("annotation", "returns", "exc", "msg")]
        outside += [_span(each) for each in left if isinstance(each, ast.AST)]
    return inside, outside


def _span(first: Any, last: Any = None) -> tuple[tuple[int, int], tuple[int, int]]:
    last = last or first
    return (first.lineno, first.col_offset), (last.end_lineno, last.end_col_offset)


def key(spec: MutationSpec) -> str:
    """Names a mutant, wherever its function stands in the file: what its lines become."""
    source = spec.module_path.read_text(encoding="utf-8")
    mutated = mutate_code(source, get_operator(spec.operator_name)(), spec.occurrence)
    lines = list(difflib.unified_diff(source.splitlines(), mutated.splitlines(), n=0, lineterm=""))[3:]
    before, after = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    same = source.splitlines()[: spec.start_pos[0] - 1].count(source.splitlines()[spec.start_pos[0] - 1])
    return f"{spec.module_path}::{spec.definition_name} {before} -> {after}" + (f" [{same}]" if same else "")


def pytest(*arguments: str, tree: Path, plain: bool, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the tests of a copy of the tree."""
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", *arguments]
    return subprocess.run(command, cwd=tree, env=environment(tree, plain), text=True, check=False, **settings)


def environment(tree: Path, plain: bool) -> dict[str, str]:
    """Variables under which the package of a copy is imported, and its programs go into its own cache."""
    path = os.pathsep.join(str(tree / folder) for folder in ("envs", "training", "."))
    given = {**os.environ, "PYTHONPATH": path, "POLYTRIX_CACHE": str(tree.parent / "cache")}
    return given | ({"NUMBA_DISABLE_JIT": "1"} if plain else {})


def command_of(part: Part, folder: Path) -> tuple[str, float]:
    """What tests a mutant, and the seconds that this takes without one.

    Raises:
        SystemExit: the tests with compiled rules fail without a mutant.
    """
    tree = folder / "tree"
    listed = pytest(
        "--collect-only", "-m", "not slow", *part.tests, tree=tree, plain=False, capture_output=True
    )
    tests = [line for line in listed.stdout.splitlines() if "::" in line]
    others = {path.parent.name for path in PACKAGE.glob("games/*/rules.py")} - set(part.games)
    of_all_games = [test for test in tests if test.startswith(("tests/shared/", "tests/games/test_"))]
    left_out = {test for test in of_all_games if any(name in test for name in others)}
    tests = [test for test in tests if test not in left_out]
    limit = (f"--timeout={SECONDS_PER_TEST}", "--timeout-method=signal")
    quick, compiled = folder / "quick.txt", folder / "compiled.txt"
    quick.write_text("\n".join(tests), encoding="utf-8")
    begun = time.monotonic()
    for _ in range(3):  # a time limit now and then meets a frame without a line, which pytest cannot bear
        if pytest(*limit, "--tb=no", f"@{quick}", tree=tree, plain=True, stdout=sys.stderr).returncode < 2:
            break
    else:
        raise SystemExit("the tests in plain Python come to no end without a mutant")
    with contextlib.suppress(FileNotFoundError):
        failed = json.loads((tree / ".pytest_cache/v/cache/lastfailed").read_text(encoding="utf-8"))
        tests = [test for test in tests if test not in failed]
        compiled.write_text("\n".join(failed), encoding="utf-8")
        if pytest("-x", f"@{compiled}", tree=tree, plain=False, stdout=sys.stderr).returncode:
            raise SystemExit("tests fail without a mutant")
    quick.write_text("\n".join(tests), encoding="utf-8")
    run = f"{shlex.quote(sys.executable)} -m pytest -x -p no:xdist -p no:cacheprovider"
    plain = f"NUMBA_DISABLE_JIT=1 {run} {' '.join(limit)} @{quick}"
    both = f"{plain} && {run} @{compiled}" if compiled.exists() else plain
    return f"sh -c {shlex.quote(both)}", time.monotonic() - begun


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign and print its summary; 0 if at least 97% of all mutants were killed or are equivalent."""
    os.chdir(ROOT)
    all_parts = parts()
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("part", choices=all_parts)
    parser.add_argument("--count", type=int, default=200, help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn (1)")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    given = parser.parse_args(arguments)
    part = all_parts[given.part]
    equivalent = {entry["key"] for entry in tomllib.loads((HERE / "equivalent.toml").read_text())["mutant"]}
    folder = BUILD / f"{given.part}-{given.seed}-{given.count}"
    tests = folder / "tests.json"
    if not folder.exists():
        subprocess.run(["git", "checkout-index", "--all", f"--prefix={folder / 'tree'}/"], check=True)
    os.chdir(folder / "tree")
    with use_db(str(folder / "session.sqlite"), WorkDB.Mode.create) as session:
        if not session.num_work_items:
            draw(session, part.files, given.count, given.seed)
        names = {item.job_id: key(item.mutations[0]) for item in session.work_items}
        if given.list:
            print("\n".join(names.values()))
            return 0
        if not tests.exists():
            command, seconds = command_of(part, folder)
            tests.write_text(json.dumps({"command": command, "seconds": seconds}), encoding="utf-8")
        known = json.loads(tests.read_text(encoding="utf-8"))
        os.environ.update(environment(folder / "tree", plain=False))
        settings = {"test-command": known["command"], "timeout": 60 + 5 * known["seconds"]}
        execute(session, ConfigDict(settings, distributor=ConfigDict(name="local")))
        outcomes = {names[job]: result.test_outcome for job, result in session.results}
    survived = [name for name, outcome in outcomes.items() if outcome == TestOutcome.SURVIVED]
    missed = [name for name in survived if name not in equivalent]
    print("\n".join(f"survived: {name}" for name in missed))
    killed, equal = len(outcomes) - len(survived), len(survived) - len(missed)
    print(f"{given.part}, {len(names)} mutants: {killed} killed, {equal} equivalent, {len(missed)} missed")
    return 0 if len(outcomes) == len(names) and 100 * len(missed) <= 3 * len(names) else 1


if __name__ == "__main__":
    raise SystemExit(main())
