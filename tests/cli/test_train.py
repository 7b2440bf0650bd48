"""`polytrix train` is the training script of that name."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from polytrix.cli import train
from tests.cli.running import refused
from tests.commands import run, with_sources

pytest.importorskip("torch", reason="training needs the extra 'train'")

BRIEFLY = ("--total-steps", "64", "--num-envs", "4", "--num-steps", "4", "--batch-size", "16", "--layers", "8",
           "--final-games", "2", "--options.max-decisions", "20")  # fmt: skip


def called(folder: Path, *arguments: str, code: int = 0) -> str:
    """What the command prints in this folder."""
    command = ("-m", "polytrix.cli", "train", *arguments)
    done = run(sys.executable, *command, cwd=folder, env=with_sources(), code=code)
    return done.stdout + done.stderr


@pytest.mark.slow
def test_it_trains_in_the_working_directory(tmp_path: Path) -> None:
    assert "policy.npz" in called(tmp_path, "quatrix", *BRIEFLY)
    assert (tmp_path / "runs" / "fast-quatrix" / "policy.npz").is_file()
    record = json.loads((tmp_path / "runs" / "fast-quatrix" / "result.json").read_text())
    assert record["command"] == "polytrix train quatrix " + " ".join(BRIEFLY)
    assert record["script"] == "fast_ppo.py" and record["settings"]["num_envs"] == 4
    assert "- Command: `polytrix train quatrix " in (tmp_path / "runs" / "fast-quatrix" / "card.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "own"),
    [
        ((), "--imitation "),
        (("--script", "sb3_ppo"), "--weight-greedy "),
        (("--script", "expert"), "--simulations "),
        (("--script", "best_response"), "--search-simulations "),
    ],
)
def test_help_lists_the_settings_of_the_script(more: tuple[str, ...], own: str, tmp_path: Path) -> None:
    shown = called(tmp_path, *more, "quatrix", "--help")
    assert own in shown and "--minutes " in shown and "--options.finish-depth" in shown
    assert f"usage: {' '.join(('polytrix', 'train', *more))} " in shown
    assert shown.startswith("Settings of ")
    assert "--script: fast_ppo, ppo, sb3_ppo, rllib_ppo, expert, imitate, best_response" in shown
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_errors_of_the_script_are_those_of_the_command(tmp_path: Path) -> None:
    assert "Did you mean 'quatrix'?" in called(tmp_path, "quatris", code=1)
    assert "polytrix train --help" in called(tmp_path, "quatrix", "--minuts", "3", code=2)


def test_without_the_extra_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", sys.argv)
    for missing, script, extra in (("torch", "sb3_ppo", "train"), ("ray", "rllib_ppo", "rllib")):
        with monkeypatch.context() as patch:
            patch.delitem(sys.modules, f"polytrix.training.{script}", raising=False)
            patch.setitem(sys.modules, missing, None)
            said = refused("train", "--script", script, "quatrix")
        assert said == f"error: training needs an optional extra: pip install 'polytrix[{extra}]'"


def test_an_unknown_script() -> None:
    assert "'rllib_ppo'" in refused("train", "--script", "nonesuch")


def test_there_is_a_file_for_each_script() -> None:
    for script in train.Script:
        assert find_spec(f"polytrix.training.{script.value}")
