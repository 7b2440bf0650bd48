"""What a log of RESISTOR_ may say and must, see `tests/games/truth.py`.

What becomes of the row is carried out on a table of its own, which must end as the state does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from polytrix.core.state import CHANCE, OVER, Record
from polytrix.core.viewers import SPECTATOR
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import Phase
from tests.games.truth import Reader, Step

from .obvious_row import faces_of, graph_of, points, shipped_content

CARDS = faces_of(shipped_content())
"""[card][side]: tokens of the face, as red reads it lying straight."""
SEATS = ("red", "blue")
ENDINGS = {"a hit at DEFCON 4": 1, "one card left in the row": 2, "the deck is empty": 3}

WHOSE = "(your|red's|blue's)"
PLACE = rf"{WHOSE} position (\d)"
PLACES = rf"{WHOSE} positions? ((?:\d(?: and )?)+)"
FACE = r"(-|(?:\*|[rb][01*][01*])(?: [rb][01*][01*])*)"
DRAWN = 11


class Table:
    """The row from red's end: cards, the sides that are up, how they lie; Lock Cards, hands and levels."""

    def __init__(self, s: Record) -> None:
        n = int(s.length)
        self.row = [[int(s.card[i]), int(s.side[i]), int(s.turned[i])] for i in range(n)]
        self.locks = {int(s.card[i]): int(s.lock[i]) for i in range(n) if s.lock[i]}
        self.hands = [[int(card) for card in s.card[7 + 2 * seat : 9 + 2 * seat]] for seat in range(2)]
        self.trashed = -1
        self.levels = [int(level) for level in s.defcon]


READER = Reader(table=Table)


def face(card: int, side: int, turned: int) -> set[str]:
    """The tokens of a face as its reader sees it: colour, near chip, far chip."""
    tokens = CARDS[card][side]
    read = {"*"} & set(tokens)
    for token in tokens:
        if token == "*":
            continue
        if "*" in tokens:  # RS-07: edge and chip
            chip = str(int(token[2]) ^ turned)
            read.add(token[0] + (f"*{chip}" if (token[1] == "R") != bool(turned) else f"{chip}*"))
        else:
            near, far = int(token[1]), int(token[2])
            read.add(token[0] + (f"{1 - far}{1 - near}" if turned else f"{near}{far}"))
    return read


def shows(text: str, card: int, side: int, turned: int) -> bool:
    """Whether a text is what a reader sees of a card."""
    return (set() if text == "-" else set(text.split())) == face(card, side, turned)


def reader(step: Step) -> int:
    """The seat from whose MainFrame the viewer counts."""
    return int(step.viewer) if step.viewer in (0, 1) else 0


def seat_of(step: Step, whose: str) -> int:
    """The number of a seat; -1 if the viewer must not be told of it like this."""
    if whose == "your":
        return int(step.viewer) if step.viewer in (0, 1) else -1
    seat = SEATS.index(whose.removesuffix("'s"))
    return -1 if seat == step.viewer else seat


def index(step: Step, whose: str, position: str) -> int:
    """A place of the row on the table, counted from red's end; the row is named from the reader's end."""
    assert seat_of(step, whose) == reader(step)
    return len(step.table.row) - int(position) if reader(step) else int(position) - 1


def notation(step: Step) -> str:
    return GAME.format_action(step.before, step.event)


def by_the_mover(step: Step, i: int) -> int:
    """The position of a place as the mover's notation counts."""
    return len(step.table.row) - i if step.before.mover else i + 1


# -- actions ------------------------------------------------------------------------------------------


@READER.line("draws a card from the deck|takes back the newest discard|takes the flip back|lets the flip stand")
def simply_does(step: Step) -> bool:
    words = {"D": "draws", "Pa": "takes back", "Pb": "takes back", "U": "takes the flip", "K": "lets"}
    if notation(step) == "U":
        i = int(step.before.flipped)
        _, side, turned = step.table.row[i]
        step.table.row[i][1:] = [side ^ 1, turned ^ 1]
    return step.lines[0].startswith(words[notation(step)])


@READER.line(f"(must flip a card, and )?flips the card at {PLACE}: up comes (a diamond, )?{FACE}")
def flips(step: Step, must: str | None, whose: str, position: str, diamond: str | None, text: str) -> bool:
    i = index(step, whose, position)
    card, side, turned = step.table.row[i]
    step.table.row[i][1:] = [side ^ 1, turned ^ 1]
    true = shows(text, card, side ^ 1, turned ^ 1 ^ reader(step)) and bool(diamond) == ("*" in text.split())
    return (
        true
        and notation(step) == f"F{by_the_mover(step, i)}"
        and bool(must) == (step.before.phase == Phase.FORCED)
    )


@READER.line(
    rf"switches the card at {PLACE} \({FACE}\) for {WHOSE} hand card ([12]), which lies there (\^|v) as {FACE}"
)
def switches(step: Step, *told: str) -> bool:
    whose, position, taken, hand, slot, way, put_in = told
    i, owner, mover = index(step, whose, position), seat_of(step, hand), int(step.before.mover)
    place = 7 + 2 * owner + int(slot) - 1
    card, side = (
        int(step.before.card[place]),
        int(step.before.side[place]) ^ mover,
    )  # the side that faces the mover
    turned = int(way == "v") ^ reader(step)
    true = shows(taken, *step.table.row[i][:2], step.table.row[i][2] ^ reader(step))
    true &= shows(put_in, card, side, turned ^ reader(step))
    name = f"S{by_the_mover(step, i)}{'oe'[owner ^ mover]}{slot}{'+-'[turned ^ mover]}"
    step.table.locks.pop(step.table.row[i][0], None)
    step.table.hands[owner][int(slot) - 1] = step.table.row[i][0]
    step.table.row[i] = [card, side, turned]
    return owner >= 0 and true and notation(step) == name


@READER.line(
    rf"trashes (?:the drawn card|{WHOSE} hand card ([12])), {FACE} \| {FACE}(; the drawn card takes its place)?"
)
def trashes(
    step: Step, hand: str | None, slot: str | None, first: str, second: str, instead: str | None
) -> bool:
    owner = seat_of(step, hand) if hand else 0
    card = int(step.before.card[7 + 2 * owner + int(slot) - 1 if slot else DRAWN])
    step.table.trashed = card
    name = f"T{'oe'[owner ^ int(step.before.mover)]}{slot}" if slot else "T-"
    if slot:
        step.table.hands[owner][int(slot) - 1] = int(step.before.card[DRAWN])
    return (
        shows(first, card, 0, 0)
        and shows(second, card, 1, 0)
        and bool(instead) == bool(slot)
        and notation(step) == name
    )


@READER.line(f"puts {WHOSE} Lock Card on {PLACE}: nobody flips or switches it")
def locks(step: Step, owner: str, whose: str, position: str) -> bool:
    i, bit, locks = index(step, whose, position), 1 << seat_of(step, owner), step.table.locks
    for card in [card for card, seats in locks.items() if seats & bit]:
        locks[card] ^= bit
        if not locks[card]:
            del locks[card]
    card = step.table.row[i][0]
    locks[card] = locks.get(card, 0) | bit
    return seat_of(step, owner) == step.before.mover and notation(step) == f"L{by_the_mover(step, i)}"


@READER.line(f"resolves the diamond at {PLACE} next")
def resolves(step: Step, whose: str, position: str) -> bool:
    i = index(step, whose, position)
    return "*" in face(*step.table.row[i]) and notation(step) == f"R{by_the_mover(step, i)}"


# -- chance -------------------------------------------------------------------------------------------


@READER.line(rf"(?:the drawn card|{WHOSE} new hand card ([12])) (?:is drawn|shows {FACE} toward (you|red))")
def is_drawn(step: Step, hand: str | None, slot: str | None, text: str | None, toward: str | None) -> bool:
    place = 7 + 2 * seat_of(step, hand) + int(slot) - 1 if hand and slot else DRAWN
    card, side = int(step.after.card[place]), int(step.after.side[place]) ^ reader(step)
    if step.before.mover != CHANCE or step.before.card[place] >= 0 or card < 0:
        return False
    if text is None:
        return step.viewer == SPECTATOR
    return (toward == "you") == (step.viewer in (0, 1)) and shows(text, card, side, 0)


# -- what comes of it ---------------------------------------------------------------------------------


@READER.line(rf"the Resistors? at {PLACES} (?:is|are) resolved and leaves? the row, which has (\d) cards? left")
def leaves(step: Step, whose: str, positions: str, left: str) -> bool:
    gone = [index(step, whose, position) for position in re.findall(r"\d", positions)]
    diamonds = all("*" in {*CARDS[card][0], *CARDS[card][1]} for card, *_ in (step.table.row[i] for i in gone))
    for i in gone:
        step.table.locks.pop(step.table.row[i][0], None)
    step.table.row = [card for i, card in enumerate(step.table.row) if i not in gone]
    return diamonds and len(step.table.row) == int(left) == step.after.length


@READER.line(f"wires have flipped {PLACES}")
def wires(step: Step, whose: str, positions: str) -> bool:
    for position in re.findall(r"\d", positions):
        i = index(step, whose, position)
        step.table.row[i][1] ^= 1
        step.table.row[i][2] ^= 1
    return step.after.length < step.before.length


WIRED = "(red|blue) is wired from end to end"


@READER.line(rf"(?:{WIRED}: |(a repair): )?(red|blue)'s DEFCON (rises|falls) from (\d) to (\d)")
def levels(step: Step, wired: str | None, repair: str | None, seat: str, way: str, old: str, new: str) -> bool:
    was, step.table.levels[SEATS.index(seat)] = step.table.levels[SEATS.index(seat)], int(new)
    return (
        was == int(old)
        and (int(new) > was) == (way == "rises")
        and bool(repair) == (way == "falls")
        and wired != seat
        and (wired is None or is_wired(step, wired))
    )


def is_wired(step: Step, seat: str) -> bool:
    """RS-42: a line of the seat's colour runs from end to end of the row, as it lies on the table now."""
    row = [(CARDS[card][side], bool(turned)) for card, side, turned in step.table.row]
    return points(graph_of(row, seat[0])) > 0


@READER.line(rf"a card is drawn and discarded at once: {FACE} \| {FACE}")
def is_drawn_in_vain(step: Step, first: str, second: str) -> bool:
    card = (int(step.before.deck) & ~int(step.after.deck)).bit_length() - 1
    return card in discards(step.after) and shows(first, card, 0, 0) and shows(second, card, 1, 0)


@READER.line("(red|blue) discards its hand( and draws a new one)?")
def discards_its_hand(step: Step, name: str, draws: str | None) -> bool:
    seat = SEATS.index(name)
    return hand(step, seat) <= discards(step.after) and bool(draws) == (step.after.to_draw[seat] > 0)


def hand(step: Step, seat: int) -> set[int]:
    """The hand of a seat once the action has been carried out."""
    return {card for card in step.table.hands[seat] if card >= 0}


def discards(s: Record) -> set[int]:
    return {int(card) for card in s.pile[: int(s.pile_size)]}


@READER.line("it was a Resistor, so (red|blue) must flip a card of the row")
def forced(step: Step, seat: str) -> bool:
    return step.after.phase == Phase.FORCED and SEATS[step.after.mover] == seat


@READER.line(f"(?:(Red|Blue) wins|(Drawn game)): ({'|'.join(ENDINGS)})|(Truncated, nobody wins)")
def result(step: Step, winner: str | None, drawn: str | None, why: str | None, cut_off: str | None) -> bool:
    s = step.after
    if s.mover != OVER or bool(cut_off) != bool(s.truncated):
        return False
    if cut_off:
        return True
    return [SEATS[seat].capitalize() for seat in step.winners] == (
        [winner] if winner else []
    ) and s.reason == ENDINGS[why or ""]


# -- what must be told --------------------------------------------------------------------------------


@READER.at_the_end
def the_table(step: Step) -> Iterator[str]:
    """Whoever carries out what is told has the row, the Lock Cards and the levels as they are."""
    for name in ("row", "locks", "levels"):
        true, told = (getattr(table, name) for table in (Table(step.after), step.table))
        if told != true:
            yield f"{name} is {true}, but told is {told}"


@READER.change("pile_size", "pile")
def a_discard(step: Step) -> Iterator[str]:
    """Each card that has come to the pile or left it."""
    for card in discards(step.before) ^ discards(step.after):
        yield "takes back" if card in discards(step.before) else came_to_the_pile(step, card)


def came_to_the_pile(step: Step, card: int) -> str:
    """The line that tells of a card that has been discarded."""
    for seat, name in enumerate(SEATS):
        if card in hand(step, seat):
            return f"{name} discards its hand"
    if card == step.table.trashed:
        return "^trashes"
    return "at once" if int(step.before.deck) >> card & 1 else "resolved and leave"


@READER.change("deck")
def a_drawn_card(step: Step) -> Iterator[str]:
    yield "the drawn card|new hand card|is drawn and discarded at once"


@READER.change("mover")
def the_end(step: Step) -> Iterator[str]:
    if step.after.mover == OVER:
        yield "wins: |Drawn game: |nobody wins"
