"""The wheel holds the package with the released networks and training scripts, and works without extras."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import polytrix

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

PLAY = """
import random, polytrix
from polytrix import quatrix_v0
env = quatrix_v0.env(max_decisions=5, render_mode="rgb_array")
env.reset(seed=1)
while env.legal_actions():
    env.step(random.choice(env.legal_actions()))
assert all(env.truncations.values())
assert env.render().ndim == 3
from polytrix.agents import resolve
assert resolve("ppo", polytrix.find("quatrix")).name == "ppo"
assert polytrix.find("resistor").with_data(deck="micro").replaced
for file in (polytrix.__file__, *(network.path for network in polytrix.baselines())):
    print(file)
"""


def called(*command: object) -> str:
    """Standard output of a command that must succeed; it sees what is installed, and no other path."""
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, check=False, cwd=ROOT, env=ENVIRONMENT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist. (The wheel is made from the sdist.)"""
    folder = tmp_path_factory.mktemp("dist")
    called(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def test_the_wheel_installs_nothing_but_the_package(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as wheel:
        names = wheel.namelist()
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        described = wheel.read(metadata).decode()
        entries = wheel.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    assert {name.split("/")[0] for name in names} == {"polytrix", metadata.split("/")[0]}
    assert "polytrix = polytrix.cli:main" in entries
    assert "License-Expression: MIT" in described


def test_the_wheel_has_every_source_file_and_all_data(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("polytrix/")}
    folders = ("envs/polytrix", "checkpoints", "training")
    tracked = called("git", "ls-files", "--cached", "--others", "--exclude-standard", *folders).split()
    left_out = {f"training/{name}.py" for name in ("arena", "leaderboard", "leaderboard_page", "ppo")}
    inside = {name if name.startswith("envs/") else f"envs/polytrix/{name}" for name in {*tracked} - left_out}
    assert packed == {name.removeprefix("envs/") for name in inside}
    assert "polytrix/py.typed" in packed
    assert {
        f"polytrix/checkpoints/{game.name}-v{game.version}/policy.npz" for game in polytrix.all_games()
    } <= packed
    assert {"polytrix/training/fast_ppo.py", "polytrix/training/settings/fast_ppo/quatrix.toml"} <= packed
    assert {f"polytrix/games/{game.name}/README.md" for game in polytrix.all_games()} <= packed


def test_the_sdist_builds_what_the_repository_builds(built: Path) -> None:
    with tarfile.open(only(built, "*.tar.gz")) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"pyproject.toml", "setup.py", "README.md", "LICENSE", "envs/polytrix/py.typed"} <= names
    assert {"checkpoints/quatrix-v0/policy.npz", "training/fast_ppo.py"} <= names


@pytest.mark.slow
def test_the_wheel_plays_in_an_empty_environment(built: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    wheel = only(built, "*.whl")
    called(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
    files = called(python, "-I", "-c", PLAY).split()  # -I: not the sources
    assert len(files) == 7 and all(str(tmp_path) in file for file in files)
    installed = called(python, "-m", "pip", "list", "--format", "freeze").lower()
    assert not any(extra in installed for extra in ("torch", "typer", "pygame", "stable"))
    done = subprocess.run([python, "-I", "-m", "polytrix.cli"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "polytrix[cli]" in done.stderr
