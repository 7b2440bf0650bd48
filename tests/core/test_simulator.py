"""Many games stepped together: results, refusals, copies; on a small game with chance and secrets."""

from __future__ import annotations

import copy
import pickle
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polytrix.core import drivers
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import (
    IllegalActionError,
    OptionError,
    PolicyError,
)
from polytrix.core.simulator import Simulator
from polytrix.testing.random_play import play_on
from tests.toys import CALL, SECRET

OUTPUTS = ("observation", "mask", "legal_ids", "num_legal", "mover", "reward")


def simulator(count: int = 4, seed: int = 0, mode: Mode = Mode.COMPILED, **kwargs: Any) -> Simulator:
    return Simulator(SECRET, count, seed=seed, mode=mode, **kwargs)


def memory(sim: Simulator) -> bytes:
    """Everything that a refused call must leave unchanged."""
    return sim.save() + b"".join(getattr(sim, name).tobytes() for name in OUTPUTS)


# -- the same games -----------------------------------------------------------------------


def test_a_subset_of_rows_is_stepped() -> None:
    sim, other = simulator(6), simulator(6)
    before = sim.states.copy()
    sim.step([0, 1], rows=[4, 1])
    stepped = (sim.states["decisions"] == 1).tolist()
    assert stepped == [False, True, False, False, True, False]
    for row in (0, 2, 3, 5):
        assert sim.states[row].tobytes() == before[row].tobytes()
    other.step([1], rows=[1])
    other.step([0], rows=[4])
    assert memory(sim) == memory(other)
    sim.step(np.zeros(0, np.int64), rows=[])
    assert memory(sim) == memory(other)


def test_close_ends_the_threads() -> None:
    before = set(threading.enumerate())
    sim = simulator(500, num_threads=3, mode=Mode.PLAIN)
    sim.step(sim.random_actions())
    started = set(threading.enumerate()) - before
    sim.close()
    for thread in started:
        thread.join(timeout=10)
    assert started and not any(thread.is_alive() for thread in started)


@pytest.mark.parametrize("threads", [2, 3])
def test_no_two_threads_work_in_the_same_place(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread has its own scratch records and scores; every row is stepped once."""
    monkeypatch.setattr("polytrix.core.simulator._SHARE", 2)
    sim = simulator(24, num_threads=threads, mode=Mode.PLAIN)
    together, places, stepped = threading.Barrier(threads, timeout=60), [], []

    def meet(thread: int, rows: Any, actions: Any) -> None:
        places.append(thread)
        if len(places) <= threads:
            together.wait()  # all are at work
        stepped.extend(rows.tolist())

    monkeypatch.setattr(sim, "_run_step", meet)
    sim.step(np.zeros(24, np.int64))
    sim.close()
    assert sorted(places[:threads]) == list(range(threads)) and sorted(stepped) == list(range(24))


def test_programs_are_compiled_once_whatever_kind_of_array_is_given() -> None:
    """PyTorch's rows are strided, JAX's arrays are read-only."""
    sim = simulator()
    numbers = np.arange(8, dtype=np.int64).reshape(4, 2)[:, 0] // 2  # 0 to 3, strided
    fixed = numbers.copy()
    fixed.flags.writeable = False
    for rows in (numbers, fixed, fixed.astype(np.int16), fixed.tolist()):
        actions = np.repeat(sim.random_actions(), 2)[::2]
        sim.step(actions, rows)
        sim.restart(rows)
        sim.view(fixed % 2, rows)
        sim.redeal(fixed % 2, rows)
        sim.refresh(rows)
    used = {name: program for name, program in vars(sim._run).items() if hasattr(program, "overloads")}
    assert used.keys() >= {"step", "first_illegal", "refresh", "view", "redeal_rows", "pick_random"}
    assert {name for name, program in used.items() if len(program.overloads) > 1} == set()


def test_seeding_a_subset_counts_from_its_first_row() -> None:
    sim = simulator(4, seed=100)
    sim.seed(7, rows=[3, 1])
    assert sim.states["generator"]["key"].tolist() == [100, 8, 102, 7]
    assert sim.states[3].tobytes() == simulator(1, seed=7).states[0].tobytes()


def test_a_seed_for_each_row() -> None:
    sim = simulator(3)
    sim.seed([7, 5, 6], [2, 0, 1])
    assert sim == simulator(3, seed=5)
    with pytest.raises(ValueError, match="2 seeds are given; expected 3, one per row"):
        sim.seed([1, 2])
    assert sim == simulator(3, seed=5)


def test_without_a_seed_every_simulator_is_another() -> None:
    keys = {int(Simulator(SECRET, 1, mode=Mode.PLAIN).states["generator"]["key"][0]) for _ in range(5)}
    assert len(keys) == 5


# -- the course of games ------------------------------------------------------------------


def test_the_end_shows_payoffs_and_an_empty_mask() -> None:
    sim = simulator(1, options={"doubling": False})
    for action in (2, 2, CALL):
        assert not sim.over[0] and not sim.reward.any()
        sim.step([action])
    secret = sim.states[0].secret
    stake = np.sign(int(secret[0]) - int(secret[1]))  # the first seat has called
    assert sim.over[0] and sim.terminated[0] and not sim.truncated[0]
    assert sim.reward[0].tolist() == [stake, -stake]
    assert not sim.mask.any() and sim.num_legal[0] == 0
    assert (sim.observation[0] == sim.view(0)[0][0]).all()


def test_the_limit_truncates() -> None:
    sim = simulator(1, options={"max_decisions": 2})
    sim.step([0])
    sim.step([0])
    assert sim.over[0] and sim.truncated[0] and not sim.terminated[0] and not sim.reward.any()


# -- refusals: nothing changes ------------------------------------------------------------


def test_the_error_of_an_illegal_action_says_who_decides_when_and_how_to_see_the_position() -> None:
    sim = simulator(2, mode=Mode.PLAIN)
    sim.step([0, 0])
    assert sim.mover.tolist() == [1, 1]
    look = "see the position with polytrix.api.words.text_of"
    with pytest.raises(IllegalActionError, match=rf"; second is to move, decision 2; {look}$"):
        sim.step([0, CALL])


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0, CALL], IllegalActionError, r"action 3 \(call\) is illegal in row 1; legal are 0, 1, 2 \(3 in all"),
        ([0, 4], IllegalActionError, r"action 4 in row 1 does not exist; secret has actions 0\.\.3"),
        ([-1, 0], IllegalActionError, "action -1 in row 0 does not exist"),
        ([0.0, 1.0], TypeError, "actions are of dtype float64; allowed: integers"),
        ([True, 0], TypeError, "actions are of dtype object"),
        ([0], ValueError, r"shape \(1,\); expected \(2,\)"),
    ],
)
def test_errors_of_actions_say_what_is_allowed(actions: Any, error: type[Exception], message: str) -> None:
    """`tests/shared/test_bad_calls.py` tries many more."""
    with pytest.raises(error, match=message):
        simulator(2).step(actions)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seed": 2**63 - 3}, ValueError, r"allowed: a whole number from 0 to 2\*\*63 - 4, since 4 games"),
        ({"count": 0}, ValueError, "num_envs is 0"),
        ({"num_threads": 0}, ValueError, "num_threads is 0"),
        ({"seed": -1}, ValueError, "seed is -1"),
        ({"seed": 1.5}, ValueError, "seed is 1.5"),
        ({"seed": True}, ValueError, "seed is True"),
        ({"seed": 1 << 63}, ValueError, "seed is"),
        ({"options": {"top": 7}}, OptionError, "option 'top' is 7"),
        ({"options": {"tops": 6}}, OptionError, "Did you mean 'top'"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        simulator(**{"mode": Mode.PLAIN, **arguments})


def test_games_and_policies_have_keys_of_their_own() -> None:
    """Keys from 2**63 on belong to the policies: even the highest allowed seed gives no game such a key."""
    sim = simulator(4)
    sim.seed(2**63 - 4)
    assert sim.states["generator"]["key"].tolist() == [2**63 - 4 + row for row in range(4)]
    assert sim._generators["key"].tolist() == [2**64 - 4 + row for row in range(4)]
    sim.fork(0, [1, 2], 2**63 - 2)
    before = memory(sim)
    for act in (
        lambda: sim.seed(2**63 - 3), lambda: sim.seed(2**63 - 1, [0, 1]),
        lambda: sim.fork(0, [1, 2], 2**63 - 1),
    ):  # fmt: skip
        with pytest.raises(
            ValueError, match=r"allowed: a whole number from 0 to 2\*\*63 - [24], since [24] games"
        ):
            act()
    assert memory(sim) == before


@pytest.mark.parametrize("heuristics", [SECRET.heuristics, ()], ids=["with further heuristics", "without"])
@pytest.mark.parametrize("greedy", [SECRET.greedy, None], ids=["greedy", "no greedy"])
def test_policies_are_refused_exactly_where_the_game_lacks_them(heuristics: Any, greedy: Any) -> None:
    """The fast check of each step, for every number that fits in `policy`."""
    rule = SECRET.rate if heuristics else None
    game = replace(SECRET, greedy=greedy, heuristics=heuristics, rate=rule)
    known = {drivers.EXTERNAL, *game.built_in_policies.values()}
    sim = Simulator(game, 2, seed=1, mode=Mode.PLAIN)
    for kind in range(-128, 128):
        for place in ((0, 0), (1, 1)):
            sim.policy = drivers.EXTERNAL  # type: ignore[assignment]
            sim.policy[place] = kind
            if kind in known:
                sim._check_policies()
            else:
                with pytest.raises(
                    PolicyError, match=f"policy of seat {place[1]} in row {place[0]} is {kind};"
                ):
                    sim._check_policies()


# -- one thread at a time, and no play once closed ----------------------------------------


@pytest.mark.usefixtures("known_toys")
def test_a_copy_of_a_closed_simulator_is_open() -> None:
    sim = simulator(2)
    sim.close()
    copy.deepcopy(sim).step([0, 0])


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_are_read_only(name: str) -> None:
    sim = simulator(mode=Mode.PLAIN)
    with pytest.raises(ValueError, match="read-only"):
        getattr(sim, name)[0] = 1


# -- copies -------------------------------------------------------------------------------


def test_a_fork_has_the_same_present_and_another_future() -> None:
    sim = simulator(40, seed=5)
    sim.fork(0, range(1, 40), seed=1000)
    assert (sim.observation == sim.observation[0]).all() and (sim.mask == sim.mask[0]).all()
    assert len(set(sim.states["generator"]["key"].tolist())) == 40
    secrets = sim.states["secret"].copy()
    assert (secrets == secrets[0]).all()
    sim.step(np.full(40, 2))  # adds 3 or, if chance doubles it, 6
    assert set(sim.states["pile"].tolist()) == {3, 6}


def test_a_fork_is_a_copy_to_the_last_byte() -> None:
    """Alignment gaps included: equality and hash are those of the bytes."""
    sim = simulator(30, seed=5, mode=Mode.PLAIN)
    play_on(sim)
    generator = SECRET.state["generator"].itemsize  # the first field
    for attempt in range(10):
        sim.fork(0, range(1, 30), seed=attempt)
        copies = {state.tobytes()[generator:] for state in sim.states}
        assert len(copies) == 1
        assert sim == sim_of(sim.save())


def sim_of(data: bytes) -> Simulator:
    """The games of a snapshot in a new simulator."""
    sim = simulator(30, seed=77, mode=Mode.PLAIN)
    sim.load(data)
    return sim


def test_a_fork_does_not_tell_the_future_of_its_source() -> None:
    """Copy i draws from stream `seed + i`, whatever the source's own stream would give."""
    piles = []
    for seed in range(40):
        sim = simulator(2, seed=seed)
        sim.fork(0, [1], seed=10_000)
        sim.step([2, 2])
        piles.append(sim.states["pile"].tolist())
    of_sources, of_copies = ({pair[i] for pair in piles} for i in range(2))
    assert of_sources == {3, 6} and len(of_copies) == 1


@pytest.mark.usefixtures("known_toys")
def test_copies_of_a_registered_game() -> None:
    sim = simulator(3, num_threads=2, options={"top": 4})
    sim.policy[:, 1] = drivers.RANDOM
    play_on(sim)
    for other in (pickle.loads(pickle.dumps(sim)), copy.deepcopy(sim)):
        assert other == sim and other.game is SECRET and other.options == sim.options
        assert other.num_threads == 2 and (other.policy == sim.policy).all()
        play_on(other)
        assert other != sim
    play_on(sim)
    assert other == sim
