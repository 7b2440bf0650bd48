"""Observations: the layout, the cards as the seat has seen them, and the gaps and gains.

The *gap* of a colour is the least number of row cards that a chain of that colour from end to end has to leave
out. A *gain* is the amount by which a card, flipped or put into the row, reduces a gap.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Axis, Layout, block
from polytrix.core.state import OVER, ByteArray

from .connections import EVERY_CHIP
from .deck import CARDS, Seat
from .state import (
    HAND_SIZE,
    NONE,
    ROW,
    Left,
    Level,
    Phase,
    Place,
    State,
    card_place,
    deck_size,
    facing,
    hand_place,
    index_of,
    is_known,
)
from .tables import (
    BEFORE,
    BETWEEN,
    BEYOND,
    ENTRIES,
    FACE_SIZE,
    FLIP,
    KIND,
    KINDS,
    NO_FACE,
    PAIRS,
    TURN,
    TURN_OVER,
    lying,
)


class RowCard(Constants):
    """Offsets in the entries of a row card."""

    UP = 0
    TURNED = FACE_SIZE
    DOWN = TURNED + 1
    ENEMY_KNOWS = DOWN + FACE_SIZE
    OWN_LOCK = ENEMY_KNOWS + 1
    ENEMY_LOCK = OWN_LOCK + 1
    UNDOABLE = ENEMY_LOCK + 1
    SIZE = UNDOABLE + 1


class HandCard(Constants):
    """Offsets in the entries of a hand card."""

    TOWARD_ME = 0
    TOWARD_ENEMY = FACE_SIZE
    ENEMY_KNOWS = 2 * FACE_SIZE
    SIZE = ENEMY_KNOWS + 1


_SIDE, _POSITION = Axis("side", 2), Axis("position", ROW)
GAP_STEPS = ROW + 1  # a gap is 0 to 7


class Obs(Layout):
    """The observation; with another deck it has other `discards`, and `options` begin elsewhere."""

    PHASE = block(Phase.LAY, meaning=", ".join(Phase.names()[: Phase.LAY]) + "; none at chance", one_hot=1)
    WHO = block(2, meaning="the viewer is to move; it is the viewer's turn")
    LEFT = block(4, meaning="the turn player's actions left: flip, draw, switch, lock")
    DEFCON = block(_SIDE, Level.HIGHEST, meaning="own and enemy level, 1 to 4", one_hot=1)
    DECK = block(meaning="number of cards in the deck", high=CARDS)
    LENGTH = block(ROW, meaning="cards in the row, 1 to 7", one_hot=1)
    ROW = block(
        _POSITION,
        RowCard.SIZE,
        meaning="own end first: 18 entries of the face that lies up; lies `-`; 18 of the underside as it would "
        "lie after a flip, if known; the enemy knows it; own lock; enemy lock; this flip may be taken back",
    )
    HAND = block(
        _SIDE,
        Axis("slot", HAND_SIZE),
        HandCard.SIZE,
        meaning="own and enemy hand: 18 entries of the side toward the viewer, as if in `+`; 18 of the other "
        "one, if known; the enemy knows the viewer's side",
    )
    DRAWN = block(HandCard.SIZE, meaning="the drawn card in TRASH, like a hand card")
    PILE_TOP = block(2, FACE_SIZE, meaning="sides a and b of the newest discard, as if in `+`")
    GAPS = block(
        _SIDE,
        GAP_STEPS,
        meaning="own and enemy gap, 0 to 7: the least number of row cards that a chain of that colour from "
        "end to end has to leave out",
        one_hot=1,
    )
    FLIP_GAINS = block(
        _POSITION,
        _SIDE,
        meaning="for each position: how much a flip reduces the own gap and the enemy gap, if the viewer "
        "knows the underside",
        low=-1,
    )
    PUT_GAINS = block(
        2 * HAND_SIZE + 1,
        _POSITION,
        _SIDE,
        2,
        meaning="for own slots, enemy slots and the drawn card, for each position, lying `+` and `-`: how much "
        "that card, put there, reduces the own gap and the enemy gap; zero once the turn's switch is done or "
        "the game has ended",
        low=-1,
    )
    DISCARDS = block(
        Axis("kind", int(KINDS[0])),
        meaning="discards of each kind of card, numbered by first appearance in the deck; for blue each kind "
        "is at the entry of its colour exchange",
        high=int(np.bincount(KIND[Seat.RED]).max()),
    )
    OPTIONS = block(5, meaning="the options comeback, dangerous, feedback, recycling, lock_down")


def observations(kinds: int, most: int) -> Layout:
    """The layout for a deck with `kinds` kinds of cards, at most `most` of each."""
    own = {each.name: each for each in Obs()}
    own["discards"] = replace(own["discards"], shape=(Axis("kind", kinds),), high=most)
    return Layout(*own.values())


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The position as `seat` sees it; blocks as in `Obs`."""
    if s.mover != OVER:
        show_turn(s, seat, out)
    enemy = 1 - seat
    out[Obs.DEFCON + int(s.defcon[seat]) - 1] = 1
    out[Obs.DEFCON + 4 + int(s.defcon[enemy]) - 1] = 1
    out[Obs.DECK] = deck_size(s)
    if s.length > 0:
        out[Obs.LENGTH + s.length - 1] = 1
    for position in range(s.length):
        show_row_card(s, seat, index_of(s, seat, position), out, Obs.ROW + RowCard.SIZE * position)
    for slot in range(HAND_SIZE):
        show_hand_card(s, seat, hand_place(seat, slot), out, Obs.HAND + HandCard.SIZE * slot)
        show_hand_card(s, seat, hand_place(enemy, slot), out, Obs.HAND + HandCard.SIZE * (HAND_SIZE + slot))
    show_hand_card(s, seat, Place.DRAWN, out, Obs.DRAWN)
    show_pile(s, seat, out)
    options = Obs.DISCARDS + int(KINDS[0])  # the discards are as many as the deck has kinds
    out[options] = s.options.comeback_circuits
    out[options + 1] = s.options.dangerous_resistors
    out[options + 2] = s.options.feedback_overflow
    out[options + 3] = s.options.recycling_subsystems
    out[options + 4] = s.options.lock_down
    show_prospects(s, seat, out)


def show_turn(s: State, seat: int, out: ByteArray) -> None:
    """The phase, the mover, and the actions left."""
    if s.phase < Phase.LAY:
        out[Obs.PHASE + s.phase] = 1
    out[Obs.WHO] = s.mover == seat
    out[Obs.WHO + 1] = s.turn == seat
    left = s.left
    for i in range(4):
        out[Obs.LEFT + i] = left >> i & 1


def show_face(lies: int, seat: int, out: ByteArray, at: int) -> None:
    """The face of a card that lies like this (`lying`), as a seat reads it."""
    entries = ENTRIES[seat, lies]
    at = max(at, 0)  # It is not negative. LLVM does not know that, and would compare for each entry.
    for i in range(FACE_SIZE):
        out[at + i] = entries[i]


def show_row_card(s: State, seat: int, i: int, out: ByteArray, at: int) -> None:
    """The card at index i: its face, and its underside as it would lie after a flip, if the seat knows it."""
    if s.card[i] == NONE:
        return
    turned, known, lock, undoable = int(s.turned[i]) ^ seat, int(s.known[i]), int(s.lock[i]), s.flipped == i
    lies = lying(s.card[i], s.side[i], turned)
    show_face(lies, seat, out, at + RowCard.UP)
    show_face(lies ^ FLIP if known >> seat & 1 else NO_FACE, seat, out, at + RowCard.DOWN)
    at = max(at, 0)
    out[at + RowCard.TURNED] = turned
    out[at + RowCard.ENEMY_KNOWS] = known >> (1 - seat) & 1
    out[at + RowCard.OWN_LOCK] = lock >> seat & 1
    out[at + RowCard.ENEMY_LOCK] = lock >> (1 - seat) & 1
    out[at + RowCard.UNDOABLE] = undoable


def show_hand_card(s: State, seat: int, place: int, out: ByteArray, at: int) -> None:
    """A hand card or the drawn card: the side toward the seat, and the other side if the seat knows it."""
    lies, known = lying(s.card[place], facing(s, place, seat), 0), int(s.known[place])
    show_face(lies, seat, out, at + HandCard.TOWARD_ME)
    show_face(lies ^ TURN_OVER if known >> seat & 1 else NO_FACE, seat, out, at + HandCard.TOWARD_ENEMY)
    out[at + HandCard.ENEMY_KNOWS] = known >> (1 - seat) & 1


def show_pile(s: State, seat: int, out: ByteArray) -> None:
    """The newest discard, and the number of each kind (RS-24)."""
    for i in range(s.pile_size):
        out[Obs.DISCARDS + int(KIND[seat, s.pile[i]])] += 1
    if s.pile_size > 0:
        top = int(s.pile[s.pile_size - 1])
        show_face(lying(top, 0, 0), seat, out, Obs.PILE_TOP)
        show_face(lying(top, 1, 0), seat, out, Obs.PILE_TOP + FACE_SIZE)


# Numbers with a byte for each position tell which lines are there, or close the row there, at all positions at
# once: in the lower half byte for the own colour, in the upper one for the enemy's.

EACH_POSITION = 0x01010101010101
EACH_HALF = 0x11 * EACH_POSITION


def show_prospects(s: State, seat: int, out: ByteArray) -> None:
    """The gaps of both colours, and the gains of all faces that the seat knows.

    A face *closes* a position in a colour if it connects the fronts of the chains from both ends
    (`connections.py`). Whatever else lies there, the gap is greater by one. So the gain of a face is 1 if it
    closes a position that the present face does not close, and -1 the other way round.
    """
    if s.turn == Seat.NOBODY:  # the row is being laid
        return
    length = s.length
    up = down = fronts = gaps = 0
    front = EVERY_CHIP
    for position in range(ROW):  # chains run on through the empty places behind the row
        i = index_of(s, seat, position) if position < length else position
        lies = lying(s.card[i], s.side[i], s.turned[i] ^ seat)
        pairs = int(PAIRS[seat, lies])
        up |= pairs << 8 * position
        down |= int(PAIRS[seat, lies ^ FLIP if is_known(s, i, seat) else lies]) << 8 * position
        fronts |= front << 4 * position
        step = int(BEYOND[pairs, front])
        front = step & EVERY_CHIP
        gaps += step >> 4
    out[Obs.GAPS + (gaps & 7)] = 1
    out[Obs.GAPS + GAP_STEPS + (gaps >> 3)] = 1
    useful = 0  # the pairs of chips that close each position
    front = EVERY_CHIP
    for position in range(ROW - 1, -1, -1):
        useful |= int(BETWEEN[fronts >> 4 * position & EVERY_CHIP, front]) << 8 * position
        front = int(BEFORE[up >> 8 * position & 255, front]) & EVERY_CHIP
    useful &= (1 << 8 * length) - 1
    closed = some(up & useful)
    gains = raised(some(down & useful), closed)
    for position in range(ROW):
        out[Obs.FLIP_GAINS + 2 * position] = (gains >> 8 * position & 3) - 1
        out[Obs.FLIP_GAINS + 2 * position + 1] = (gains >> 8 * position + 4 & 3) - 1
    if s.mover == OVER or (s.left & Left.SWITCH == 0 and s.phase != Phase.TRASH):
        return
    for slot in range(2 * HAND_SIZE + 1):
        place = card_place(seat, slot)
        if s.card[place] != NONE:
            lies = lying(s.card[place], facing(s, place, seat), 0)
            plus = some(EACH_POSITION * int(PAIRS[seat, lies]) & useful)
            minus = some(EACH_POSITION * int(PAIRS[seat, lies ^ TURN]) & useful)
            at = Obs.PUT_GAINS + 4 * ROW * slot
            show_put_gains(raised(plus, closed), raised(minus, closed), out, at)


def some(pairs: int) -> int:
    """1 in each half byte that is not 0."""
    pairs |= pairs >> 2
    return (pairs | pairs >> 1) & EACH_HALF


def raised(closes: int, closed: int) -> int:
    """The gains at all positions, each 1 more than it is, so that no half byte is negative."""
    return EACH_HALF + closes - closed


def show_put_gains(plus: int, minus: int, out: ByteArray, at: int) -> None:
    """The gains of a hand card or the drawn card at each position, as `+` and as `-`, raised by 1."""
    at = max(at, 0)
    for position in range(ROW):
        out[at + 4 * position] = (plus >> 8 * position & 3) - 1
        out[at + 4 * position + 1] = (plus >> 8 * position + 4 & 3) - 1
        out[at + 4 * position + 2] = (minus >> 8 * position & 3) - 1
        out[at + 4 * position + 3] = (minus >> 8 * position + 4 & 3) - 1
