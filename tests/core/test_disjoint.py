"""Compiled programs rely on it: the arrays of a call do not overlap in memory, and no index is negative."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from polytrix.agents.built_in import HeuristicPolicy
from polytrix.agents.guided import GuidedSearchPolicy, compile_nets
from polytrix.agents.policy import ask_rows
from polytrix.agents.search import Desk, SearchPolicy
from polytrix.arena.play import behaviour_of
from polytrix.core import drivers
from polytrix.core.compile import compiler
from polytrix.core.compile.compiler import Function, Mode, RuleError, program
from polytrix.core.compile.programs import DRIVERS, forget_programs, programs
from polytrix.core.game import Game
from polytrix.core.records import as_records
from polytrix.core.rows import new_row, step_rows
from polytrix.core.rules import DISJOINT
from polytrix.core.search.teaching import Lesson, Lessons
from polytrix.core.search.tree import Plan
from polytrix.core.simulator import Simulator
from polytrix.testing import check_random_play, perft
from polytrix.testing.faults import first_fault
from tests.networks import some_network
from tests.toys import SECRET


def memory(value: Any) -> Iterator[np.ndarray]:
    """The arrays and records in an argument."""
    if isinstance(value, tuple):
        for each in value:
            yield from memory(each)
    elif isinstance(value, np.void):
        yield np.frombuffer(value, np.uint8)
    elif isinstance(value, np.ndarray):
        yield value


def watched(function: Function, called: set[str]) -> Function:
    """The function, which fails if its arguments overlap in memory."""

    @wraps(function)
    def watching(*arguments: Any) -> Any:
        called.add(function.__name__)
        for one, other in combinations(memory(arguments), 2):
            assert not np.may_share_memory(one, other), f"arguments of {function.__name__} overlap"
        return function(*arguments)

    return watching


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The names of the drivers and disjoint rules called in plain Python, each of them watched."""
    names: set[str] = set()
    copy_all = compiler._copy

    def watch_all(
        function: Function,
        replacements: Mapping[Function, Function],
        done: dict[Function, Any],
        finish: Callable[[Any, Function], Any],
    ) -> Any:
        if done:  # the call for a function that the driver calls
            return copy_all(function, replacements, done, finish)
        chosen = {function} | {replacements.get(each, each) for each in DISJOINT}

        def finish_watched(copy: Any, original: Function) -> Any:
            finished = finish(copy, original)
            return watched(finished, names) if original in chosen else finished

        return copy_all(function, replacements, done, finish_watched)

    monkeypatch.setattr(compiler, "_copy", watch_all)
    forget_programs()
    yield names
    forget_programs()


def teach_once(game: Game) -> None:
    sim, nets = Simulator(game, 2, seed=1, mode=Mode.PLAIN), compile_nets(game, some_network(game))
    desk = Desk(game, 9, nets, Mode.PLAIN)
    lessons = Lessons(np.zeros((2, game.max_legal), np.float32), np.zeros(2, np.float32), np.zeros(2, np.int64))
    keys, often = np.arange(2, dtype=np.uint64), np.full(2, 9)
    plan, lesson = Plan(1.0, others=drivers.GREEDY), Lesson(1.0, 1.0)
    desk.run.teach(
        sim.states,
        keys,
        often,
        plan,
        lesson,
        nets,
        desk.tree,
        desk.scratch,
        lessons,
    )


def test_arrays_never_overlap(called: set[str]) -> None:
    sim = Simulator(SECRET, 4, seed=1, num_threads=2, mode=Mode.PLAIN)
    sim.policy[2:, 1] = drivers.RANDOM, drivers.GREEDY
    sim.seed(1)
    for _ in range(30):
        alive = np.flatnonzero(~sim.over)
        sim.step(sim.random_actions(alive), alive)
        sim.view(1)
        sim.potential()
        sim.restart(np.flatnonzero(sim.over))
    sim.load(sim.save([0]), [1])
    sim.fork(0, [2, 3], seed=5)
    sim.redeal(0, [0, 1])
    sim.hidden_actions(0)
    assert sim.step_one(int(sim.random_actions([0])[0])) is not None
    rng = np.random.default_rng(1)
    policies = [HeuristicPolicy(SECRET, name, mode=Mode.PLAIN) for name in ("greedy", "caller")]
    searches = [
        SearchPolicy(SECRET, 20, rollout="greedy", mode=Mode.PLAIN),
        GuidedSearchPolicy(SECRET, some_network(SECRET), 20, threads=4, mode=Mode.PLAIN),
    ]
    for policy in [*policies, *searches, *searches]:
        ask_rows(policy, sim, np.flatnonzero(~sim.over), rng)
    teach_once(SECRET)
    row = new_row(SECRET, SECRET.options.validate({}))
    step_rows(SECRET, row.view(np.uint8), np.array([drivers.BEGIN], np.int32), mode=Mode.PLAIN)
    perft(SECRET, 2, mode=Mode.PLAIN)
    check_random_play(SECRET, decisions=200, mode=Mode.PLAIN)
    assert first_fault(SECRET, sim.states, Mode.PLAIN) is None
    kept = Simulator(SECRET, 2, seed=1, mode=Mode.PLAIN, keep_actions=True)
    kept.step(kept.random_actions())
    behaviour_of(kept)
    programs(SECRET, Mode.PLAIN).rollout(sim.states, 20, np.zeros(4, np.int16), sim._generators)
    assert called >= {rule.__name__ for rule in DISJOINT}
    assert {driver.__name__ for driver in DRIVERS.values()} - called == {
        "outcomes",
        "advance",
    }  # see the next test


def test_arrays_never_overlap_in_openspiel(called: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="the extra 'openspiel' is not installed")
    from polytrix.api.openspiel.rules import Rules

    monkeypatch.setattr("polytrix.api.openspiel.rules.programs", lambda game: programs(game, Mode.PLAIN))
    of_bytes = Rules._array
    monkeypatch.setattr(Rules, "_array", lambda self, position: as_records(of_bytes(self, position)))
    rules = Rules(SECRET, SECRET.options.validate({}))
    position = rules.opening
    for _ in range(40):
        outcomes = rules.chance(position) if rules.record(position).mover == -1 else []
        choices = [number for number, _ in outcomes] or rules.legal(position)
        rules.views(position)
        if not choices:
            break
        position, _ = rules.after(position, choices[0])
    assert {"outcomes", "advance", "view"} <= called


def test_that_overlap_is_found(called: set[str]) -> None:
    sim = Simulator(SECRET, 4, seed=1, mode=Mode.PLAIN)
    with pytest.raises(AssertionError, match="arguments of view overlap"):
        sim._run.view(sim._raw_states, sim._all_rows, sim._all_rows, *sim._outputs[:2], sim._scratch_ids)
    outputs = sim._outputs._replace(mask=sim._outputs.observation)
    with pytest.raises(AssertionError, match="arguments of refresh overlap"):
        sim._run.refresh(sim._raw_states, sim._all_rows, outputs)
    with pytest.raises(AssertionError, match="arguments of observe overlap"):
        watched(SECRET.observe, called)(sim.states[0], 0, sim.states[:1].view(np.int8))


# -- indices ------------------------------------------------------------------------------


def look_up(table: Any, grid: Any, i: int, j: int) -> int:
    return int(table[i] + grid[i, j] + grid[1][j])


LAST = 1


def read_last(table: Any, grid: Any, i: int, j: int) -> int:
    return int(table[-1] + grid[-1, j] + grid[i, -LAST] + grid[-1][j])


def write(table: Any, grid: Any, i: int, j: int) -> int:
    table[i] = 7
    grid[j, i] = 8
    return 0


TABLE, GRID = np.arange(5, 9), np.arange(12).reshape(3, 4)


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize("function", [look_up, read_last, write])
@pytest.mark.parametrize("mode", [Mode.COMPILED, Mode.CHECKED])
def test_programs_index_like_plain_python(function: Function, mode: Mode) -> None:
    expected, found = (TABLE.copy(), GRID.copy()), (TABLE.copy(), GRID.copy())
    assert program(function, {}, mode, "test")(*found, 2, 1) == function(*expected, 2, 1)
    assert all(map(np.array_equal, found, expected))


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize(
    ("function", "i", "j"), [(look_up, -1, 1), (look_up, 1, -1), (write, -1, 1), (write, 1, -1)]
)
def test_a_negative_index_is_an_error_in_checked_mode(function: Function, i: int, j: int) -> None:
    with pytest.raises(IndexError, match="index is out of bounds"):
        program(function, {}, Mode.CHECKED, "test")(TABLE.copy(), GRID.copy(), i, j)


# -- allocation ---------------------------------------------------------------------------


def allocate(n: int) -> int:
    return len(np.zeros(n))


@pytest.mark.usefixtures("empty_cache")
def test_programs_do_not_allocate() -> None:
    with pytest.raises(RuleError, match=r"a driver does not compile: .*zeros"):
        program(allocate, {}, Mode.COMPILED, "test")(3)
