"""`sb3_ppo.py` accepts data files of a game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from polytrix.agents import load
from polytrix.core.game import Game
from polytrix.training.sb3_ppo import main, read_settings
from tests.stones import BIG, LIGHTS, MANY, STONES

SMALL = [
    "--total-steps", "64", "--num-envs", "4", "--num-steps", "16", "--batch-size", "32", "--layers", "8",
    "--final-games", "4", "--options.max-decisions", "20",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _known(register: Callable[[Game], Game], in_plain_python: None) -> None:
    register(STONES)


def test_training_with_own_data_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in (("steps", BIG), ("prizes", MANY)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    own = [f"--options.{name}={tmp_path / name}.json" for name in ("steps", "prizes")]
    changed = STONES.with_data(steps=BIG, prizes=MANY)
    monkeypatch.setattr("sys.argv", ["sb3_ppo.py", "stones", "--out", str(tmp_path / "run"), *SMALL, *own])
    main()
    assert json.loads((tmp_path / "run" / "result.json").read_text())["steps"] == 64
    assert load(tmp_path / "run" / "policy.npz", changed).layers[0][0].shape == (LIGHTS + 4, 8)


def test_training_with_the_shipped_files() -> None:
    settings = read_settings(["stones", *SMALL])
    assert settings.options == {"top": 6, "doubling": True, "max_decisions": 20, "steps": "", "prizes": ""}
