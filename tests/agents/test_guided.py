"""The search agent that a network guides: its strength, its settings, and the networks that it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import (
    GuidedSearchPolicy,
    NetworkPolicy,
    load,
    name_of,
    resolve,
    save_network,
)
from polytrix.arena.contestants import contestants
from polytrix.core.errors import PolicyError
from polytrix.core.search.tree import NONE
from polytrix.core.simulator import Simulator
from tests.networks import save, some_network
from tests.toys import SECRET


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return save(tmp_path / "wise.npz", some_network(SECRET))


def test_specs(file: Path) -> None:
    for given, name in {
        f"search:network={file}": "search:200,network=wise",
        f"search:50,network={file},temperature=6,threads=2": "search:50,network=wise,temperature=6",
        f"search:seconds=0.5,network={file},exploration=2,reduction=0.1": (
            "search:seconds=0.5,network=wise,exploration=2,reduction=0.1"
        ),
        f"search:50,network={file},considered=8,scale=0.3": "search:50,network=wise,considered=8,scale=0.3",
        f"search:50,network={file},considered=16,scale=1": "search:50,network=wise,considered=16",
        f"search:50,network={file},considered=0": "search:50,network=wise,considered=0",
        f"search:seconds=0.5,network={file},considered=0": "search:seconds=0.5,network=wise,considered=0",
        f"search:50,threads=2,network={file},trees=2": "search:50,network=wise,trees=2",
        f"search:50,trees=1,network={file}": "search:50,network=wise",
        f"search:50,others=random,network={file}": "search:50,network=wise,others=random",
        f"search:50,others={file},network={file}": "search:50,network=wise,others=wise",
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
        ("network={file},considered=-1", "considered is -1; allowed: a number from 0"),
        ("network={file},scale=-1", "scale is -1.0; allowed: a number from 0"),
        ("network={file},seconds=1,considered=16", "'considered' goes only without seconds"),
        ("considered=16", "'considered' goes only with a network"),
        ("network={file},network={file}", "'network' is given twice"),
        ("network={file},others=clever", "others is 'clever'; allowed: 'search', 'random'"),
        ("others=random", "'others' goes only with a network"),
        ("network={file},trees=0", "trees is 0; allowed: a number from 1"),
        (
            "network={plain}",
            r"plain has no value head: its file was saved without `values`; training/values.py",
        ),
    ],
)
def test_specs_that_are_refused(settings: str, message: str, file: Path, tmp_path: Path) -> None:
    plain = save_network(tmp_path / "plain.npz", SECRET, some_network(SECRET).layers, "relu")
    with pytest.raises(PolicyError, match=message):
        resolve("search:" + settings.format(file=file, plain=plain), SECRET)


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


def test_defaults_depend_on_the_number_of_players_and_on_a_time_limit() -> None:
    game = polytrix.find("pressure_matrix")

    def chosen(players: int, **settings: Any) -> tuple[int, float, bool]:
        plan = GuidedSearchPolicy(game, some_network(game, (6,)), **settings).plan(players)
        return plan.considered, plan.temperature, plan.others == NONE

    assert chosen(2) == (16, 6.0, True) and chosen(4) == (0, 3.0, False)
    assert chosen(2, seconds=1.0) == (0, 3.0, True) and chosen(2, considered=0) == (0, 3.0, True)
    assert chosen(4, considered=8) == (8, 6.0, False) and chosen(4, temperature=2.0) == (0, 2.0, False)
    assert chosen(2, temperature=1.5, considered=4) == (4, 1.5, True)


def test_a_network_notes_the_temperature_of_its_search() -> None:
    def chosen(notes: dict[str, Any], **settings: Any) -> float:
        network = some_network(SECRET)
        network.notes = notes
        return GuidedSearchPolicy(SECRET, network, **settings).plan(2).temperature

    assert chosen({}) == 6.0 and chosen({"search_temperature": 1.5}) == 1.5
    assert chosen({"search_temperature": 1.5}, temperature=3.0) == 3.0
    with pytest.raises(PolicyError, match="search_temperature of network is 'warm'; allowed: a number from"):
        chosen({"search_temperature": "warm"})


def test_beliefs_are_saved_and_say_what_others_have_done(tmp_path: Path) -> None:
    game = polytrix.find("pressure_matrix")
    network = some_network(game, (6,), beliefs=(9, 5))
    loaded = load(save(tmp_path / "wise.npz", network), game)
    assert isinstance(loaded, NetworkPolicy)
    sim = Simulator(game, 5, seed=1)
    foreseen = loaded.foreseen(sim.observation)
    assert foreseen == pytest.approx(network.foreseen(sim.observation), abs=1e-6)
    assert foreseen.shape == (5, game.max_players - 1, game.actions.size)
    assert foreseen.sum(2) == pytest.approx(np.ones(foreseen.shape[:2]), abs=1e-5)
    hidden = sim.observation * game.observations.scale
    assert network.beliefs is not None
    for weight, bias in network.beliefs[:-1]:
        hidden = np.maximum(hidden @ weight + bias, 0)
    logits = (hidden @ network.beliefs[-1][0] + network.beliefs[-1][1]).reshape(foreseen.shape)
    assert np.log(foreseen) - logits == pytest.approx(
        np.broadcast_to((np.log(foreseen) - logits)[:, :, :1], logits.shape), abs=1e-3
    )


def test_beliefs_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    game = polytrix.find("pressure_matrix")
    network = some_network(game, (6,), beliefs=(5,))
    first, (weight, bias) = network.beliefs or ()
    for beliefs in (
        [first],
        [first, (weight[:, 1:], bias[1:])],
        [(first[0] * np.inf, first[1]), (weight, bias)],
        [first, (np.full_like(weight, 3e38), bias)],
    ):
        with pytest.raises(PolicyError, match="beliefs: "):
            save_network(tmp_path / "x.npz", game, network.layers, values=network.values, beliefs=beliefs)
    with pytest.raises(PolicyError, match="beliefs are for searches, which need values"):
        save_network(tmp_path / "x.npz", game, network.layers, beliefs=network.beliefs)
    with pytest.raises(PolicyError, match="has no hidden actions"):
        some_network(SECRET, beliefs=(5,))
    with pytest.raises(PolicyError, match="network has no beliefs"):
        some_network(game, (6,)).foreseen(np.zeros((1, game.observations.size), np.int8))


@pytest.mark.parametrize(
    "change", [{"belief_layers": 3}, {"belief_layers": -1}, {"belief_layers": "2"}, {"belief_layers": 0}]
)
def test_a_file_with_other_beliefs_than_it_says_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    game = polytrix.find("pressure_matrix")
    file = save(tmp_path / "wise.npz", some_network(game, (6,), beliefs=(5,)))
    arrays = dict(np.load(file))
    arrays["header"] = np.array(json.dumps(json.loads(str(arrays["header"])) | change))
    np.savez(file, **arrays)
    with pytest.raises(PolicyError, match=r"damaged or not a saved network"):
        load(file, game)


def test_agents_with_other_weights_are_other_contestants(file: Path, tmp_path: Path) -> None:
    network = some_network(SECRET)
    weight, bias = network.values or ()
    other = save_network(
        tmp_path / "other" / "wise.npz", SECRET, network.layers, "relu", values=(weight, bias + 1)
    )
    other_layers = save_network(tmp_path / "third.npz", SECRET, some_network(SECRET, seed=2).layers, "relu")
    specs = [f"network={guide}{others}" for guide in (file, other) for others in ("", f",others={file}")]
    specs.append(f"network={file},others={other_layers}")
    agents = contestants(SECRET, [f"{name}=search:9,{spec}" for name, spec in zip("abcde", specs, strict=True)])
    assert len({each.mark for each in agents}) == 5
