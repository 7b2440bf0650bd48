"""The search agent that a network guides: its strength, its settings, and the networks that it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polytrix.agents import (
    Cell,
    GuidedSearchPolicy,
    NetworkPolicy,
    ask_rows,
    load,
    name_of,
    resolve,
    save_network,
)
from polytrix.arena.contestants import contestants
from polytrix.core.errors import PolicyError
from polytrix.core.simulator import Simulator
from tests.networks import some_network
from tests.toys import SECRET


@pytest.fixture
def file(tmp_path: Path) -> Path:
    network = some_network(SECRET)
    return save_network(tmp_path / "wise.npz", SECRET, network.layers, "relu", values=network.values)


def test_specs(file: Path) -> None:
    for given, name in {
        f"search:network={file}": "search:200,network=wise",
        f"search:50,network={file},temperature=3,threads=2": "search:50,network=wise",
        f"search:seconds=0.5,network={file},exploration=2,reduction=0.1": (
            "search:seconds=0.5,network=wise,exploration=2,reduction=0.1"
        ),
    }.items():
        assert name_of(resolve(given, SECRET)) == name


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("network=nobody", r"network is 'nobody'; allowed: the path of a saved network"),
        ("network={file},depth=3", "'depth' goes only without a network"),
        ("network={file},rollout=greedy", "'rollout' goes only without a network"),
        ("temperature=2", "'temperature' goes only with a network"),
        ("network={file},temperature=0", "temperature is 0.0; allowed: a number from 0.01"),
        ("network={file},network={file}", "'network' is given twice"),
        (
            "network={plain}",
            r"plain has no value head: its file was saved without `values`; training/values.py",
        ),
        ("network={recurrent}", "cannot guide a search: it needs a feed-forward network"),
    ],
)
def test_specs_that_are_refused(settings: str, message: str, file: Path, tmp_path: Path) -> None:
    network = some_network(SECRET)
    plain = save_network(tmp_path / "plain.npz", SECRET, network.layers, "relu")
    recurrent = save_network(
        tmp_path / "recurrent.npz", SECRET, network.layers, "relu", cell=some_cell(network)
    )
    with pytest.raises(PolicyError, match=message):
        resolve("search:" + settings.format(file=file, plain=plain, recurrent=recurrent), SECRET)


def test_values_are_saved_and_loaded(file: Path) -> None:
    network, loaded = some_network(SECRET), load(file, SECRET)
    assert isinstance(loaded, NetworkPolicy)
    sim = Simulator(SECRET, 5, seed=1)
    assert loaded.payoffs(sim.observation) == pytest.approx(network.payoffs(sim.observation), abs=1e-6)
    assert loaded.payoffs(sim.observation).shape == (5, SECRET.max_players)


def test_values_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    network = some_network(SECRET)
    weight, bias = network.values or ()
    for values in ((weight[:-1], bias), (weight[:, :1], bias[:1]), (weight, bias[:1]), (weight * np.nan, bias)):
        with pytest.raises(PolicyError, match="the value head"):
            save_network(tmp_path / "x.npz", SECRET, network.layers, values=values)
    with pytest.raises(PolicyError, match="wise has no value head"):
        NetworkPolicy(SECRET, network.layers, name="wise").payoffs(
            np.zeros((1, SECRET.observations.size), np.int8)
        )


def test_what_it_plays_follows_from_position_and_generator() -> None:
    sim = Simulator(SECRET, 50, seed=3)
    rows, network = np.flatnonzero(~sim.over), some_network(SECRET)
    once, again, threaded, other = (
        ask_rows(
            GuidedSearchPolicy(SECRET, network, 30, threads=threads), sim, rows, np.random.default_rng(seed)
        )
        for threads, seed in ((1, 5), (1, 5), (3, 5), (1, 6))
    )
    assert (once == again).all() and (once == threaded).all() and (once != other).any()


def test_agents_with_other_weights_are_other_contestants(file: Path, tmp_path: Path) -> None:
    network = some_network(SECRET)
    weight, bias = network.values or ()
    other = save_network(
        tmp_path / "other" / "wise.npz", SECRET, network.layers, "relu", values=(weight, bias + 1)
    )
    marks = {
        each.mark for each in contestants(SECRET, [f"a=search:9,network={file}", f"b=search:9,network={other}"])
    }
    assert len(marks) == 2


def test_reasons_are_those_of_the_root(file: Path) -> None:
    policy, sim = resolve(f"search:40,network={file}", SECRET), Simulator(SECRET, 2, seed=3)
    assert isinstance(policy, GuidedSearchPolicy)
    found = policy.reasons_at(sim.states, np.random.default_rng(0))
    assert found["visits"].sum(axis=1).tolist() == [40, 40]
    assert (np.isnan(found["value"]) == (found["visits"] == 0)).all() and np.nanmax(abs(found["value"])) <= 1


def test_a_recurrent_network_has_no_values(tmp_path: Path) -> None:
    network = some_network(SECRET)
    with pytest.raises(PolicyError, match="a recurrent network has no value head"):
        save_network(tmp_path / "x.npz", SECRET, network.layers, cell=some_cell(network), values=network.values)


def some_cell(network: NetworkPolicy) -> Cell:
    units = len(network.layers[-1][0])
    shapes = (units, 3 * units), (3 * units,), (units, 3 * units), (3 * units,)
    return Cell(*map(np.zeros, shapes))
