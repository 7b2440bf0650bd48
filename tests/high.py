"""High: a toy game for two to four seats, with secrets, chance and a changing order of turns.

Chance deals each seat a secret number below 6. In turn the seats add 1 or 2 to a pot, or fold;
after an addition chance may turn the order round. When the pot is full or one seat is left, the
highest number among those who have not folded wins, and equal ones share. Then all is shown.
"""

from __future__ import annotations

from dataclasses import replace

from polytrix.core.game import Game
from polytrix.core.invariants import invariant, invariants_in
from polytrix.core.layout import Axis, Block, Layout
from polytrix.core.options import Choice, Flag, Options
from polytrix.core.random import draw
from polytrix.core.state import (
    CHANCE,
    OVER,
    ByteArray,
    FloatArray,
    IdArray,
    Record,
    RecordArray,
)
from polytrix.drawing import Picture
from polytrix.drawing import text as words

SEATS = 4
NUMBERS = 6
FULL = 16
FOLD = 2

OPTIONS = Options(
    Choice("players", (2, 3, 4), 2, "how many take part"),
    Flag("turning", True, "the order may turn round"),
    max_decisions=40,
)
FIELDS = [
    ("secret", "i1", SEATS),  # -1 not dealt
    ("folded", "u1", SEATS),
    ("pot", "i1"),
    ("turn", "i1"),
    ("step", "i1"),  # 1 or -1, to the next seat
]
ACTIONS = Layout(Block("add", (2,), "add 1, 2"), Block("fold", (1,), "leave"))
OBSERVATIONS = Layout(
    Block("number", (NUMBERS,), "the own number", one_hot=1),
    Block("seat", (SEATS, 3), "from the viewer on: takes part, has folded, is to move"),
    Block("pot", (1,), "how much lies there", high=FULL + 1),
    Block("order", (1,), "1 or -1", low=-1),
    Block("shown", (SEATS, NUMBERS), "all numbers, once over", one_hot=1),
)
SEAT, POT, ORDER, SHOWN = (OBSERVATIONS.offset(name) for name in ("seat", "pot", "order", "shown"))


def setup(s: Record) -> None:
    s.secret[:] = -1
    s.folded[:] = 0
    s.pot = 0
    s.turn = 0
    s.step = 1


def dealt(s: Record) -> int:
    """How many seats have their number."""
    count = 0
    while count < s.num_players and s.secret[count] >= 0:
        count += 1
    return count


def chance(s: Record) -> int:
    return NUMBERS if dealt(s) < s.num_players else 2


def legal(s: Record, ids: IdArray) -> int:
    for action in range(3):
        ids[action] = action
    return 3


def apply(s: Record, action: int) -> None:
    if s.mover == CHANCE:
        happen(s, action)
    elif action == FOLD:
        s.folded[s.turn] = 1
        go_on(s)
    else:
        s.pot += action + 1
        s.mover = CHANCE
        if not s.options.turning:
            go_on(s)


def happen(s: Record, outcome: int) -> None:
    seat = dealt(s)
    if seat < s.num_players:
        s.secret[seat] = outcome
        if seat + 1 == s.num_players:
            s.mover = s.turn
    else:
        s.step = 1 - 2 * outcome
        go_on(s)


def left(s: Record) -> int:
    """How many have not folded."""
    count = 0
    for seat in range(s.num_players):
        count += 1 - int(s.folded[seat])
    return count


def go_on(s: Record) -> None:
    if left(s) == 1 or s.pot >= FULL:
        s.mover = OVER
        return
    n = int(s.num_players)
    s.turn = (int(s.turn) + int(s.step) + n) % n
    while s.folded[s.turn]:
        s.turn = (int(s.turn) + int(s.step) + n) % n
    s.mover = s.turn


def wins(s: Record, seat: int) -> bool:
    highest = -1
    for other in range(s.num_players):
        if not s.folded[other]:
            highest = max(highest, int(s.secret[other]))
    return not s.folded[seat] and s.secret[seat] == highest


def payoff(s: Record, out: FloatArray) -> None:
    if s.truncated:
        return
    winners = 0
    for seat in range(s.num_players):
        winners += wins(s, seat)
    if winners == s.num_players:
        return
    for seat in range(s.num_players):
        out[seat] = 1.0 / winners if wins(s, seat) else -1.0 / (s.num_players - winners)


def observe(s: Record, seat: int, out: ByteArray) -> None:
    if s.secret[seat] >= 0:
        out[s.secret[seat]] = 1
    for i in range(s.num_players):
        other = (seat + i) % s.num_players
        out[SEAT + 3 * i] = 1
        out[SEAT + 3 * i + 1] = s.folded[other]
        out[SEAT + 3 * i + 2] = s.mover == other
        if s.mover == OVER and s.secret[other] >= 0:
            out[SHOWN + NUMBERS * i + s.secret[other]] = 1
    out[POT] = s.pot
    out[ORDER] = s.step


def redeal(s: Record, seat: int) -> None:
    for other in range(s.num_players):
        if s.mover != OVER and other != seat and s.secret[other] >= 0:
            s.secret[other] = draw(s.generator, NUMBERS)


def potential(s: Record, seat: int) -> float:
    return 0.0 if s.folded[seat] else 0.1 * (1 + int(s.secret[seat]))


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Adds much with a high number, and folds a low one."""
    number = 0
    for i in range(NUMBERS):
        number += i * int(observation[i])
    for i in range(count):
        score[i] = 3 if ids[i] == FOLD else number + ids[i]


def format_action(s: Record, action: int) -> str:
    if not 0 <= action < ACTIONS.size:
        raise IndexError(action)
    return ("+1", "+2", "fold")[action]


def format_chance(s: Record, outcome: int) -> str:
    if dealt(s) < s.num_players:
        return f"number {outcome}"
    return "turned" if outcome else "straight on"


def text(s: Record, seat: int | None) -> str:
    numbers = [
        str(s.secret[i]) if seat in (None, i) or s.mover == OVER else "?" for i in range(int(s.num_players))
    ]
    folded = "".join("x" if s.folded[i] else "-" for i in range(int(s.num_players)))
    return f"pot {s.pot}, numbers {' '.join(numbers)}, folded {folded}, mover {s.mover}"


def picture(s: Record, seat: int | None) -> Picture:
    return Picture(300, 20, (words(5, 15, text(s, seat), size=10),))


@invariant
def the_pot_never_shrinks(before: Record, s: Record) -> bool:
    return s.pot >= before.pot


@invariant
def somebody_is_left(before: Record, s: Record) -> bool:
    return left(s) >= 1


@invariant
def seats_that_take_no_part_have_nothing(before: Record, s: Record) -> bool:
    for seat in range(s.num_players, SEATS):  # noqa: SIM110  # generators do not compile
        if s.secret[seat] != -1 or s.folded[seat]:
            return False
    return True


HELD = invariants_in(globals())


HIGH = Game(
    name="high",
    title="High",
    version=0,
    seats=("north", "east", "south", "west"),
    options=OPTIONS,
    fields=FIELDS,
    actions=ACTIONS,
    observations=OBSERVATIONS,
    max_legal=3,
    setup=setup,
    chance=chance,
    legal=legal,
    apply=apply,
    payoff=payoff,
    observe=observe,
    redeal=redeal,
    potential=potential,
    greedy=greedy,
    format_action=format_action,
    format_chance=format_chance,
    text=text,
    draw=picture,
    check=HELD.check,
    invariants=HELD.texts,
)

TWO_WAYS = replace(
    HIGH,
    actions=Layout(Block("add", (Axis("added", 2),), "add 1, 2"), *HIGH.actions.blocks[1:]),
    observations=Layout(
        Block("number", (Axis("number", 6),), "the own number", one_hot=1), *HIGH.observations.blocks[1:]
    ),
    symmetries=({}, {"added": (1, 0), "number": (1, 2, 3, 4, 5, 0)}),
)
"""High as it looks, but is not, with other names of numbers and of what is added."""
