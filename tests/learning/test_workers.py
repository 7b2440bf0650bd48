"""Threads that share work."""

from __future__ import annotations

import threading
import time

import pytest

pytest.importorskip("loky", reason="training needs the extra 'train'")

from polytrix.learning.workers import Workers


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("items", [0, 1, 3, 50])
def test_results_come_in_the_order_of_the_items(threads: int, items: int) -> None:
    def slow_at_first(number: int) -> int:
        time.sleep(0.01 if number == 0 else 0.0)
        return number * number

    assert Workers(threads).map(slow_at_first, range(items)) == [number**2 for number in range(items)]


def test_so_many_threads_work_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=60)
    Workers(2).map(lambda _: both.wait(), range(8))  # or BrokenBarrierError


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_reaches_the_caller_when_nobody_works_any_more(threads: int) -> None:
    working = []

    def fail_at_three(number: int) -> None:
        working.append(number)
        time.sleep(0.01)
        working.remove(number)
        if number == 3:
            raise ValueError("three")

    with pytest.raises(ValueError, match="three"):
        Workers(threads).map(fail_at_three, range(10))
    assert not working
