"""Games from elsewhere, found when polytrix is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import ROOT

SMALL = """
from dataclasses import replace
import polytrix
polytrix.register(replace(polytrix.find("quatrix"), name="{name}"))
"""


def package(folder: Path, name: str, content: str = SMALL) -> Path:
    """A package that registers a game of its own name."""
    made = folder / name
    made.mkdir(parents=True)
    (made / "__init__.py").write_text(content.format(name=name))
    return made


def installed(folder: Path, name: str) -> None:
    """What an installer leaves beside a package that names itself in the entry point group."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[polytrix.games]\n{name} = {name}\n")


def run(code: str, path: Path | None = None, *, games: str = "") -> subprocess.CompletedProcess[str]:
    """A fresh interpreter, with a folder among its paths and games named."""
    paths = os.pathsep.join(str(each) for each in (path, ROOT / "envs") if each)
    environment = {**os.environ, "PYTHONPATH": paths, "POLYTRIX_GAMES": games}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


FIND = "import polytrix; print(*(game.name for game in polytrix.all_games() if game.name in ('mine', 'yours')))"


def test_folders_are_named_in_a_variable(tmp_path: Path) -> None:
    games = [package(tmp_path / place, name) for place, name in (("here", "mine"), ("there", "yours"))]
    assert run(FIND, games=os.pathsep.join(map(str, games))).stdout == "mine yours\n"


def test_an_installed_package_names_itself(tmp_path: Path) -> None:
    package(tmp_path, "mine")
    installed(tmp_path, "mine")
    assert run(FIND, tmp_path).stdout == "mine\n"


@pytest.mark.parametrize("first", ["polytrix", "mine", "polytrix.core.game"])
def test_it_does_not_matter_what_is_imported_first(first: str, tmp_path: Path) -> None:
    folder = package(tmp_path, "mine")
    done = run(f"import {first}; {FIND}", tmp_path, games=str(folder))
    assert (done.stdout, done.stderr) == ("mine\n", "")


QUATRIX = "import polytrix; print(polytrix.find('quatrix').name)"


def with_package(by: str, folder: Path, name: str, content: str, code: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that finds a package, as an installed one or as a folder."""
    made = package(folder, name, content)
    if by == "folder":
        return run(code, games=str(made))
    installed(folder, name)
    return run(code, folder)


either = pytest.mark.parametrize("by", ["installer", "folder"])


@either
@pytest.mark.parametrize(
    "failing", ["raise RuntimeError('no luck')", "raise SystemExit(3)", "raise GeneratorExit"]
)
def test_a_package_that_fails_takes_nothing_away(by: str, failing: str, tmp_path: Path) -> None:
    done = with_package(by, tmp_path, "broken", failing, QUATRIX)
    assert (done.returncode, done.stdout) == (0, "quatrix\n")
    assert "broken are missing: " in done.stderr


def test_the_folders_after_one_that_fails_are_found(tmp_path: Path) -> None:
    games = [tmp_path, package(tmp_path / "1", "json"), package(tmp_path / "2", "mine")]
    done = run(FIND, games=os.pathsep.join(map(str, games)))
    assert (done.returncode, done.stdout) == (0, "mine\n")
    assert f"POLYTRIX_GAMES names '{tmp_path}'; allowed: folders of packages" in done.stderr
    assert "but json is" in done.stderr and "rename it" in done.stderr


REPLACING = """
from dataclasses import replace
import polytrix
polytrix.register(replace(polytrix.find("quatrix"), title="mine"))
"""
FAILING = REPLACING + "raise RuntimeError('no luck')"
WHOSE = """
import gymnasium, polytrix
print(polytrix.find("quatrix").title, gymnasium.spec("polytrix/quatrix-v0").id)
"""


@either
@pytest.mark.parametrize("content", [REPLACING, FAILING], ids=["", "failing"])
def test_a_package_does_not_replace_a_game(by: str, content: str, tmp_path: Path) -> None:
    done = with_package(by, tmp_path, "cuckoo", content, WHOSE)
    assert (done.returncode, done.stdout) == (0, "Quatrix polytrix/quatrix-v0\n")
    expected = "are missing" if content == FAILING else "cuckoo registers polytrix/quatrix-v0, which there is"
    assert expected in done.stderr


def test_a_game_of_another_plugin_is_not_replaced_either(tmp_path: Path) -> None:
    package(tmp_path, "mine")
    installed(tmp_path, "mine")
    cuckoo = REPLACING.replace('find("quatrix")', 'find("mine")')
    done = run("import polytrix", tmp_path, games=str(package(tmp_path, "cuckoo", cuckoo)))
    assert "cuckoo registers polytrix/mine-v0, which there is already and which is kept" in done.stderr
