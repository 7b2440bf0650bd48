"""`values.py`: a value head that predicts payoffs, beside layers that stay as they are."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import polytrix
from polytrix.agents import NetworkPolicy, load, save_network
from polytrix.training import beliefs, values
from tests.networks import some_network

GAME = polytrix.find("resistor")


def test_values_are_added_and_explain_payoffs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(values, "for_minutes", lambda *_: range(300))  # steps, however long they take
    before = some_network(GAME, (24,))
    file = save_network(tmp_path / "wise.npz", GAME, before.layers, "relu", {"mine": 1})
    values.main(["resistor", str(file), "--minutes", "0.08", "--num-envs", "64", "--share-greedy", "0.5"])
    assert "explain" in capsys.readouterr().out
    after = load(file, GAME)
    assert isinstance(after, NetworkPolicy) and after.values is not None
    assert after.notes["mine"] == 1 and after.notes["value_games"] > 50
    assert after.notes["value_share_greedy"] == 0.5
    for (weight, bias), (old_weight, old_bias) in zip(after.layers, before.layers, strict=True):
        assert np.array_equal(weight, old_weight) and np.array_equal(bias, old_bias)
    sim = polytrix.Simulator(GAME, 5, seed=1)
    expected = after.payoffs(sim.observation)
    assert expected.shape == (5, 2) and expected.any() and (abs(expected) <= 1).all()


@pytest.mark.parametrize("script", [beliefs, values], ids=lambda script: script.__name__)
@pytest.mark.parametrize(
    ("network", "problem"),
    [
        ("ppo", "--out is missing"),
        ("absent.npz", "network is absent"),
        ("greedy", "is greedy, which is no saved network"),
    ],
)
def test_what_cannot_be_read_or_replaced_is_refused(script: ModuleType, network: str, problem: str) -> None:
    with pytest.raises(SystemExit, match=problem):
        script.main(["estimatrix", network])


def test_values_of_games_that_are_all_drawn_explain_a_finite_part() -> None:
    settings = values.HeadSettings("resistor", "any.npz")
    features, payoffs = np.ones((20, 3), np.float32), np.zeros((20, 2), np.float32)
    _, explained = values.fitted(features, payoffs, np.arange(20), settings, players=2)
    assert np.isfinite(explained)
