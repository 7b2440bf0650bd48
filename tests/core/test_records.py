"""Fields of records are attributes, at every depth, and nothing else is."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from polytrix.core.records import as_records
from polytrix.core.state import Array, Record, field, fields_of, record_dtype


class Card:
    number: int = field(np.int16, 0, 100)
    side: int = field(np.int8, 0, 1)


class Table(Record):
    pile: int = field(np.int8, 0, 20)
    top: Card = field(fields_of(Card))
    hand: Array = field(fields_of(Card), shape=3)
    copy: int = field(np.int8)  # as a method of every record


DTYPE = record_dtype(fields_of(Table))


def test_attributes_read_and_write_the_memory_of_the_array() -> None:
    plain = np.zeros(2, DTYPE)
    s = as_records(plain)[1]
    s.pile, s.top.number, s.hand[2].side = 7, 300, 1
    assert plain["pile"].tolist() == [0, 7] and plain["top"]["number"].tolist() == [0, 300]
    assert plain["hand"]["side"].tolist() == [[0, 0, 0], [0, 0, 1]]
    assert (s.pile, s.top.number, s.hand[2].side) == (7, 300, 1)
    s.hand = s.top
    assert plain["hand"]["number"].tolist() == [[0, 0, 0], [300, 300, 300]]


def test_integers_are_read_as_python_integers_and_the_words_of_a_generator_as_they_are() -> None:
    s = as_records(np.ones(1, [("pile", np.int8), ("hand", np.int8, 2), ("key", np.uint64)]))[0]
    assert type(s.pile) is int and 200 * s.pile == 200
    assert s.hand.dtype == np.int8 and type(s.key) is np.uint64
    with pytest.raises(OverflowError):
        s.pile = 200 * s.pile


def test_other_names_are_refused() -> None:
    s = as_records(np.zeros(1, DTYPE))[0]
    for record in (s, s.top, s.hand[0]):
        with pytest.raises(AttributeError, match="pille"):
            record.pille = 3
        with pytest.raises(AttributeError, match="pille"):
            _ = record.pille


def test_methods_of_records_stay() -> None:
    s = as_records(np.ones(1, DTYPE))[0]
    assert s.copy() == s and s["copy"] == 1


def test_columns_rows_and_elements_are_as_in_any_array() -> None:
    states = as_records(np.zeros(3, DTYPE))
    states.pile = [1, 2, 3]
    assert type(states["pile"]) is np.ndarray and states.pile.tolist() == [1, 2, 3]
    assert [s.pile for s in states[[2, 0]]] == [3, 1]
    assert states["top"][1].number == states.top[1].number == 0
    assert states.dtype == DTYPE and as_records(states) is states


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_copies_have_attributes_too(copied) -> None:
    states = as_records(np.zeros(2, DTYPE))
    states[0].hand[1].number = 9
    again = copied(states)
    assert again.tobytes() == states.tobytes() and again[0].hand[1].number == 9
    assert copied(states[0]).hand[1].number == 9


def test_the_compiler_sees_the_same_type() -> None:
    from numba import typeof

    plain = np.zeros(2, DTYPE)
    assert typeof(as_records(plain).view(np.ndarray)) == typeof(plain)
