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
    ask_rows,
    load,
    name_of,
    resolve,
    save_network,
)
from polytrix.agents.search import Desk
from polytrix.arena.contestants import contestants
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument
from polytrix.core.errors import PolicyError
from polytrix.core.search.tree import EDGES, NODES, NONE, ROOT, SIMULATIONS
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
        f"search:50,network={file},temperature=6,threads=2": "search:50,network=wise,temperature=6",
        f"search:seconds=0.5,network={file},exploration=2,reduction=0.1": (
            "search:seconds=0.5,network=wise,exploration=2,reduction=0.1"
        ),
        f"search:50,network={file},considered=8,scale=0.3": "search:50,network=wise,considered=8,scale=0.3",
        f"search:50,network={file},considered=16,scale=1": "search:50,network=wise,considered=16",
        f"search:50,network={file},considered=0": "search:50,network=wise,considered=0",
        f"search:seconds=0.5,network={file},considered=0": "search:seconds=0.5,network=wise,considered=0",
        f"search:50,threads=2,keep=1,network={file},trees=2": "search:50,network=wise,trees=2,keep=1",
        f"search:50,keep=0,trees=1,network={file}": "search:50,network=wise",
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
        ("network={file},keep=2", "keep is '2'; allowed: 0 or 1"),
        ("keep=1", "'keep' goes only with a network"),
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
    network = some_network(SECRET)
    plain = save_network(tmp_path / "plain.npz", SECRET, network.layers, "relu")
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
    file = save_network(
        tmp_path / "wise.npz", game, network.layers, "relu", values=network.values, beliefs=network.beliefs
    )
    loaded = load(file, game)
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
    "change", [{"belief_layers": 3}, {"belief_layers": -1}, {"belief_layers": "2"}, {"format": 4}]
)
def test_a_file_with_other_beliefs_than_it_says_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    game = polytrix.find("pressure_matrix")
    network = some_network(game, (6,), beliefs=(5,))
    file = save_network(
        tmp_path / "wise.npz", game, network.layers, values=network.values, beliefs=network.beliefs
    )
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


# -- kept trees ---------------------------------------------------------------------------


def searching(simulations: int = 30, *, keep: bool = True, **settings: Any) -> GuidedSearchPolicy:
    return GuidedSearchPolicy(SECRET, some_network(SECRET), simulations, keep=keep, **settings)


def tables(count: int, **options: Any) -> Simulator:
    """Games in which seat 0 moves first; each has a pile of its own."""
    sim = Simulator(SECRET, count, {"doubling": False, **options}, seed=3)
    sim.states["pile"] = np.arange(count)
    sim.states["secret"] = 3, 1
    sim.refresh()
    assert (sim.mover == 0).all()
    return sim


def visits(policy: GuidedSearchPolicy) -> list[int]:
    """The visits at the root of each desk."""
    return [int(desk.choices()["visits"].sum()) for desk in desks(policy)]


def desks(policy: GuidedSearchPolicy) -> list[Desk]:
    with policy._desks() as found:
        return [desk for desk in found if isinstance(desk, Desk)]


def test_a_later_position_of_the_seat_is_searched_on_and_any_other_anew() -> None:
    policy, sim, rng = searching(), tables(1), np.random.default_rng(0)
    sim.step(ask_rows(policy, sim, [0], rng))
    sim.step([0])
    assert sim.mover[0] == 0
    ask_rows(policy, sim, [0], rng)
    (desk,) = desks(policy)
    assert visits(policy)[0] > 30 and desk.tree.used[[ROOT, SIMULATIONS]].tolist() != [0, 30]
    ask_rows(policy, tables(20), [19], rng)
    assert visits(policy) == [30] and desk.tree.used[[ROOT, SIMULATIONS]].tolist() == [0, 30]
    other_rules = tables(20, doubling=True)  # looks the same
    ask_rows(policy, other_rules, [19], rng)
    assert visits(policy) == [30]
    ask_rows(policy, other_rules, [19], rng)
    assert visits(policy) == [60]


@pytest.mark.parametrize(("edges", "short_of"), [(32, "nodes"), (2, "edges")])
def test_without_room_for_another_search_a_tree_is_begun_anew(
    edges: int, short_of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polytrix.agents.search.EDGES_PER_NODE", edges)
    policy, sim, rng = searching(50), tables(1), np.random.default_rng(0)
    (desk,) = desks(policy)
    known = begun = 0
    for _ in range(20):
        nodes, used = int(desk.tree.used[NODES]), int(desk.tree.used[EDGES])
        room = {"nodes": nodes + 50 <= len(desk.tree.nodes), "edges": used + 50 * edges <= len(desk.tree.edges)}
        policy.choose(sim.states, rng)
        known = known + 50 if all(room.values()) else 50
        assert visits(policy) == [known]
        assert desk.tree.used[NODES] < len(desk.tree.nodes) or known > 50
        begun += not room[short_of]
    assert begun > 1


def test_no_seat_goes_on_with_the_tree_of_another_which_knows_more() -> None:
    """One policy plays both seats. What seat 1 chooses must not depend on the number of seat 0."""
    in_tree = 0
    for seed in range(20):
        found = []
        for number in (0, 5):
            policy, sim, rng = searching(100), tables(1), np.random.default_rng(seed)
            sim.states["secret"][:, 0] = number
            sim.refresh()
            ask_rows(policy, sim, [0], rng)
            sim.step([1])
            (desk,) = desks(policy)
            desk.simulate(as_argument(sim.states, Mode.COMPILED), 1, policy.plan(2), policy.nets)
            in_tree += desk.tree.used[SIMULATIONS] > 1  # no new tree
            ask_rows(policy, sim, [0], rng)
            found.append(desk.choices().tobytes())
        assert found[0] == found[1]
    assert in_tree > 10


def test_the_trees_of_one_position_are_kept_with_any_number_of_threads() -> None:
    found = []
    for threads in (1, 2, 3, 8):
        policy, sim, rng = searching(trees=3, threads=threads), tables(1), np.random.default_rng(1)
        played = list[int]()
        while not sim.over[0]:
            action = int(ask_rows(policy, sim, [0], rng)[0]) if sim.mover[0] == 0 else 0
            played += [action, *visits(policy)[:3]]
            sim.step([action])
        found.append(played)
    assert found[0] == found[1] == found[2] == found[3] and max(found[0]) > 10


@pytest.mark.parametrize("threads", [1, 3])
def test_with_more_positions_than_threads_no_tree_is_kept(threads: int) -> None:
    sim, rng = tables(4), np.random.default_rng(1)
    few, without = searching(threads=threads), searching(keep=False)
    for seed in (3, 4):
        chosen = few.choose(sim.states, np.random.default_rng(seed))
        assert chosen.tolist() == without.choose(sim.states, np.random.default_rng(seed)).tolist()
        assert set(visits(few)) <= {0, 30}  # a thread may come too late for a position
    few.choose(sim.states[3:], rng)  # the last one that was searched, if there is one thread
    assert visits(few)[0] == 30


def test_reasons_leave_kept_trees_alone() -> None:
    policy, sim, rng = searching(trees=2), tables(3), np.random.default_rng(1)
    policy.choose(sim.states[:1], rng)
    before = [(desk.choices().tobytes(), desk.tree.used.tobytes()) for desk in desks(policy)]
    without = searching(keep=False, trees=2)
    for states in (sim.states[:1], sim.states):
        found, expected = (each.reasons_at(states, np.random.default_rng(3)) for each in (policy, without))
        assert all(np.array_equal(found[name], expected[name], equal_nan=True) for name in found)
    assert before == [(desk.choices().tobytes(), desk.tree.used.tobytes()) for desk in desks(policy)]
    policy.choose(sim.states[:1], rng)
    assert visits(policy) == [30, 30]
