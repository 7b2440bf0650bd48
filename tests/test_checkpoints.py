"""The released baselines load, are as strong as their cards say, and are named after their games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polytrix
from polytrix.agents import load
from polytrix.training.shared.evaluation import evaluate
from tests.pages import ROOT

FOLDERS = sorted(path.parent for path in (ROOT / "checkpoints").glob("*/policy.npz"))


@pytest.mark.parametrize("part", [10, pytest.param(1, marks=pytest.mark.slow)], ids=["a tenth", "all games"])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_released_baseline_reproduces_its_card(folder: Path, part: int) -> None:
    """A tenth of the games is enough to see a network that no longer fits its game."""
    record = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    game, options = polytrix.find(record["environment"]).configured(record["settings"]["options"])
    policy = load(folder / "policy.npz", game, deterministic=True)
    for told in record["results"]:
        result = evaluate(game, policy, told["opponent"], told["games"] // part, options)
        low, high = (told["rate"] + (end - told["rate"]) * part**0.5 for end in told["interval"])
        assert low <= result.rate <= high, f"{told['opponent']}: {result.rate} is outside {low}..{high}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_is_named_after_its_run(folder: Path) -> None:
    """`NAME-vN`, with `-playersN` for an unusual number of players, and `-expert` for expert iteration."""
    record = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    game, options = polytrix.find(record["environment"]).configured(record["settings"]["options"])
    usual = game.num_players(game.options.defaults) == game.num_players(options)
    suffix = "" if usual else f"-players{game.num_players(options)}"
    suffix += "-expert" if record.get("script") == "expert.py" else ""
    assert folder.name == f"{game.name}-v{game.version}{suffix}"
