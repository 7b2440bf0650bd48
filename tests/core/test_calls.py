"""Rows and seeds are taken exactly, or refused with an error that says what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.calls import as_array, check_actions, check_seed, one_row, row_numbers


@pytest.mark.parametrize("row", [0, 3, np.int8(2), np.uint64(1)])
def test_a_row(row: Any) -> None:
    found = one_row(row, 4)
    assert found == row and type(found) is int


@pytest.mark.parametrize("row", [-1, 4, 1.0, True, np.True_, "1", None, [1]])
def test_no_row(row: Any) -> None:
    with pytest.raises(IndexError, match=r"row is .*; allowed: a whole number 0\.\.3"):
        one_row(row, 4)


@pytest.mark.parametrize("rows", [[], [0], [3, 1], range(4), np.array([2, 0], np.int8)])
def test_rows(rows: Any) -> None:
    found = row_numbers(rows, 4)
    assert found.dtype == np.int64 and found.tolist() == list(rows)


@pytest.mark.parametrize("rows", [[-1], [0, 4], [1, 1], [[1]], 1, [1.0], [True, False], ["1"], None])
def test_no_rows(rows: Any) -> None:
    with pytest.raises(IndexError, match="allowed: "):
        row_numbers(rows, 4)


@pytest.mark.parametrize("given", [[[1], [2, 3]], [1, [2]]])
def test_what_is_no_array_is_nothing_at_all(given: Any) -> None:
    found = as_array(given)
    assert (found.dtype, found.shape, found.item()) == (object, (), None)


def test_truths_are_not_taken_for_numbers() -> None:
    assert as_array([1, True]).tolist() == [None, None]
    assert as_array([1, 0]).tolist() == [1, 0]


@pytest.mark.parametrize(("seed", "count"), [(0, 1), (2**63 - 1, 1), (2**63 - 4, 4), (np.uint32(7), 2)])
def test_a_seed(seed: Any, count: int) -> None:
    assert check_seed(seed, count) == seed


@pytest.mark.parametrize(
    ("seed", "count"), [(-1, 1), (2**63, 1), (2**63 - 3, 4), (1.0, 1), (True, 1), ("1", 1)]
)
def test_no_seed(seed: Any, count: int) -> None:
    with pytest.raises((TypeError, ValueError), match="seed is "):
        check_seed(seed, count)


@pytest.mark.parametrize("actions", [[0, 1], [0, 1, 2, 3], [[0, 1, 2]], 0, [1, [2]], None])
def test_an_action_for_each_row(actions: Any) -> None:
    with pytest.raises(ValueError, match=r"expected \(3,\), one per row"):
        check_actions(actions, 3)
    assert check_actions([0, 1, 2], 3).tolist() == [0, 1, 2]
