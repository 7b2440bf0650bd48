"""Games that were loaded are played by checked programs, with equal results, and never break anything."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polytrix.agents import HeuristicPolicy, SearchPolicy, ask_rows, reasons
from polytrix.api import words
from polytrix.api.shared.rendering import Renderer
from polytrix.core import drivers, snapshot
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import SnapshotError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, ByteArray, FloatArray, IdArray, Record, RecordArray
from tests.toys import PILE, SECRET, apply, broken, chance, forgetful_setup, observe

MODES = pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.COMPILED], ids=lambda mode: mode.value)
TABLE = np.array([7, 7, 7], np.int64)


def forged(sim: Simulator, row: int, **values: Any) -> None:
    """Load the games of a simulator into it, one of them with other values."""
    copies = sim.copies()
    for name, value in values.items():
        copies.states[name][row] = value
    sim.load(snapshot.dump(sim.game, copies))


def everything(sim: Simulator) -> bytes:
    return b"".join(each.tobytes() for each in (sim.states, sim._generators, *sim._outputs))


# -- the mark -------------------------------------------------------------------------------


@MODES
def test_loaded_games_go_on_as_they_would_have(mode: Mode) -> None:
    one, other = (Simulator(SECRET, 5, seed=seed, mode=mode) for seed in (1, 9))
    one.policy[1:3, 1] = other.policy[1:3, 1] = drivers.RANDOM
    other.load(one.save())
    other._generators[:] = one._generators
    assert other == one and hash(other) == hash(one) and other.save() == one.save()
    for _ in range(30):
        over = np.flatnonzero(one.over)
        for sim in (one, other):
            sim.restart(over)
            sim.redeal(0, [0])
            sim.step(sim.random_actions())
        assert other == one
        for seen, expected in zip(other._outputs, one._outputs, strict=True):
            assert (seen == expected).all()


def test_a_row_is_free_again_when_another_game_begins() -> None:
    sim = Simulator(SECRET, 3, seed=1)
    assert sim._run is sim._usual
    sim.load(sim.save([0, 1]), [0, 1])
    assert sim.states["loaded"].tolist() == [1, 1, 0] and sim._run is not sim._usual
    sim.seed(5, [0])
    assert sim.states["loaded"].tolist() == [0, 1, 0] and sim._run is not sim._usual
    while not sim.over[1]:
        sim.step(sim.random_actions([1]), [1])
    assert sim.states["loaded"][1] == 1  # it is still paid
    sim.restart([1])
    assert not sim.states["loaded"].any() and sim._run is sim._usual


def test_the_mark_goes_with_copies() -> None:
    sim = Simulator(SECRET, 2, seed=1)
    sim.load(sim.save([0]), [0])
    sim.fork(0, [1], 3)
    assert sim.states["loaded"].tolist() == [1, 1]
    sim.restart([1])
    pickled = Simulator.__new__(Simulator)
    pickled.__setstate__(sim.__getstate__())  # the game itself is not registered
    assert pickled.states["loaded"].tolist() == [1, 0]
    for other in (Simulator(SECRET, 2, seed=4), pickled):
        other.put(pickle.loads(pickle.dumps(sim.copies())))
        assert other.states["loaded"].tolist() == [1, 0] and other._run is not other._usual
        other.put(sim.copies([1]), [0])
        assert other._run is other._usual
    sim.fork(1, [0], 3)
    assert sim._run is sim._usual


def test_nothing_of_a_forged_game_is_left_for_the_next() -> None:
    """A rule may rely on a field that its `setup` forgets: zero in a new simulator."""
    game = broken("forgetful", setup=forgetful_setup)
    sim = Simulator(game, 1, seed=1, mode=Mode.PLAIN)
    forged(sim, 0, caller=1, mover=OVER)
    sim.restart()
    assert sim.states["caller"][0] == 0


# -- what cannot be played on ------------------------------------------------------------------


def overrunning_apply(s: Record, action: int) -> None:
    apply(s, action)
    if s.mover != OVER:
        s.pile += TABLE[5 * (s.caller + 1)] - 7


def dividing_apply(s: Record, action: int) -> None:
    apply(s, action)
    if s.mover != OVER:
        s.pile += 3 // (s.caller - 1) + 2


def idle_chance(s: Record) -> int:
    return chance(s) if s.caller < 1 else 0


def endless_apply(s: Record, action: int) -> None:
    if s.caller == 1:
        s.mover = CHANCE
    else:
        apply(s, action)


def lost_apply(s: Record, action: int) -> None:
    apply(s, action)
    if s.caller == 1:
        s.mover = 5


def overrunning_view(s: Record, seat: int, out: ByteArray) -> None:
    observe(s, seat, out)
    out[PILE] = TABLE[int(s.caller) + 2 * seat] if s.caller == 1 else s.pile


def overrunning_potential(s: Record, seat: int) -> float:
    return float(TABLE[int(s.caller) * 5 + 5])


def overrunning_redeal(s: Record, seat: int) -> None:
    s.secret[1 - seat + 2 * max(0, int(s.caller))] = 0


def hidden(s: Record, seat: int) -> int:
    return int(TABLE[int(s.caller) * 5 + 5])


def set_hidden(s: Record, seat: int, action: int) -> None:
    pass


def overrunning_text(s: Record, seat: int | None) -> str:
    return "abc"[s.caller + 3]


DEFECTS: dict[str, tuple[dict[str, Any], Callable[[Simulator], Any]]] = {
    "an index": ({"apply": overrunning_apply}, lambda sim: sim.step([0, 0, 0])),
    "a division": ({"apply": dividing_apply}, lambda sim: sim.step([0, 0, 0])),
    "no outcome": ({"chance": idle_chance}, lambda sim: sim.step([0, 0, 0])),
    "endless chance": ({"apply": endless_apply}, lambda sim: sim.step([0, 0, 0])),
    "no such mover": ({"apply": lost_apply}, lambda sim: sim.step([0, 0, 0])),
    "a view": ({"observe": overrunning_view}, lambda sim: sim.view([0, 1, 0])),
    "all views": ({"observe": overrunning_view}, lambda sim: sim.global_state()),
    "a potential": ({"potential": overrunning_potential}, lambda sim: sim.potential()),
    "redeal": ({"redeal": overrunning_redeal}, lambda sim: sim.redeal(0)),
    "hidden actions": (
        {"hidden_action": hidden, "set_hidden_action": set_hidden},
        lambda sim: sim.hidden_actions(0),
    ),
}


COMPILED = ("an index", "a division", "a view")
"""Those that are compiled as well: each kind of error, in programs with and without actions."""


@pytest.mark.parametrize(
    ("name", "mode"),
    [*((name, Mode.PLAIN) for name in DEFECTS), *((name, Mode.COMPILED) for name in COMPILED)],
)
def test_an_error_names_the_row_and_changes_nothing(name: str, mode: Mode) -> None:
    defects, call = DEFECTS[name]
    game = broken(f"careful_{name.replace(' ', '_')}", **defects)
    sim = Simulator(game, 3, seed=1, mode=mode, num_threads=2)
    forged(sim, 1, caller=1)
    before = everything(sim)
    with pytest.raises(SnapshotError, match="the position in row 1 cannot be played on"):
        call(sim)
    assert everything(sim) == before
    if "apply" in defects:
        sim.step([0, 0], [0, 2])
    sim.restart([1])
    call(sim)


@MODES
def test_a_position_that_cannot_be_shown_is_not_loaded(mode: Mode) -> None:
    game = broken("careful_shown", observe=overrunning_view)
    sim = Simulator(game, 2, seed=1, mode=mode)
    sim.step([0, 0])  # seat 1 is to move
    before = everything(sim)
    with pytest.raises(SnapshotError, match="row 1 cannot be played on"):
        forged(sim, 1, caller=1)
    assert everything(sim) == before and sim._run is sim._usual
    sim.step([0, 0])


@MODES
def test_an_error_in_a_game_begun_here_stays_as_it_is(mode: Mode) -> None:
    sim = Simulator(broken("careful_honest", apply=overrunning_apply), 2, seed=1, mode=mode)
    sim.load(sim.save([1]), [1])
    sim.states["caller"][0] = 1  # a defect of the rules
    before = everything(sim)
    with pytest.raises(IndexError):
        sim.step([0, 0])
    assert everything(sim) == before
    sim.step([0], [1])


def test_one_game_at_a_time() -> None:
    sim = Simulator(broken("careful_one", apply=overrunning_apply), 1, seed=1)
    forged(sim, 0, caller=1)
    before = everything(sim)
    with pytest.raises(SnapshotError, match="row 0"):
        sim.step_one(0)
    assert everything(sim) == before


# -- agents, texts and pictures ---------------------------------------------------------------


def overrunning_greedy(
    observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    score[0] = TABLE[observation[PILE]]


@MODES
def test_heuristics_are_checked_whatever_they_are_shown(mode: Mode) -> None:
    game = broken("careful_greedy", greedy=overrunning_greedy)
    policy = HeuristicPolicy(game, mode=mode)
    sim = Simulator(game, 3, seed=1, mode=mode)
    forged(sim, 2, pile=9)
    assert len(ask_rows(policy, sim, [0, 1], np.random.default_rng(0))) == 2
    for call in (
        lambda: ask_rows(policy, sim, [0, 1, 2], np.random.default_rng(0)),
        lambda: policy.reasons(sim.observation, sim.mask),
    ):
        with pytest.raises(SnapshotError, match="row 2 cannot be played on"):
            call()
    sim.policy[2] = drivers.GREEDY
    with pytest.raises(SnapshotError, match="row 2"):
        sim.step([0, 0, 0])


def test_texts_and_pictures() -> None:
    def overrunning_draw(s: Record, seat: int | None) -> Any:
        return {0: None}[s.caller + 5]

    game = broken("careful_text", text=overrunning_text, draw=overrunning_draw, format_action=overrunning_text)
    sim = Simulator(game, 1, seed=1, mode=Mode.PLAIN)
    with pytest.raises(IndexError):  # a defect of the game
        words.text_of(replaced(sim, game), 0)
    forged(sim, 0, caller=1)
    for call in (
        lambda: words.text_of(sim, 0),
        lambda: words.legal_moves(sim),
        lambda: Renderer(game, "ansi").render(sim.states[0], 0),
        lambda: Renderer(game, "rgb_array").render(sim.states[0], None),
        lambda: sim.step([3]),
    ):
        with pytest.raises(SnapshotError, match="the position"):
            call()


def replaced(sim: Simulator, game: Game) -> Simulator:
    other = Simulator(game, 1, seed=1, mode=Mode.PLAIN)
    other.states["caller"] = 1
    return other


@pytest.mark.parametrize("kind", ["heuristic", "worlds", "search"])
def test_an_error_of_an_agent_names_the_row_of_the_simulator(kind: str) -> None:
    defects: dict[str, Any] = {
        "heuristic": {"greedy": overrunning_greedy},
        "worlds": {"redeal": overrunning_redeal},
        "search": {"apply": overrunning_apply},
    }
    game = broken(f"careful_row_{kind}", **defects[kind])
    policy = HeuristicPolicy(game) if kind == "heuristic" else SearchPolicy(game, 5, rollout="random")
    sim = Simulator(game, 6, seed=1)
    forged(sim, 5, **({"pile": 9} if kind == "heuristic" else {"caller": 1}))
    rows, rng = np.array([4, 5]), np.random.default_rng(0)
    seen = sim.observation[rows], sim.mask[rows]
    for call in (
        lambda: ask_rows(policy, sim, rows, rng),
        lambda: reasons(policy, *seen, rng, sim.states[rows], rows=rows),
    ):
        with pytest.raises(SnapshotError, match="row 5 cannot be played on"):
            call()


# -- games that declare nothing ---------------------------------------------------------------


@MODES
def test_a_game_that_declares_nothing_may_be_forged(mode: Mode) -> None:
    """Any bytes in its fields are refused, or played on."""
    fields = [("secret", np.int8, 2), *[(name, np.int8) for name in ("pile", "turn", "added", "caller")]]
    game = replace(SECRET, name="secret_bare", fields=fields)
    sim = Simulator(game, 2, seed=1, mode=mode)
    rng = np.random.default_rng(1)
    outcomes = set()
    for _ in range(20 if mode is Mode.PLAIN else 300):
        try:
            forged(sim, 1, **{name: rng.integers(-128, 128, dtype=np.int8) for name, *_ in fields})
        except SnapshotError:
            outcomes.add("refused")
            continue
        sim.policy[1] = rng.integers(drivers.RANDOM, drivers.HEURISTICS)
        try:
            sim.step([0, 0])
            outcomes.add("played on" if sim.over[1] else "endless")
        except SnapshotError:
            outcomes.add("refused while playing")
        sim.policy[1] = drivers.EXTERNAL
        sim.restart()
    assert "refused while playing" in outcomes and "endless" not in outcomes
