"""Snapshots: games as bytes, and refusal of all other bytes. See also `polytrix.testing.check_snapshots`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import SnapshotError
from polytrix.core.simulator import Simulator
from tests.toys import SECRET


def simulator(count: int = 3, seed: int = 1) -> Simulator:
    return Simulator(SECRET, count, seed=seed, mode=Mode.PLAIN)


def test_some_rows_go_into_other_rows() -> None:
    one, other = simulator(seed=1), simulator(seed=50)
    untouched = other.states[1].tobytes()
    other.load(one.save([2, 0]), [0, 2])
    assert other.save([0]) == one.save([2]) and other.save([2]) == one.save([0])
    assert other.states[1].tobytes() == untouched
    assert (other.observation[0] == one.observation[2]).all() and (other.mask[2] == one.mask[0]).all()


def test_errors_say_what_does_not_fit() -> None:
    sim = simulator()
    data = sim.save()
    with pytest.raises(SnapshotError, match="holds 3 games; 2 rows"):
        sim.load(data, [0, 1])
    with pytest.raises(SnapshotError, match="checksum does not match"):
        sim.load(data[:-1] + b"?")
    newer = replace(SECRET, version=1)
    with pytest.raises(SnapshotError, match=r"is of polytrix/secret-v0; this is polytrix/secret-v1"):
        Simulator(newer, 3, seed=0, mode=Mode.PLAIN).load(data)
