"""Secret: a tiny complete game for tests, and copies of it with one planted defect each.

Chance deals each of two seats a secret number below `top`. In turn a seat adds 1 to 3 to
a pile, doubled if chance says so, or calls from a pile of 5 on; who calls wins with the
higher number, loses with the lower one, and gets nothing for equal ones. Without a call
the game ends at a pile of `LIMIT`, and nobody wins. Once over, the numbers are shown.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polytrix.core.behaviour import mean, note, share
from polytrix.core.game import Game
from polytrix.core.invariants import invariant, invariants_in
from polytrix.core.layout import Block, Layout
from polytrix.core.options import Choice, Flag, Options
from polytrix.core.random import draw
from polytrix.core.state import (
    CHANCE,
    OVER,
    ByteArray,
    Field,
    FloatArray,
    IdArray,
    IntArray,
    Record,
    RecordArray,
    Seen,
)
from polytrix.core.viewers import SPECTATOR
from polytrix.drawing import Picture
from polytrix.drawing import text as words

LIMIT = 24
CALL = 3
CALLABLE_FROM = 5
NUMBER, PILE, CALLER, MY_TURN, SHOWN = 0, 6, 7, 8, 9

OPTIONS = Options(
    Choice("top", (4, 6), 6, "numbers are below this"),
    Flag("doubling", True, "chance may double what is added"),
    max_decisions=40,
)
FIELDS = [
    Field("secret", np.int8, -1, 5, 2, Seen.PRIVATE),  # -1 not dealt
    Field("pile", np.int8, 0, LIMIT + 6),
    Field("turn", np.int8, 0, 1, seen=Seen.IN_PART),
    Field("added", np.int8, 0, 3, seen=Seen.IN_PART),  # waiting for the doubling, 0 if nothing is
    Field("caller", np.int8, -1, 1, seen=Seen.IN_PART),  # seat, or -1
]
ACTIONS = Layout(Block("add", (3,), "add 1, 2, 3"), Block("call", (1,), "compare the numbers"))
OBSERVATIONS = Layout(
    Block("number", (6,), "the own number", one_hot=1),
    Block("pile", (1,), "how much lies there", high=LIMIT + 6),
    Block("called", (1,), "somebody has called"),
    Block("my_turn", (1,), "the viewer is to move"),
    Block("shown", (6,), "the other number, once over", one_hot=1),
)


def setup(s: Record) -> None:
    s.secret[:] = -1
    s.pile = 0
    s.turn = 0
    s.added = 0
    s.caller = -1


def chance(s: Record) -> int:
    return 2 if s.secret[1] >= 0 else int(s.options.top)


def legal(s: Record, ids: IdArray) -> int:
    for i in range(3):
        ids[i] = i
    if s.pile < CALLABLE_FROM:
        return 3
    ids[3] = CALL
    return 4


def apply(s: Record, action: int) -> None:
    if s.mover == CHANCE:
        happen(s, action)
    elif action == CALL:
        s.caller = s.turn
        s.mover = OVER
    else:
        s.added = action + 1
        if s.options.doubling:
            s.mover = CHANCE
        else:
            add(s, 1)


def happen(s: Record, outcome: int) -> None:
    if s.secret[0] < 0:
        s.secret[0] = outcome
    elif s.secret[1] < 0:
        s.secret[1] = outcome
        s.mover = s.turn
    else:
        add(s, 1 + outcome)


def add(s: Record, times: int) -> None:
    s.pile += times * int(s.added)
    s.added = 0
    s.turn = 1 - s.turn
    s.mover = OVER if s.pile >= LIMIT else s.turn


def payoff(s: Record, out: FloatArray) -> None:
    if s.caller < 0:
        return
    more = int(s.secret[s.caller]) - int(s.secret[1 - s.caller])
    out[s.caller] = np.sign(more)
    out[1 - s.caller] = -np.sign(more)


def observe(s: Record, seat: int, out: ByteArray) -> None:
    if s.secret[seat] >= 0:
        out[NUMBER + s.secret[seat]] = 1
    out[PILE] = s.pile
    out[CALLER] = s.caller >= 0
    out[MY_TURN] = s.mover == seat
    if s.mover == OVER and s.secret[1 - seat] >= 0:
        out[SHOWN + s.secret[1 - seat]] = 1


def redeal(s: Record, seat: int) -> None:
    if s.mover != OVER and s.secret[1 - seat] >= 0:
        s.secret[1 - seat] = draw(s.generator, int(s.options.top))


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Calls with a high number, else adds little."""
    high = observation[NUMBER + 4] + observation[NUMBER + 5]
    for i in range(count):
        score[i] = 10 * high if ids[i] == CALL else -ids[i]


def rate(
    heuristic: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """*caller* calls as soon as it can, *shy* never does of its own accord; they add as much as they can."""
    for i in range(count):
        score[i] = ids[i]
        if ids[i] == CALL:
            score[i] = 10 if heuristic == 0 else -1


class Behaviour(Layout):
    CALLS = share("decisions from which one may call that call")
    NUMBER = mean("the own number at the end")


def tally(before: Record, action: int, s: Record, out: IntArray) -> None:
    if before.pile >= CALLABLE_FROM:
        note(out, before.turn, Behaviour.CALLS, action == CALL)
    if s.mover == OVER:
        for seat in range(2):
            note(out, seat, Behaviour.NUMBER, s.secret[seat])


def format_action(s: Record, action: int) -> str:
    if not 0 <= action < ACTIONS.size:
        raise IndexError(action)
    return "call" if action == CALL else f"+{action + 1}"


def format_chance(s: Record, outcome: int) -> str:
    return f"x{1 + outcome}" if s.secret[1] >= 0 else f"number {outcome}"


def text(s: Record, seat: int | None) -> str:
    numbers = [str(s.secret[i]) if seat in (None, i) or s.mover == OVER else "?" for i in range(2)]
    return f"pile {s.pile}, numbers {' '.join(numbers)}, mover {s.mover}"


def picture(s: Record, seat: int | None) -> Picture:
    return Picture(200, 20, (words(5, 15, text(s, seat), size=10),))


@invariant
def the_pile_is_in_its_bounds(before: Record, s: Record) -> bool:
    return 0 <= s.pile < LIMIT + 6


@invariant
def the_game_ends_with_a_full_pile(before: Record, s: Record) -> bool:
    return s.mover == OVER or s.pile < LIMIT


@invariant
def the_numbers_are_below_top(before: Record, s: Record) -> bool:
    return min(s.secret[0], s.secret[1]) >= -1 and max(s.secret[0], s.secret[1]) < s.options.top


@invariant
def the_pile_never_shrinks(before: Record, s: Record) -> bool:
    return s.pile >= before.pile


HELD = invariants_in(globals())
check = HELD.check


SECRET = Game(
    name="secret",
    title="Secret",
    version=0,
    seats=("first", "second"),
    fields=FIELDS,
    options=OPTIONS,
    actions=ACTIONS,
    observations=OBSERVATIONS,
    max_legal=4,
    setup=setup,
    chance=chance,
    legal=legal,
    apply=apply,
    payoff=payoff,
    observe=observe,
    redeal=redeal,
    behaviour=Behaviour(),
    tally=tally,
    greedy=greedy,
    heuristics=("caller", "shy"),
    rate=rate,
    format_action=format_action,
    format_chance=format_chance,
    text=text,
    draw=picture,
    check=check,
    invariants=HELD.texts,
)


# -- defects ------------------------------------------------------------------------------


def leaking_observe(s: Record, seat: int, out: ByteArray) -> None:
    """Tells whether the other number is the highest."""
    observe(s, seat, out)
    out[SHOWN + 5] = s.secret[1 - seat] == s.options.top - 1


def blind_observe(s: Record, seat: int, out: ByteArray) -> None:
    """Does not tell the own number 3 from 4."""
    observe(s, seat, out)
    out[NUMBER + 3] = max(out[NUMBER + 3], out[NUMBER + 4])
    out[NUMBER + 4] = 0


def leaking_legal(s: Record, ids: IdArray) -> int:
    """Lets only the seat with the higher number call."""
    count = legal(s, ids)
    return count if s.secret[s.turn] > s.secret[1 - s.turn] else 3


def future_observe(s: Record, seat: int, out: ByteArray) -> None:
    """Shows a bit of the generator."""
    observe(s, seat, out)
    out[CALLER] = s.generator.key & np.uint64(1)


def leaking_text(s: Record, seat: int | None) -> str:
    return text(s, None)


def text_leaking_to_spectators(s: Record, seat: int | None) -> str:
    return text(s, None if seat == SPECTATOR else seat)


def leaking_notes(s: Record, seat: int) -> list[str]:
    return [f"the other number is {s.secret[1 - seat]}"]


def leaking_explain(s: Record, action: int) -> str:
    return f"{action}, and the numbers are {s.secret[0]} and {s.secret[1]}"


def leaking_tell(before: Record, event: int, after: Record, viewer: int | None) -> list[str]:
    return [f"{event}, and the numbers are {before.secret[0]} and {before.secret[1]}"]


def telling_deal(before: Record, event: int, after: Record, viewer: int | None) -> list[str]:
    return [f"the first number is {before.secret[0]}"] if before.secret[0] >= 0 > before.secret[1] else []


def telling_event(before: Record, event: int, after: Record, viewer: int | None) -> list[str]:
    return [str(event)]


def hidden_event(s: Record, event: int, seat: int) -> bool:
    return True


def open_secret(s: Record, event: int, seat: int) -> bool:
    """Keeps no number secret that is dealt."""
    return False


def telling_secret(s: Record, event: int, seat: int) -> bool:
    """Keeps what is added secret, from the seat with the lower number."""
    return bool(s.secret[1] < 0 or s.secret[seat] < s.secret[1 - seat])


def leaking_touch(s: Record, action: int) -> tuple[str, ...]:
    return (f"number-{s.secret[1 - s.mover]}",)


def leaking_ghost(s: Record, action: int) -> Picture:
    return Picture(9, 9, (words(0, 0, str(s.secret[1 - s.mover]), size=9),))


def leaking_picture(s: Record, seat: int | None) -> Picture:
    return picture(s, None)


def loud_wrap_observe(s: Record, seat: int, out: ByteArray) -> None:
    """In plain Python int8 times 20 wraps around, with a warning."""
    observe(s, seat, out)
    out[PILE] = out[PILE] * 20 // 20


def silent_wrap_observe(s: Record, seat: int, out: ByteArray) -> None:
    """In plain Python an int8 shifted left wraps around without a warning."""
    observe(s, seat, out)
    out[PILE] = (out[PILE] << 4) >> 4


def wrapping_greedy(
    observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """The heuristic opponent's arithmetic wraps, on the observation."""
    for i in range(count):
        score[i] = (observation[PILE] << 5) if ids[i] == 0 else 100


SMALL_TABLE = np.array([0, 1, 1], np.int64)


def overrunning_observe(s: Record, seat: int, out: ByteArray) -> None:
    """Reads behind the end of a table once the pile has grown."""
    observe(s, seat, out)
    out[CALLER] = SMALL_TABLE[s.pile] & 1


def descending_legal(s: Record, ids: IdArray) -> int:
    count = legal(s, ids)
    ids[0], ids[1] = ids[1], ids[0]
    return count


def generous_payoff(s: Record, out: FloatArray) -> None:
    out[:] = 1


def big_observe(s: Record, seat: int, out: ByteArray) -> None:
    """Leaves the bounds of its block."""
    observe(s, seat, out)
    out[MY_TURN] = 2


def big_first_observe(s: Record, seat: int, out: ByteArray) -> None:
    """Leaves the bounds at the first entry, for one seat."""
    observe(s, seat, out)
    out[0] = 2 if seat == 1 and s.pile > 0 else out[0]


def small_last_observe(s: Record, seat: int, out: ByteArray) -> None:
    observe(s, seat, out)
    out[-1] = -1 if seat == 1 and s.pile > 0 else out[-1]


def forgetful_setup(s: Record) -> None:
    """Leaves the caller of the last game."""
    s.secret[:] = -1
    s.pile = 0
    s.turn = 0
    s.added = 0


def shrinking_apply(s: Record, action: int) -> None:
    """Now and then something is taken from the pile."""
    apply(s, action)
    if s.pile == 7:
        s.pile = 3


def careless_check(before: Record, s: Record) -> int:
    """Forgets nothing, allows nothing: no number may be 0."""
    return 5 if s.secret[0] == 0 or s.secret[1] == 0 else check(before, s)


def lost_apply(s: Record, action: int) -> None:
    """Gives the turn to a third seat."""
    apply(s, action)
    if s.pile > CALLABLE_FROM and s.mover == 1:
        s.mover = 2


def hopeless_chance(s: Record) -> int:
    return 0 if s.pile > CALLABLE_FROM else chance(s)


def unknown_legal(s: Record, ids: IdArray) -> int:
    count = legal(s, ids)
    if count == 4:
        ids[3] = CALL + 1
    return count


def leaking_order(s: Record, ids: IdArray) -> int:
    """The same actions, swapped if the other number is higher."""
    count = legal(s, ids)
    if s.secret[s.turn] < s.secret[1 - s.turn]:
        ids[0], ids[1] = ids[1], ids[0]
    return count


def idle_redeal(s: Record, seat: int) -> None:
    """Deals nothing again."""


def mover_changing_redeal(s: Record, seat: int) -> None:
    redeal(s, seat)
    if s.mover == 0:
        s.mover = 1


def invalid_redeal(s: Record, seat: int) -> None:
    """Deals a number that does not exist; the seat itself sees nothing of it."""
    if s.mover != OVER:
        s.secret[1 - seat] = 7


def drawing_apply(s: Record, action: int) -> None:
    """Shuffles the pile with NumPy's generator."""
    apply(s, action)
    if s.mover >= 0:
        s.pile += np.random.randint(0, 2)


def empty_legal(s: Record, ids: IdArray) -> int:
    return 0 if s.pile > CALLABLE_FROM else legal(s, ids)


def ambiguous_format(s: Record, action: int) -> str:
    return "call" if action == CALL else "+"


def writing_text(s: Record, seat: int | None) -> str:
    s.added = 1
    return text(s, seat)


def broken(name: str, **defects: object) -> Game:
    """The game with some functions replaced, under a name of its own."""
    return replace(SECRET, name=f"secret_{name}", **defects)  # type: ignore[arg-type]
