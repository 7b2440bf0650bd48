"""The parts of the package that a campaign can be about: their files, and the tests that answer for them."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from tests.libraries import LIBRARIES

ROOT = Path(__file__).parents[2]
PACKAGE = "envs/polytrix"

PRESENTATION = {
    "__init__.py", "words.py", "notation.py", "text.py", "picture.py", "card_pictures.py",
}  # fmt: skip
"""Files of a game that are no rules: how it is described, written and drawn."""

OTHER_ENVIRONMENTS = {library.extra: library.package for library in LIBRARIES if library.own_environment}
"""Files or folders of `api`, and the library that their tests need and that has an environment of its own."""


@dataclass(frozen=True)
class Part:
    """Files, and tests in two stages.

    Attributes:
        name: what the command line calls it.
        files: what is mutated, as paths from the root.
        quick: files or folders of tests, or single tests; run first, with the rules as plain Python. Those that
            fail that way or take too long come in the second stage.
        thorough: the same, run with compiled rules for what is left.
        only: what must be in the name of a test of `tests/shared`.
        without: what must not be in it: mutants of what all games share would compile each of them anew.
        twice: whether tests that pass quickly as plain Python are run compiled as well: those of the compiler
            and its cache have little to do in plain Python.
        preload: modules that are imported once, before the first test run is forked.
        root: of the project.
        path: folders for `sys.path`.
    """

    name: str
    files: tuple[str, ...]
    quick: tuple[str, ...]
    thorough: tuple[str, ...] = ()
    only: str = ""
    without: tuple[str, ...] = ()
    twice: bool = False
    preload: tuple[str, ...] = ("numpy", "numba", "gymnasium", "pettingzoo", "PIL.Image", "resvg_py")
    root: Path = ROOT
    path: tuple[str, ...] = ("envs", "training", ".")

    def asks(self, test: str) -> bool:
        """Whether a test, given by its id, answers for this part."""
        if not test.startswith("tests/shared/"):
            return True
        return self.only in test and not any(name in test for name in self.without)


def parts() -> dict[str, Part]:
    """By name: each game's rules, `core` and `api`."""
    games = sorted(rules.parent.name for rules in (ROOT / PACKAGE / "games").glob("*/rules.py"))
    made = [_game(name) for name in games]  # without polytrix, which each test run imports for itself
    without = tuple(name for name in games if name not in ("quatrix", "estimatrix"))
    return {part.name: part for part in [*made, _core(without), _apis(without)]}


def _game(name: str) -> Part:
    own = f"tests/games/{name}"
    folder = ROOT / PACKAGE / "games" / name
    files = [file for file in sorted(folder.rglob("*.py")) if file.name not in PRESENTATION]
    return Part(
        name,
        tuple(str(file.relative_to(ROOT)) for file in files),
        quick=(
            own,
            "tests/shared/test_golden.py",
            "tests/shared/test_every_game.py::test_random_play_in_plain_python",
        ),
        thorough=("tests/shared/test_golden.py", "tests/shared/test_every_game.py"),
        only=name,
    )


def _core(without: tuple[str, ...]) -> Part:
    files = [
        file
        for file in sorted((ROOT / PACKAGE / "core").rglob("*.py"))
        if file.name not in {"__init__.py", "rules.py"}  # placeholders that are never run
    ]
    toys = ("tests/shared/test_planted_defects.py", "tests/shared/test_seats.py")
    apis = tuple(
        f"tests/api/test_{name}.py" for name in ("aec", "single", "vector", "learner", "seats", "words")
    )
    search = ("tests/agents/test_search.py", "tests/agents/test_policy.py", "tests/agents/test_choice.py")
    shared = tuple(
        f"tests/shared/test_{name}.py"
        for name in ("golden", "words", "every_game", "bad_calls", "files_from_strangers", "fuzz")
    )
    others = (
        "tests/agents/test_search_everywhere.py",
        "tests/api/test_data_files.py",
        "tests/test_registration.py",
    )
    return Part(
        "core",
        tuple(str(file.relative_to(ROOT)) for file in files),
        quick=("tests/core", *toys, *search, "envs/polytrix/core"),
        thorough=(*shared, *apis, *others, "tests/test_plugins.py"),
        without=without,
        twice=True,
    )


def _apis(without: tuple[str, ...]) -> Part:
    left_out = {
        name for name, library in OTHER_ENVIRONMENTS.items() if importlib.util.find_spec(library) is None
    }
    files = [
        file
        for folder in ("learning", "api")
        for file in sorted((ROOT / PACKAGE / folder).rglob("*.py"))
        if file.name != "__init__.py" and not left_out & {file.stem, file.parent.name}
    ]
    optional = ("torch", "stable_baselines3", "sb3_contrib", "pyspiel", "pygame")
    found = tuple(name for name in optional if importlib.util.find_spec(name) is not None)
    return Part(
        "api",
        tuple(str(file.relative_to(ROOT)) for file in files),
        quick=(
            "tests/learning",
            "tests/api",
            "tests/test_registration.py",
            "envs/polytrix/learning",
            "envs/polytrix/api",
        ),
        thorough=(
            "tests/shared/test_every_game.py::test_the_same_game_however_it_is_run",
            "tests/shared/test_bad_calls.py",
        ),
        without=without,
        preload=(*Part.preload, *found),
    )
