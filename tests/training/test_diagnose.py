"""`diagnose.py`: experiments that show where a guided search loses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")


from tests.networks import some_network

import polytrix
from polytrix.agents import GuidedSearchPolicy, save_network
from polytrix.training.diagnose import clairvoyant, duels, explained, main, played, read_settings, regret

GAME = polytrix.find("resistor")
NETWORK = some_network(GAME, (16,))
_, OPTIONS = GAME.configured({})


def settings(*arguments: str) -> Any:
    return read_settings(["resistor", "--positions", "40", "--deals", "8", *arguments])


def column(table: Any, number: int) -> list[str]:
    return list(table.columns[number].cells)


def test_a_search_with_the_reference_regrets_little_and_a_network_more() -> None:
    found = played(GAME, NETWORK, settings(), OPTIONS)
    assert len(found.states) == 40 and set(found.outcome) <= {-1.0, 0.0, 1.0} and found.choices > 5
    reference = GuidedSearchPolicy(GAME, NETWORK, 300)
    table = regret(GAME, found, OPTIONS, [NETWORK, reference], reference, settings("--reference", "300"))
    as_reference = [float(each.rstrip("%")) for each in column(table, 1)]
    lost = [float(each.split()[0]) for each in column(table, 2)]
    assert as_reference[0] < as_reference[1] and lost[0] > lost[1]


def test_positions_are_from_anywhere_in_a_game() -> None:
    decisions = played(GAME, NETWORK, settings(), OPTIONS).states["decisions"]
    assert decisions.min() < 10 < 20 < decisions.max()


def test_values_explain_what_they_foresee() -> None:
    found = played(GAME, NETWORK, settings(), OPTIONS)
    sim = polytrix.Simulator(GAME, len(found.states), OPTIONS)
    sim.states[:] = found.states
    sim.refresh()
    foreseen = found._replace(outcome=NETWORK.payoffs(sim.observation)[:, 0])
    table = explained(GAME, foreseen, OPTIONS, NETWORK, [GuidedSearchPolicy(GAME, NETWORK, 9)], settings())
    assert column(table, 0) == ["network", "9 simulations"] and column(table, 1)[0] == "100.0%"
    assert float(column(table, 1)[1].rstrip("%")) < 99


def test_duels_with_the_true_world() -> None:
    searches = [GuidedSearchPolicy(GAME, NETWORK, each) for each in (4, 8)]
    table = duels(GAME, OPTIONS, searches, settings())
    assert column(table, 0) == ["8 simulations", "4 simulations, true world", "8 simulations, true world"]
    assert column(table, 1) == ["4 simulations", "4 simulations", "4 simulations, true world"]


def test_a_clairvoyant_search_depends_on_what_is_hidden_and_an_honest_one_does_not() -> None:
    sim = polytrix.Simulator(GAME, 60, OPTIONS, seed=3)
    for _ in range(6):
        sim.step(sim.random_actions(np.arange(60)))
    search, rows = GuidedSearchPolicy(GAME, NETWORK, 60), np.flatnonzero(~sim.over)
    knowing = clairvoyant(search)
    before = knowing(sim, rows, np.random.default_rng(1))
    twin = polytrix.Simulator(GAME, 60, OPTIONS)
    twin.states[:] = sim.states
    twin.redeal(np.maximum(sim.mover, 0))
    assert (before != knowing(twin, rows, np.random.default_rng(1))).sum() > 5
    assert (knowing(sim, rows, np.random.default_rng(1)) == before).all()


def test_what_cannot_be_diagnosed_is_refused(tmp_path: Path) -> None:
    plain = save_network(tmp_path / "plain.npz", GAME, NETWORK.layers, "relu")
    with pytest.raises(SystemExit, match="no feed-forward network with values"):
        main(settings("--network", str(plain)))
    with pytest.raises(SystemExit, match="network is absent"):
        main(settings("--network", "absent.npz"))
    with pytest.raises(SystemExit, match="allowed: two or more numbers"):
        main(settings("--simulations", "5"))
