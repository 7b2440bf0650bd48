"""What `load` asks of numbers, one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core import snapshot
from polytrix.core.bounds import check_numbers
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import SnapshotError
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, Record, new_records
from tests.toys import SECRET


def forged(change: Callable[[Record], Any]) -> tuple[Simulator, bytes]:
    """A simulator, and a snapshot for it in which the second of two games is changed, digest included."""
    sim = Simulator(SECRET, 2, seed=1, mode=Mode.PLAIN)
    copies = sim.copies()
    states = copies.states.view(np.recarray)
    change(states[1])
    return sim, snapshot.dump(SECRET, snapshot.Copies(states, copies.generators))


def setting(**values: int) -> Callable[[Record], None]:
    def change(s: Record) -> None:
        for name, value in values.items():
            target = s.options if name in s.options.dtype.names else s
            target[name] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (setting(pile=31), r"row 1 .*: pile is 31; allowed: 0\.\.30"),
        (setting(pile=-1), r"pile is -1"),
        (setting(added=4), r"added is 4; allowed: 0\.\.3"),
        (setting(mover=-3), r"mover is -3; allowed: -2\.\.127"),
        (setting(mover=2), "its mover is no seat that plays"),
        (setting(gap_0=1), r"gap_0\[0\] is 1; allowed: 0\.\.0"),
        (setting(loaded=2), r"loaded is 2; allowed: 0\.\.1"),
        (setting(top=5), "options are not allowed: option 'top' is 5"),
        (setting(doubling=2), "options are not allowed: they are stored as"),
        (setting(max_decisions=0), "option 'max_decisions' is 0"),
        (setting(num_players=1), "another number of players than its options say"),
        (setting(decisions=41), "more decisions than max_decisions"),
        (setting(decisions=40), "goes on after max_decisions"),
        (setting(truncated=1), "was truncated and goes on"),
        (setting(mover=CHANCE), "its mover is no seat that plays"),
    ],
)
def test_what_no_game_has_is_refused_and_changes_nothing(change: Callable[[Record], Any], message: str) -> None:
    sim, data = forged(change)
    before = sim.states.tobytes(), sim.observation.tobytes()
    with pytest.raises(SnapshotError, match=message):
        sim.load(data)
    assert (sim.states.tobytes(), sim.observation.tobytes()) == before


def test_what_keeps_its_bounds_is_taken() -> None:
    sim, data = forged(setting(pile=11))
    sim.load(data)
    assert sim.states["pile"].tolist() == [0, 11]
    sim, data = forged(setting(mover=OVER, decisions=40, truncated=1))
    sim.load(data)
    assert sim.truncated.tolist() == [False, True]


def test_many_games_of_different_options() -> None:
    options = [{"top": 4}, {"top": 6}, {"doubling": False}, {"max_decisions": 7}]
    sim = Simulator(SECRET, 4, options, seed=1, mode=Mode.PLAIN)
    check_numbers(SECRET, sim.states)
    sim.states["options"]["top"][2] = 3
    with pytest.raises(SnapshotError, match=r"row 2 .*option 'top' is 3"):
        check_numbers(SECRET, sim.states)


# -- length, and loading without checks ----------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 3, -2, True, 2.0, "2", None, 10**30])
def test_the_count_is_the_number_of_rows_and_of_records(count: Any) -> None:
    sim = Simulator(SECRET, 2, seed=1, mode=Mode.PLAIN)
    data = sim.save().replace(b'"count": 2', b'"count": ' + repr(count).replace("True", "true").encode())
    with pytest.raises(SnapshotError):
        sim.load(data.replace(b"'", b'"').replace(b"None", b"null"))


def test_a_body_of_another_length_is_refused() -> None:
    sim = Simulator(SECRET, 2, seed=1, mode=Mode.PLAIN)
    one = sim.copies([0])
    short = snapshot.dump(SECRET, snapshot.Copies(sim.copies().states, one.generators))
    with pytest.raises(SnapshotError, match="2 games do not have"):
        sim.load(short)


def test_copies_are_put_without_a_check() -> None:
    sim = Simulator(SECRET, 3, seed=1, mode=Mode.PLAIN)
    for _ in range(4):
        sim.step(sim.random_actions())
    copies = sim.copies([2, 0])
    other = Simulator(SECRET, 3, seed=9, mode=Mode.PLAIN)
    other.put(copies, [0, 1])
    assert other.states[0] == sim.states[2] and other.states[1] == sim.states[0]
    assert (other.observation[0] == sim.observation[2]).all()
    with pytest.raises(ValueError, match="allowed: 3 of polytrix/secret-v0"):
        other.put(copies)
    wrong = snapshot.Copies(new_records(3, np.dtype([("x", np.int8)])), copies.generators)
    with pytest.raises(ValueError, match="another kind"):
        other.put(wrong)
