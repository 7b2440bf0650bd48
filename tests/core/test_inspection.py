"""Faults at the edges of the range that is checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.inspection import BAD_OBSERVATION, DETAIL, FAULT, FINE, ROW, SEAT, fault_of, scratch_for
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, Record
from tests.toys import OBSERVATIONS, SECRET, broken, observe


def observe_first(s: Record, seat: int, out: ByteArray) -> None:
    observe(s, seat, out)
    out[0] = 2 if seat == 1 and s.pile > 0 else out[0]


def observe_last(s: Record, seat: int, out: ByteArray) -> None:
    observe(s, seat, out)
    out[-1] = -1 if seat == 1 and s.pile > 0 else out[-1]


def inspected(game: Any) -> Any:
    """The fault found in three positions; only the last one has something on its pile."""
    sim = Simulator(game, 3, seed=1, mode=Mode.PLAIN)
    sim.states["pile"][2] = 4
    found = scratch_for(game)
    programs(game, Mode.PLAIN).first_fault(sim.states, found)
    return sim.states[2], found


def test_sound_positions_have_no_fault() -> None:
    assert inspected(SECRET)[1].found[FAULT] == FINE


@pytest.mark.parametrize(
    ("defect", "place", "words"),
    [
        (observe_first, 0, r"seat 1's observation number[0] is 2; its block allows 0..1"),
        (observe_last, OBSERVATIONS.size - 1, r"seat 1's observation shown[5] is -1; its block allows 0..1"),
    ],
)
def test_every_entry_of_an_observation_is_held_against_its_bounds(defect: Any, place: int, words: str) -> None:
    game = broken("unbounded", observe=defect)
    s, scratch = inspected(game)
    assert [int(scratch.found[i]) for i in (FAULT, ROW, SEAT, DETAIL)] == [BAD_OBSERVATION, 2, 1, place]
    assert fault_of(game, s, scratch) == words


def test_the_mover_s_observation_is_the_one_that_stays() -> None:
    s, scratch = inspected(SECRET)
    seen = np.zeros_like(scratch.observation)
    observe(s, int(s.mover), seen)
    assert scratch.observation.tolist() == seen.tolist()
