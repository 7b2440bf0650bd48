"""Calls that come while another is in progress, and interrupts: nothing is mixed up, nothing stays locked."""

from __future__ import annotations

import sys
import threading
from _thread import interrupt_main
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType
from typing import Any

import numpy as np
import pytest

from polytrix.agents import SearchPolicy
from polytrix.api.aec import AECGame
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import Pool
from polytrix.api.vector import VectorEnv
from polytrix.core.compile.compiler import Mode
from polytrix.core.entrance import Entrance
from polytrix.core.errors import BusyError, ClosedError, PolicyError
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from tests.api.learner_play import last
from tests.toys import SECRET

MEANWHILE: list[Callable[[], object]] = []
"""What happens whenever a rule is applied: what another thread or a signal handler does at that moment."""


def apply(s: Record, action: int) -> None:
    for act in MEANWHILE:
        act()
    SECRET.apply(s, action)


MEDDLED = replace(SECRET, apply=apply)


@pytest.fixture(autouse=True)
def nothing_happens_later() -> Iterator[None]:
    yield
    MEANWHILE.clear()


def simulator(rows: int = 2, threads: int = 1) -> Simulator:
    return Simulator(MEDDLED, rows, seed=3, num_threads=threads, mode=Mode.PLAIN)


def learners(rows: int = 2) -> LearnerBatch:
    return LearnerBatch(simulator(rows), Pool(MEDDLED, [last]), seat=0, seed=3)


# -- a call during a call -----------------------------------------------------------------


def calls_of(sim: Simulator) -> dict[str, Callable[[], object]]:
    """All that can be called of a simulator."""
    copies, data = sim.copies(), sim.save()
    return {
        "step": lambda: sim.step([0, 0]), "step_one": lambda: sim.step_one(0), "seed": lambda: sim.seed(1),
        "restart": sim.restart, "random_actions": sim.random_actions, "fork": lambda: sim.fork(0, [1], 1),
        "redeal": lambda: sim.redeal(0), "load": lambda: sim.load(data), "put": lambda: sim.put(copies),
        "view": lambda: sim.view(0), "global_state": sim.global_state, "potential": sim.potential,
        "refresh": sim.refresh, "save": sim.save, "copies": sim.copies,
        "hidden_actions": lambda: sim.hidden_actions(0), "pickle": sim.__getstate__,
    }  # fmt: skip


@pytest.mark.parametrize("name", calls_of(simulator()))
def test_the_thread_that_plays_cannot_call_again(name: str) -> None:
    """As a signal handler does; the call in progress ends as if nothing had happened."""
    sim, alone, refused = simulator(), simulator(), []

    def handler() -> None:
        with pytest.raises(BusyError, match="a signal handler or policy has interrupted"):
            again()
        refused.append(name)

    again = calls_of(sim)[name]
    MEANWHILE.append(handler)
    sim.step([0, 1])
    MEANWHILE.clear()
    assert refused
    alone.step([0, 1])
    assert sim.save() == alone.save()
    calls_of(sim)[name]()


def test_another_thread_is_refused_until_the_call_is_over() -> None:
    sim, alone = simulator(), simulator()
    calls, inside, go_on = calls_of(sim), threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        assert go_on.wait(60)

    MEANWHILE.append(wait)
    other = threading.Thread(target=sim.step, args=([0, 1],))
    other.start()
    assert inside.wait(60)
    for call in calls.values():
        with pytest.raises(BusyError, match="give each thread a simulator"):
            call()
    go_on.set()
    other.join()
    MEANWHILE.clear()
    alone.step([0, 1])
    assert sim.save() == alone.save()
    for call in calls.values():
        call()


LOOKS = {
    "view", "global_state", "potential", "refresh", "save", "copies", "hidden_actions", "pickle",
}  # fmt: skip
"""The calls that do not play."""


@pytest.mark.parametrize("threads", [1, 2])
def test_once_closed_games_can_be_looked_at_and_nothing_is_played(threads: int) -> None:
    sim = simulator(threads=threads)
    before, calls = sim.save(), calls_of(sim)
    sim.close()
    sim.close()
    for name in calls.keys() - LOOKS:
        with pytest.raises(ClosedError, match="this was closed, and plays no more"):
            calls[name]()
    for name in LOOKS:
        calls[name]()
    assert sim.save() == before


def test_a_policy_cannot_play_in_the_batch_that_asks_it() -> None:
    refused = []

    def restless(observation: Any, mask: Any, rng: Any) -> Any:
        for again in (
            games.seed, games.restart, games.save, lambda: games.step([0, 0]), lambda: games.load(b""),
            lambda: games.set_opponents(Pool(MEDDLED, [last])),
        ):  # fmt: skip
            with pytest.raises(BusyError):
                again()
        refused.append(len(mask))
        games.simulator.view(0)  # looking is fine
        return last(observation, mask, rng)

    games, alone = learners(), learners()
    games.set_opponents(Pool(MEDDLED, [restless]))
    games.restart()
    alone.restart()
    games.step([0, 0])
    alone.step([0, 0])
    assert refused
    assert (games.observation() == alone.observation()).all()


@pytest.mark.parametrize("trees", [1, 2])
def test_a_search_during_a_search_has_trees_of_its_own(trees: int) -> None:
    """Two threads may ask the same policy, and so may a signal handler."""
    policy, alone = (SearchPolicy(MEDDLED, 20, trees=trees, mode=Mode.PLAIN) for _ in range(2))
    states, within = simulator(1).states.copy(), []

    def ask_again() -> None:
        MEANWHILE.clear()
        within.append(policy.reasons_at(states.copy(), np.random.default_rng(1)))

    MEANWHILE.append(ask_again)
    found = policy.reasons_at(states.copy(), np.random.default_rng(0))
    expected = [alone.reasons_at(states.copy(), np.random.default_rng(seed))["visits"] for seed in (0, 1)]
    assert (found["visits"] == expected[0]).all() and (within[0]["visits"] == expected[1]).all()
    assert len(policy._spare) == 2


# -- what is checked is what is used ------------------------------------------------------


def spoil(given: Any) -> None:
    """Let someone write to the caller's array while a rule is applied."""
    MEANWHILE.append(lambda: given.fill(77))


@pytest.mark.parametrize("make", [simulator, learners])
def test_actions_that_change_after_the_check_are_not_taken(make: Callable[[], Any]) -> None:
    games, alone = make(), make()
    actions = np.array([1, 2])
    spoil(actions)
    games.step(actions)
    MEANWHILE.clear()
    alone.step([1, 2])
    assert games.save() == alone.save()


def test_the_actions_that_are_noted_are_those_that_were_played() -> None:
    sim = Simulator(MEDDLED, 1, seed=3, mode=Mode.PLAIN, keep_actions=True)
    actions = np.array([1])
    spoil(actions)
    sim.step(actions)
    assert sim.played[0, : sim.states[0].decisions].tolist() == [1]


def test_rows_that_change_after_the_check_are_not_used() -> None:
    sim, alone = simulator(4), simulator(4)
    rows = np.array([3, 1])
    spoil(rows)
    sim.step([1, 2], rows)
    MEANWHILE.clear()
    alone.step([1, 2], [3, 1])
    assert sim.save() == alone.save()


def test_policies_that_change_after_the_check_are_not_asked() -> None:
    sim, alone = simulator(3), simulator(3)
    for each in (sim, alone):
        each.policy[:, 1] = 1  # random
    spoil(sim.policy)
    sim.step([0, 1, 2])
    MEANWHILE.clear()
    alone.step([0, 1, 2])
    assert sim.save() == alone.save()
    with pytest.raises(PolicyError, match="policy of seat 0 in row 0 is 77"):
        sim.step([0, 0, 0])


# -- interrupts ---------------------------------------------------------------------------

GUARDED = ("entrance.py", "simulator.py", "learner.py", "aec.py", "vector.py")


class Interrupt:
    """Raises KeyboardInterrupt at the `number`-th place where Python could run a signal handler in our code.

    Handlers run when a function begins and after each call. (Here `sys.setprofile` calls this, once.)
    """

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "return", "c_return") and frame.f_code.co_filename.endswith(GUARDED):
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt


def interrupted(number: int, call: Callable[[], object]) -> bool:
    """Call something with an interrupt at a place; whether there was such a place."""
    interrupt = Interrupt(number)
    sys.setprofile(interrupt)
    try:
        call()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return interrupt.left <= 0


def everything() -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Calls that may be interrupted, each with one that begins again."""
    one, many, games = simulator(), simulator(4, threads=2), learners()
    aec, vector = AECGame(SECRET, doubling=False), VectorEnv(SECRET, 2)
    begin = {
        one: lambda: (one.seed(1), one.step(one.random_actions())),
        many: lambda: (many.seed(1), many.step(many.random_actions())),
        games: lambda: (games.seed(1), games.step(games.mask().argmax(axis=1))),
        aec: lambda: (aec.reset(seed=1), aec.step(0)),
        vector: lambda: (vector.reset(seed=1), vector.step(vector.action_masks().argmax(axis=1))),
    }
    calls = {(name, one): call for name, call in calls_of(one).items()} | {
        ("step with threads", many): lambda: many.step(many.random_actions()),
        ("LearnerBatch.step", games): lambda: games.step(games.mask().argmax(axis=1)),
        ("LearnerBatch.restart", games): games.restart,
        ("LearnerBatch.load", games): lambda: games.load(games.save()),
        ("AECGame.step", aec): lambda: aec.step(1),
        ("AECGame.reset", aec): aec.reset,
        ("VectorEnv.step", vector): lambda: vector.step(vector.action_masks().argmax(axis=1)),
        ("VectorEnv.reset", vector): vector.reset,
    }
    return {name: (call, begin[what]) for (name, what), call in calls.items()}


@pytest.mark.parametrize("name", everything())
def test_an_interrupt_at_any_moment_locks_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.core.simulator._SHARE", 1)
    call, begin_again = everything()[name]
    number = 1
    begin_again()
    while interrupted(number, call):
        begin_again()
        number += 1
    assert number > 3


def test_an_interrupt_does_not_come_between_taking_the_key_and_the_block_that_gives_it_back() -> None:
    """Should a new Python look for signals there, another way must be found."""

    class Keys(list[None]):
        """Taking the key sets off Ctrl-C, which comes when Python next looks for signals; no byte code runs."""

        __delitem__ = staticmethod(defaultdict(interrupt_main).__missing__)  # type: ignore[assignment]

    sim = simulator()
    entrance = Entrance()
    entrance.look = entrance.keys = Keys()
    sim.entrance = entrance
    for call in (sim.restart, sim.save, lambda: sim.step_one(0)):
        entrance.keys.clear()
        with pytest.raises(KeyboardInterrupt):
            call()
        assert entrance.keys == [None]


def test_after_an_interrupt_nobody_plays_before_the_helping_threads_are_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("polytrix.core.simulator._SHARE", 1)
    at_work, go_on = threading.Event(), threading.Event()
    sim = simulator(4, threads=2)

    def run(thread: int, rows: Any, actions: Any, run: Any = sim._run_step) -> None:
        if thread == 0:
            assert at_work.wait(60)
            raise KeyboardInterrupt
        at_work.set()
        assert go_on.wait(60)
        run(thread, rows, actions)

    sim._run_step = run  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        sim.restart()
    del sim._run_step  # type: ignore[method-assign]
    wait = Entrance.wait_for_helpers

    def let_go(entrance: Entrance) -> None:
        go_on.set()
        wait(entrance)

    monkeypatch.setattr(Entrance, "wait_for_helpers", let_go)
    sim.seed(5)
    assert go_on.is_set()
    other = simulator(4)
    other.seed(5)
    assert sim.save() == other.save()
    sim.close()


@pytest.mark.parametrize("name", ["put", "load", "fork", "redeal"])
def test_where_an_interrupt_leaves_a_changed_state_nothing_is_legal(name: str) -> None:
    """The old mask would let actions through that the rules do not expect in the new state."""
    source = simulator()
    source.step([1, 2])
    copies, data = source.copies(), source.save()
    sim = simulator()
    call = {
        "put": lambda: sim.put(copies), "load": lambda: sim.load(data),
        "fork": lambda: sim.fork(0, [1], 1), "redeal": lambda: sim.redeal(0),
    }[name]  # fmt: skip
    fresh, number = simulator(), 1
    while True:
        sim.seed(3)
        before = sim.states.copy()
        if not interrupted(number, call):
            break
        for row in np.flatnonzero(sim.states != before):
            fresh.put(sim.copies())
            assert not sim.mask[row].any() or (sim.mask[row] == fresh.mask[row]).all()
        number += 1
