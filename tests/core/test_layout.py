"""Named blocks of flat vectors."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, program
from polytrix.core.layout import Axis, Block, Layout, block

LAYOUT = Layout(
    Block("board", (2, 3), "who stands where", low=-1, high=2),
    Block("clock", (1,), "percent", high=100),
    Block("dice", (2, 2), "one-hot"),
)


def test_blocks_follow_each_other() -> None:
    assert LAYOUT.size == 11
    assert [LAYOUT.offset(block.name) for block in LAYOUT] == [0, 6, 7]
    with pytest.raises(KeyError):
        LAYOUT.offset("bord")


def test_bounds_and_scale() -> None:
    assert LAYOUT.low.tolist() == [-1] * 6 + [0] * 5
    assert LAYOUT.high.tolist() == [2] * 6 + [100] + [1] * 4
    assert LAYOUT.low.dtype == LAYOUT.high.dtype == np.int8
    scaled = LAYOUT.high * LAYOUT.scale**2
    assert LAYOUT.scale.dtype == np.float32 and np.allclose(scaled, 1)


def test_a_view_is_the_vector_itself() -> None:
    vectors = np.zeros((4, 5, 11), np.int8)
    views = LAYOUT.view(vectors)
    assert {name: view.shape for name, view in views.items()} == {
        "board": (4, 5, 2, 3),
        "clock": (4, 5, 1),
        "dice": (4, 5, 2, 2),
    }
    views["board"][3, 4, 1, 2] = 2
    assert vectors[3, 4, 5] == 2 and np.count_nonzero(vectors) == 1


def test_a_vector_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="last axis has 10 entries; this layout has 11"):
        LAYOUT.view(np.zeros(10, np.int8))


def test_locate_is_the_inverse_of_offset() -> None:
    for index in range(LAYOUT.size):
        block, place = LAYOUT.locate(index)
        assert LAYOUT.offset(block.name) + np.ravel_multi_index(place, block.shape) == index
    assert LAYOUT.locate(5)[1] == (1, 2)
    for outside in (-1, 11):
        with pytest.raises(IndexError, match=r"not in 0\.\.10"):
            LAYOUT.locate(outside)


def test_a_name_cannot_be_taken_twice() -> None:
    with pytest.raises(ValueError, match="two blocks are called 'a'"):
        Layout(Block("a", (1,), ""), Block("a", (2,), ""))


class Obs(Layout):
    BOARD = block(Axis("row", 2), 3, meaning="who stands where", low=-1, high=2)
    CLOCK = block(meaning="percent", high=100)
    DICE = block(2, 2, meaning="one-hot")


def after_the_clock(x: int) -> int:
    return Obs.CLOCK + x


@pytest.mark.parametrize("mode", Mode)
def test_declared_blocks_are_numbers_in_rules_and_a_layout_as_an_object(mode: Mode) -> None:
    assert (Obs.names(), Obs.CLOCK) == (("BOARD", "CLOCK", "DICE"), 6)
    assert program(after_the_clock, {}, mode, "layout")(1) == 7
    assert Obs().blocks == LAYOUT.blocks and Obs().size == LAYOUT.size
    assert Obs().blocks[0].axes == ("row", "")


def test_a_declared_layout_has_nothing_but_blocks() -> None:
    with pytest.raises(TypeError, match=r"Bad.SIZE is 'big'.*allowed: integers"):
        type(Layout)("Bad", (Layout,), {"SIZE": "big"})
