"""Declared fields: their offsets in a record, their bounds, and who sees them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from polytrix.core.state import Array, Field, Record, Seen, entries, field, fields_of, new_records, record_dtype
from tests.commands import run
from tests.pages import ROOT

FRAME = [
    Field("kind", np.int8, 0, 9),
    Field("left", np.int16, -1, 40, 2, Seen.IN_PART),
]
FIELDS = [
    Field("flag", np.uint8),
    Field("word", np.int64, 0, ((1 << 62) - 1, 3), (2, 2), Seen.PRIVATE),
    Field("stack", FRAME, shape=3),
    ("plain", np.int16),
]
DTYPE = record_dtype(FIELDS)
TABLE = {entry.name: entry for entry in entries(DTYPE, FIELDS)}


def test_every_integer_of_a_record_is_an_entry() -> None:
    covered = np.zeros(DTYPE.itemsize, int)
    for entry in TABLE.values():
        covered[entry.offset : entry.offset + entry.type.itemsize] += 1
    assert (covered == 1).all()


def test_bounds_go_by_entry() -> None:
    assert (TABLE["flag"].low, TABLE["flag"].high) == (0, 1)
    assert [TABLE[f"word[{i}, {j}]"].high for i in range(2) for j in range(2)] == [(1 << 62) - 1, 3] * 2
    assert (TABLE["stack[2].left[1]"].low, TABLE["stack[2].left[1]"].high) == (-1, 40)


def test_what_is_not_declared_may_hold_all_that_its_type_can_and_gaps_hold_nothing() -> None:
    assert (TABLE["plain"].low, TABLE["plain"].high, TABLE["plain"].seen) == (-(2**15), 2**15 - 1, Seen.IN_PART)
    gaps = [entry for name, entry in TABLE.items() if "gap_" in name]
    assert gaps and all((entry.low, entry.high) == (0, 0) for entry in gaps)


def test_who_sees_what() -> None:
    assert TABLE["word[1, 0]"].seen is Seen.PRIVATE and TABLE["word[1, 0]"].owner == 1
    assert TABLE["stack[0].kind"].seen is Seen.PUBLIC and TABLE["stack[0].left[0]"].seen is Seen.IN_PART
    hidden = [Field("stack", FRAME, shape=3, seen=Seen.IN_PART)]
    assert {entry.seen for entry in entries(record_dtype(hidden), hidden)} == {Seen.IN_PART}


def test_an_entry_is_a_view_of_the_states() -> None:
    states = new_records(2, DTYPE)
    states[1].stack[2].left[1] = 7
    entry = TABLE["stack[2].left[1]"]
    assert entry.of(states).tolist() == [0, 7] and entry.field == "left"
    entry.of(states)[0] = -1
    assert states[0].stack[2].left[1] == -1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("x", np.float32), TypeError, "of type float32; allowed: integers"),
        (("x", np.uint64), TypeError, "no uint64"),
        (("x", np.int8, 0, 128), ValueError, r"bounds 0\.\.128; .* from -128 to 127"),
        (("x", np.uint8, -1, 5), ValueError, "from 0 to 255"),
        (("x", np.int8, 3, 2), ValueError, "low <= high"),
    ],
)
def test_a_field_that_cannot_be_is_refused(arguments: tuple, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Field(*arguments)


class Pile(Record):
    pile: int = field(np.int8, 0, 20)
    taken: Array = field(np.int8, 0, 3, shape=2, seen=Seen.PRIVATE)


def test_a_class_declares_the_fields() -> None:
    assert fields_of(Pile) == [
        Field("pile", np.int8, 0, 20),
        Field("taken", np.int8, 0, 3, 2, Seen.PRIVATE),
    ]
    assert fields_of(Record) == []


MISSPELT = """
from polytrix.games.quatrix.state import State

def rule(s: State) -> int:
    return int(s.phase + s.phaze)
"""


@pytest.mark.slow
def test_a_misspelt_field_is_an_error_for_mypy(tmp_path: Path) -> None:
    file = tmp_path / "misspelt.py"
    file.write_text(MISSPELT)
    done = run(sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", file, cwd=ROOT, code=1)
    errors = [line for line in done.stdout.splitlines() if "misspelt.py" in line]
    assert len(errors) == 1
    assert "phaze" in errors[0]
