"""Last: three seats in turn take 1 or 2 from a pile; whoever takes the last one wins."""

from __future__ import annotations

from polytrix.core.game import Game
from polytrix.core.invariants import invariant, invariants_in
from polytrix.core.layout import Block, Layout
from polytrix.core.options import Integer, Options
from polytrix.core.state import OVER, ByteArray, FloatArray, IdArray, Record
from polytrix.drawing import Picture

OPTIONS = Options(Integer("pile", 1, 50, 12, "at the beginning"))
ACTIONS = Layout(Block("take", (2,), "take 1, 2"))
OBSERVATIONS = Layout(Block("left", (1,), "left on the pile", high=50), Block("my_turn", (1,), "to move"))


def setup(s: Record) -> None:
    s.left = s.options.pile
    s.last = -1
    s.mover = 0


def chance(s: Record) -> int:
    return 1


def legal(s: Record, ids: IdArray) -> int:
    ids[0] = 0
    ids[1] = 1
    return min(2, int(s.left))


def apply(s: Record, action: int) -> None:
    s.left -= action + 1
    s.last = s.mover
    s.mover = OVER if s.left == 0 else (s.mover + 1) % 3


def payoff(s: Record, out: FloatArray) -> None:
    if s.left == 0:
        out[:] = -1
        out[s.last] = 2


def observe(s: Record, seat: int, out: ByteArray) -> None:
    out[0] = s.left
    out[1] = s.mover == seat


def redeal(s: Record, seat: int) -> None:
    pass


@invariant
def the_pile_only_shrinks(before: Record, s: Record) -> bool:
    return 0 <= s.left <= before.left


HELD = invariants_in(globals())


LAST = Game(
    name="last",
    title="Last",
    version=0,
    seats=("a", "b", "c"),
    fields=[("left", "i1"), ("last", "i1")],
    options=OPTIONS,
    actions=ACTIONS,
    observations=OBSERVATIONS,
    max_legal=2,
    setup=setup,
    chance=chance,
    legal=legal,
    apply=apply,
    payoff=payoff,
    observe=observe,
    redeal=redeal,
    format_action=lambda s, action: str(action + 1),
    parse_action=lambda s, text: int(text) - 1,
    format_chance=lambda s, outcome: "",
    text=lambda s, seat: f"{s.left} left",
    draw=lambda s, seat: Picture(10, 10, ()),
    check=HELD.check,
    invariants=HELD.texts,
)
