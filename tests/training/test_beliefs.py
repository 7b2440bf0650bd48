"""`beliefs.py`: a network that foresees hidden actions, beside layers that stay as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polytrix
from polytrix.agents import NetworkPolicy, load
from polytrix.core.search.tree import NONE
from polytrix.training import beliefs
from polytrix.training.beliefs import Positions, cross_entropy, imagined, main
from tests.networks import save, some_network

GAME = polytrix.find("estimatrix")


def saved(tmp_path: Path, game: polytrix.Game = GAME) -> Path:
    return save(tmp_path / "wise.npz", some_network(game, (24,)), mine=1)


def test_beliefs_are_added_and_better_than_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(beliefs, "BLOCK", 8192)
    monkeypatch.setattr(beliefs, "for_minutes", lambda *_: range(6))  # blocks, however long they take
    file = saved(tmp_path)
    before = load(file, GAME)
    wanted = "--minutes 1000 --num-envs 64 --share-greedy 1 --held-out 1000 --layers 40 20 --batch-size 128"
    main(["estimatrix", str(file), *wanted.split()])
    assert "hidden actions" in capsys.readouterr().out
    after = load(file, GAME)
    assert isinstance(after, NetworkPolicy) and isinstance(before, NetworkPolicy)
    assert after.beliefs is not None and [len(bias) for _, bias in after.beliefs[:-1]] == [40, 20]
    for (weight, bias), (old_weight, old_bias) in zip(after.layers, before.layers, strict=True):
        assert np.array_equal(weight, old_weight) and np.array_equal(bias, old_bias)
    assert after.values is not None and before.values is not None
    assert np.array_equal(after.values[0], before.values[0])
    figures = after.notes["belief_quality"]
    assert after.notes["mine"] == 1 and after.notes["belief_share_greedy"] == 1.0
    assert figures["learned"]["cross_entropy"] < figures["redeal"]["cross_entropy"] - 0.1


def test_the_cross_entropy_follows_from_probabilities() -> None:
    hidden = np.array([[3, NONE], [1, 2]])
    foreseen = np.zeros((2, 2, 5), np.float32)
    foreseen[0, 0, [3, 4]] = 0.75, 0.25
    foreseen[1, 0, [0, 1]] = 0.9, 0.1
    foreseen[1, 1, 2] = 1.0
    nothing = Positions(np.zeros((2, 1), np.int8), hidden, np.zeros(2, GAME.state))
    assert cross_entropy(nothing, foreseen) == pytest.approx(-np.log([0.75, 0.1, 1.0]).mean())


def test_worlds_are_counted() -> None:
    game = polytrix.find("pressure_matrix")
    _, options = game.configured({"players": 3})
    sim = polytrix.Simulator(game, 60, options, seed=3)
    for _ in range(2):
        sim.step(sim.random_actions(np.arange(60)))
    positions = Positions(sim.observation, sim.hidden_actions(sim.mover), sim.states)
    found = imagined(game, game.redeal, options, positions, seed=1)
    bids = slice(game.actions.offset("bid"), game.actions.offset("bid") + 6)
    assert found.shape == (60, game.max_players - 1, game.actions.size)
    assert found.sum(2) == pytest.approx(np.ones(found.shape[:2]), abs=1e-5)
    assert (found[:, :2, bids].sum(2) > 0.9).all()  # of seats 0 and 1, that have bid
    assert found[:, :2, bids].mean((0, 1)) == pytest.approx(np.full(6, 0.162), abs=0.03)


def test_a_game_without_hidden_actions_is_refused() -> None:
    with pytest.raises(SystemExit, match="has no hidden actions"):
        main(["quatrix"])
