"""The search agent: its strength, that it sees nothing hidden, and the settings that it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import polytrix
from polytrix.agents import GuidedSearchPolicy, SearchPolicy, ask, ask_rows, name_of, resolve, worlds
from polytrix.agents.search import NO_NETS, Desk, portions
from polytrix.core.compile.compiler import Mode, program
from polytrix.core.errors import PolicyError
from polytrix.core.rules import potential
from polytrix.core.search import tree
from polytrix.core.search.hashing import WORD, WORD_KEYS, hashed, room_for_observation
from polytrix.core.search.playouts import PLAYOUTS
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, FloatArray, IdArray, IntArray, Record
from tests.networks import some_network
from tests.searching import searched
from tests.toys import CALL, LIMIT, SECRET, idle_redeal


def last_stone_wins(s: Record, out: FloatArray) -> None:
    out[1 - s.turn] = 1.0
    out[s.turn] = -1.0


def adding_only(s: Record, ids: IdArray) -> int:
    for i in range(3):
        ids[i] = i
    return 3


RACE = replace(SECRET, name="race", payoff=last_stone_wins, legal=adding_only)
"""The player who fills the pile wins: the best play is known."""


def positions(count: int, pile: int, own: int, other: int, **options) -> Simulator:
    """Games in which the mover has number `own`, the other seat `other`, and the pile this size."""
    sim = Simulator(SECRET, count, {"doubling": False, **options}, seed=1)
    sim.states["pile"] = pile
    sim.states["secret"][:, 0] = own
    sim.states["secret"][:, 1] = other
    sim.refresh()
    return sim


def choices(sim: Simulator, seed: int = 0, **settings) -> np.ndarray:
    policy = SearchPolicy(sim.game, **settings)
    return ask_rows(policy, sim, range(sim.num_envs), np.random.default_rng(seed))


@pytest.mark.parametrize("rollout", ["random", "greedy", "shy"])
def test_at_the_last_chance_it_calls_with_the_highest_number_and_not_with_the_lowest(rollout: str) -> None:
    high = positions(40, pile=LIMIT - 1, own=5, other=2)
    low = positions(40, pile=LIMIT - 1, own=0, other=2)
    assert (choices(high, simulations=100, rollout=rollout) == CALL).all()
    assert (choices(low, simulations=100, rollout=rollout) == CALL).sum() == 0


@pytest.mark.parametrize("rollout", ["random", "greedy"])
def test_it_finds_forced_wins(rollout: str) -> None:
    """Who adds the last stone wins: leave a multiple of four to the other. From 14 that takes three turns."""
    sim = Simulator(RACE, 64, {"doubling": False}, seed=1)
    sim.states["pile"] = 14 + np.arange(64) % 8
    sim.refresh()
    over = (LIMIT - sim.states["pile"]) % 4
    winning = over > 0
    played = choices(sim, simulations=1500, rollout=rollout)
    assert (played[winning] == over[winning] - 1).all()


def far_ahead(s: Record, seat: int) -> float:
    return (-3.0, 0.25)[seat] if s.pile < 5 else (2.5, -1.0)[seat]


def test_a_simulation_that_stops_early_is_worth_the_potential_between_minus_1_and_1() -> None:
    replaced = {**RACE.replacements, **PLAYOUTS, potential: far_ahead}
    simulate = program(tree.simulate, replaced, Mode.PLAIN, "simulate")
    state = Simulator(RACE, 1, {"doubling": False}, seed=1, mode=Mode.PLAIN).states[0]

    def value() -> list[float]:
        desk = Desk(RACE, 1, NO_NETS, Mode.PLAIN)
        desk.scratch.value[:] = 7.0
        tree.add_node(desk.tree, np.uint64(0))
        simulate(state, 0, tree.NONE, np.uint64(5), tree.Plan(0.7), NO_NETS, desk.tree, desk.scratch)
        found: list[float] = desk.scratch.value.tolist()
        return found

    assert value() == [-1.0, 0.25]
    state.mover, state.turn, state.pile = 0, 0, 9
    assert value() == [1.0, -1.0]
    state.mover, state.turn = OVER, 0
    assert value() == [-1.0, 1.0]  # the payoff of who is to move when the pile is full


def search_policy(guided: bool, simulations: int, **settings) -> SearchPolicy | GuidedSearchPolicy:
    if guided:
        return GuidedSearchPolicy(SECRET, some_network(SECRET), simulations, **settings)
    return SearchPolicy(SECRET, simulations, rollout="random", **settings)


class Keys:
    """Stands for a random generator, and returns these keys."""

    def __init__(self, keys: np.ndarray) -> None:
        self.keys = keys

    def integers(self, low: int, high: int, shape: tuple[int, ...], dtype: type) -> np.ndarray:
        assert (low, high, dtype) == (0, 1 << 63, np.uint64)
        return self.keys.reshape(shape)


def keys_of(seed: int, count: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 63, count, dtype=np.uint64)


BOTH = pytest.mark.parametrize("guided", [False, True], ids=["plain", "guided"])


@BOTH
def test_one_tree_draws_one_key_for_each_position(guided: bool) -> None:
    policy, sim = search_policy(guided, 30), positions(20, pile=9, own=3, other=1)
    desk = policy.new_desk()
    alone = [
        desk.search(sim.states[row : row + 1].view(np.ndarray), key, policy)
        for row, key in enumerate(keys_of(4, 20))
    ]
    assert policy.choose(sim.states, np.random.default_rng(4)).tolist() == alone
    assert len(set(alone)) > 1


@BOTH
def test_the_visits_of_trees_are_added(guided: bool) -> None:
    """Two trees of 21 simulations are two searches with the keys of each position, one after the other."""
    policy, single = search_policy(guided, 41, trees=2), search_policy(guided, 21)
    sim = positions(100, pile=9, own=3, other=1)
    keys = keys_of(6, 200).reshape(100, 2)
    alone = [single.reasons_at(sim.states, Keys(keys[:, tree])) for tree in (0, 1)]  # type: ignore[arg-type]
    visits = alone[0]["visits"] + alone[1]["visits"]
    total = sum(np.nan_to_num(each["value"]) * each["visits"] for each in alone)
    found = policy.reasons_at(sim.states, np.random.default_rng(6))
    assert (found["visits"] == visits).all() and (visits.sum(axis=1) == 42).all()
    assert np.nan_to_num(found["value"]) * visits == pytest.approx(total, abs=1e-4)
    expected, tied = [], 0
    for times, sums in zip(visits, total, strict=True):
        most = np.flatnonzero(times == times.max())
        tied += len(most) > 1
        expected.append(most[np.argmax(sums[most])])
    assert policy.choose(sim.states, np.random.default_rng(6)).tolist() == expected
    firsts = single.choose(sim.states, Keys(keys[:, 0]))  # type: ignore[arg-type]
    assert tied and (firsts != expected).any()


@BOTH
def test_no_choice_of_several_trees_depends_on_threads(guided: bool) -> None:
    sim = Simulator(SECRET, 25, seed=3)
    found = [
        search_policy(guided, 40, trees=3, threads=threads).reasons_at(sim.states, np.random.default_rng(2))
        for threads in (1, 2, 5)
    ]
    for other in found[1:]:
        assert all(np.array_equal(other[name], found[0][name], equal_nan=True) for name in other)
    one, two = (
        search_policy(guided, 40, trees=3, threads=threads).choose(sim.states, np.random.default_rng(2))
        for threads in (1, 2)
    )
    assert (one == two).all()


def test_plain_python_searches_as_machine_code_does() -> None:
    sim = Simulator(SECRET, 12, seed=3)
    found = [choices(sim, simulations=25, mode=mode).tolist() for mode in Mode]
    assert found[0] == found[1] == found[2]


SECRETS = {"resistor": {"card"}, "pixel_tactics": {"leader", "hand", "deck"}, "pressure_matrix": {"bid"},
           "estimatrix": {"die", "reading", "wave"}}  # fmt: skip
"""Fields that hold secrets. Leaders, bids and dice are answers that the seats give at the same time."""


GAMES = [(game, players) for game in polytrix.all_games() for players in {*game.player_counts} & {2, 4}]


def twins(
    game: polytrix.Game, players: int, play: str = "random", every: int = 1
) -> Iterator[tuple[int, IntArray, Simulator, Simulator]]:
    """Games, and the same with everything that is hidden from the movers resampled, as it must be at some time.

    Yields:
        the step, the rows that go on, the games, their twins; the first four steps, and later one of `every`.
    """
    options = {"players": players} if len(game.player_counts) > 1 else {}
    sim, twin = Simulator(game, 48, options, seed=11), Simulator(game, 48, options, seed=12)
    player, secrets, differing = resolve(play, game), SECRETS.get(game.name, set()), set[str]()
    for step in range(40):
        rows = np.flatnonzero(~sim.over)
        if step < 4 or step % every == every - 1:
            twin.states[:] = sim.states
            twin.states["generator"]["key"] += np.uint64(1 << 40)
            twin.redeal(np.maximum(sim.mover, 0))
            twin.states["generator"][:] = sim.states["generator"]
            differing |= {name for name in secrets if (twin.states[name] != sim.states[name])[rows].any()}
            yield step, rows, sim, twin
        sim.step(ask_rows(player, sim, rows, np.random.default_rng(step)), rows)
        sim.restart(np.flatnonzero(sim.over))
    assert differing == secrets


@pytest.mark.parametrize("play", ["random", "greedy"])
@pytest.mark.parametrize(("game", "players"), GAMES, ids=lambda value: getattr(value, "name", str(value)))
def test_its_worlds_do_not_depend_on_what_the_seat_cannot_know(
    game: polytrix.Game, players: int, play: str
) -> None:
    """A search sees nothing but worlds: they are equal in every byte if everything hidden is resampled."""
    for step, rows, *both in twins(game, players, play):
        own, other = (worlds(game, one.states[rows], np.random.default_rng(step)) for one in both)
        assert own.tobytes() == other.tobytes(), f"step {step}"


KINDS = [
    (game, players, kind)
    for game, players in GAMES
    for kind in ("plain", "guided", "believing")
    if kind != "believing" or (players == 4 and game.hidden_action is not None)
]


@pytest.mark.parametrize(("game", "players", "kind"), [searched(*each) for each in KINDS])
def test_its_choice_does_not_depend_on_what_the_seat_cannot_know(
    game: polytrix.Game, players: int, kind: str
) -> None:
    """At many positions, also if the other seats have hidden actions of which it has beliefs."""
    network = some_network(game, beliefs=(9,) if kind == "believing" else None)
    policy = SearchPolicy(game, 12) if kind == "plain" else GuidedSearchPolicy(game, network, 12)
    for step, rows, *both in twins(game, players, every=4):
        own, other = (ask_rows(policy, one, rows, np.random.default_rng(step)) for one in both)
        assert (own == other).all(), f"step {step}, rows {rows[own != other]}"


def test_a_leak_would_be_found() -> None:
    """A game whose redeal does nothing leaks secrets to the search, which changes its choices."""
    open_game = replace(SECRET, name="open", redeal=idle_redeal)
    sim, twin = (positions(60, LIMIT - 1, own=3, other=other) for other in (0, 5))
    policy = SearchPolicy(open_game, 100, rollout="random")
    one, other = (
        policy.choose(worlds(open_game, each.states, np.random.default_rng(1)), np.random.default_rng(2))
        for each in (sim, twin)
    )
    assert (one == CALL).mean() > 0.9 and (other == CALL).mean() < 0.1


def test_the_future_of_a_copy_is_not_that_of_the_game() -> None:
    sim = Simulator(SECRET, 64, seed=3)
    copies = worlds(SECRET, sim.states, np.random.default_rng(0))
    assert not np.isin(copies["generator"]["key"], sim.states["generator"]["key"]).any()


def test_the_hash_sees_every_entry_of_long_observations() -> None:
    """Longer than all keys of words; one entry differs, or two that stand at the same place of two words."""
    rng = np.random.default_rng(0)
    size = (WORD_KEYS.shape[1] + 3) * WORD - 5
    base = room_for_observation(size)
    base[:size] = rng.integers(-1, 2, size)
    rows = np.repeat(base[None], 2 * size, axis=0)
    rows[np.arange(size), np.arange(size)] += 1
    other = (np.arange(size) + WORD * rng.integers(1, size // WORD, size)) % size
    rows[np.arange(size, 2 * size), np.arange(size)] += 1
    rows[np.arange(size, 2 * size), other] -= 1
    different = {row.tobytes() for row in (base, *rows)}
    keys = [int(hashed(row, 0)) for row in (base, *rows)]
    assert len(set(keys)) == len(different) > size
    for bits in (0xFFFFFFFF, 0xFFFFFFFF << 32):  # each half alone tells nearly all apart
        assert len({key & bits for key in keys}) > len(different) - 5


def test_the_second_key_tells_apart_what_the_first_cannot() -> None:
    """The lower half of a word is that of its first key, so the first product is 0 whatever the upper is."""
    keys = set()
    for upper in range(100):
        seen = room_for_observation(WORD)
        seen.view(np.uint64)[0] = (upper << 32) | (int(WORD_KEYS[0, 0]) & 0xFFFFFFFF)
        keys.add(int(hashed(seen, 0)))
    assert len(keys) == 100


def test_time_limits_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that is looked at between portions, and goes on by a tenth of a second."""
    ticks = count()
    monkeypatch.setattr("polytrix.agents.search.time", SimpleNamespace(perf_counter=lambda: next(ticks) / 10))
    assert len(list(portions(None, 0.45))) == 5 and len(list(portions(10_000, 0.45))) == 5
    assert sum(portions(70, 0.45)) == sum(portions(70, None)) == 70
    policy, sim = SearchPolicy(SECRET, seconds=0.15), Simulator(SECRET, 1, seed=3)
    found = policy.reasons_at(sim.states, np.random.default_rng(0))
    assert found["visits"].sum() == sum(portions(None, 0.15))


def test_trees_share_the_simulations_and_those_that_wait_the_time() -> None:
    assert SearchPolicy(SECRET, 41, seconds=3, trees=5, threads=2).tree_limits == (9, 1.0)
    assert SearchPolicy(SECRET, 40, trees=4, threads=2).tree_limits == (10, None)
    assert SearchPolicy(SECRET, seconds=3, trees=2, threads=2).tree_limits == (None, 3)


def test_a_full_tree_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.agents.search.MOST_NODES", 4)
    monkeypatch.setattr("polytrix.agents.search.portions", lambda *_: [200])
    sim = positions(1, pile=LIMIT - 1, own=5, other=0)
    assert choices(sim, seconds=1, rollout="random")[0] == CALL


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("search", "search:200"),
        ("search:50", "search:50"),
        ("search:50,rollout=greedy,threads=2", "search:50"),
        ("search:simulations=50,rollout=shy,exploration=1.5", "search:50,exploration=1.5,rollout=shy"),
        ("search:seconds=0.5", "search:seconds=0.5"),
        ("search:800,trees=2,threads=2", "search:800,trees=2"),
    ],
)
def test_specs(spec: str, name: str) -> None:
    policy = resolve(spec, SECRET)
    assert name_of(policy) == name
    assert name_of(resolve(name, SECRET)) == name


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("search:0", "simulations is 0; allowed: a number from 1"),
        ("search:many", "simulations is 'many'; allowed: a number"),
        ("search:50,60", "'simulations' is given twice"),
        ("search:50,depht=3", "setting 'depht' does not exist; allowed: simulations, seconds"),
        ("search:exploration=-1", "exploration is -1.0"),
        ("search:exploration=nan", "exploration is nan"),
        ("search:exploration=inf", "exploration is inf"),
        ("search:seconds=inf", "seconds is inf"),
        ("search:100000000000", "simulations is 100000000000; allowed: a number from 1 to "),
        ("search:trees=0", "trees is 0; allowed: a number from 1"),
        ("search:rollout=bold", "rollout is 'bold'; allowed: random, greedy, caller, shy"),
        ("search:depth=3", "secret-v0 has no potential"),
    ],
)
def test_specs_that_are_refused(spec: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        resolve(spec, SECRET)


def test_numbers_of_numpy_are_numbers() -> None:
    assert name_of(SearchPolicy(SECRET, np.int64(50), seconds=np.float32(0.5))) == "search:50,seconds=0.5"


def test_it_cannot_be_asked_without_positions() -> None:
    sim = Simulator(SECRET, 1, seed=3)
    with pytest.raises(PolicyError, match="needs positions"):
        ask(SearchPolicy(SECRET, 5), sim.observation, sim.mask, np.random.default_rng(0))
