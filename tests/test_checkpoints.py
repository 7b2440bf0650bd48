"""The released baselines load, and are as strong as their cards say."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import polytrix
from polytrix.agents import load

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "training"))

from evaluation import evaluate  # noqa: E402

FOLDERS = sorted(path.parent for path in (ROOT / "checkpoints").glob("*/policy.npz"))


def test_every_game_has_a_baseline() -> None:
    released = {json.loads((folder / "result.json").read_text())["environment"] for folder in FOLDERS}
    assert released == {game.id for game in polytrix.all_games()}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_released_baseline_reproduces_its_card(folder: Path) -> None:
    record = json.loads((folder / "result.json").read_text())
    game = polytrix.find(record["environment"])
    policy = load(folder / "policy.npz", game, deterministic=True)
    for told in record["results"]:
        result = evaluate(game, policy, told["opponent"], told["games"], record["settings"]["options"])
        low, high = told["interval"]
        assert low <= result.rate <= high, f"{told['opponent']}: {result.rate} is outside {low}..{high}"
