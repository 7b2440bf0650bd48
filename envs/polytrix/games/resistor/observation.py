"""Who may know what: what each seat sees, and every deal that it cannot tell from this one."""

from __future__ import annotations

from polytrix.core.random import draw
from polytrix.core.state import OVER, ByteArray

from .connections import gap
from .prospects import show_prospects
from .state import (
    DECISIONS,
    DRAWN,
    HAND_CARD,
    HAND_SIZE,
    NO_CARD,
    OBSERVATIONS,
    PLACES,
    ROW,
    ROW_CARD,
    State,
    facing,
    hand_place,
    index_of,
    is_known,
)
from .tables import ENTRIES, FACE, FACE_SIZE, FACES, KIND, KINDS

PHASE = OBSERVATIONS.offset("phase")
WHO = OBSERVATIONS.offset("who")
LEFT_ACTIONS = OBSERVATIONS.offset("left")
DEFCON = OBSERVATIONS.offset("defcon")
DECK_SIZE = OBSERVATIONS.offset("deck")
LENGTH = OBSERVATIONS.offset("length")
ROW_CARDS = OBSERVATIONS.offset("row")
HAND_CARDS = OBSERVATIONS.offset("hand")
DRAWN_CARD = OBSERVATIONS.offset("drawn")
PILE_TOP = OBSERVATIONS.offset("pile_top")
DISCARDS = OBSERVATIONS.offset("discards")

# Entries of a row card and of a hand card.
FACE_UP = 0
IS_TURNED = FACE_SIZE
FACE_DOWN = FACE_SIZE + 1
ENEMY_KNOWS = FACE_DOWN + FACE_SIZE
OWN_LOCK, ENEMY_LOCK, UNDOABLE = ENEMY_KNOWS + 1, ENEMY_KNOWS + 2, ENEMY_KNOWS + 3
TOWARD_ME, TOWARD_ENEMY, ENEMY_KNOWS_MINE = 0, FACE_SIZE, 2 * FACE_SIZE

MOST_TRIES = 10_000


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The position as `seat` sees it; blocks as in `state.observations`."""
    if s.mover != OVER:
        show_turn(s, seat, out)
    enemy = 1 - seat
    out[DEFCON + int(s.defcon[seat]) - 1] = 1
    out[DEFCON + 4 + int(s.defcon[enemy]) - 1] = 1
    out[DECK_SIZE] = s.deck_size
    if s.length > 0:
        out[LENGTH + int(s.length) - 1] = 1
    for position in range(int(s.length)):
        show_row_card(s, seat, index_of(s, seat, position), out, ROW_CARDS + ROW_CARD * position)
    for slot in range(HAND_SIZE):
        show_hand_card(s, seat, hand_place(seat, slot), out, HAND_CARDS + HAND_CARD * slot)
        show_hand_card(s, seat, hand_place(enemy, slot), out, HAND_CARDS + HAND_CARD * (HAND_SIZE + slot))
    show_hand_card(s, seat, DRAWN, out, DRAWN_CARD)
    show_pile(s, seat, out)
    options = DISCARDS + int(KINDS[0])  # the discards are as many as the deck has kinds
    out[options] = s.options.comeback_circuits
    out[options + 1] = s.options.dangerous_resistors
    out[options + 2] = s.options.feedback_overflow
    out[options + 3] = s.options.recycling_subsystems
    out[options + 4] = s.options.lock_down
    show_prospects(s, seat, out)


def show_turn(s: State, seat: int, out: ByteArray) -> None:
    """The phase, who moves, and what is left to do."""
    if s.phase < DECISIONS:
        out[PHASE + int(s.phase)] = 1
    out[WHO] = s.mover == seat
    out[WHO + 1] = s.turn == seat
    left = int(s.left)
    for i in range(4):
        out[LEFT_ACTIONS + i] = left >> i & 1


def show_face(card: int, side: int, turned: int, seat: int, out: ByteArray, at: int) -> None:
    """A face as a seat reads it, `turned` in its own reading."""
    entries = ENTRIES[seat, card, side, turned]
    for i in range(1, 1 + int(entries[0])):
        out[at + int(entries[i])] = 1


def show_row_card(s: State, seat: int, i: int, out: ByteArray, at: int) -> None:
    """The card at index i: its face, and the underside as it would lie after a flip, if the seat knows it."""
    card, side, turned = int(s.card[i]), int(s.side[i]), int(s.turned[i]) ^ seat
    if card == NO_CARD:
        return
    show_face(card, side, turned, seat, out, at + FACE_UP)
    out[at + IS_TURNED] = turned
    if is_known(s, i, seat):
        show_face(card, side ^ 1, turned ^ 1, seat, out, at + FACE_DOWN)
    out[at + ENEMY_KNOWS] = is_known(s, i, 1 - seat)
    lock = int(s.lock[i])
    out[at + OWN_LOCK] = lock >> seat & 1
    out[at + ENEMY_LOCK] = lock >> (1 - seat) & 1
    out[at + UNDOABLE] = s.flipped == i


def show_hand_card(s: State, seat: int, place: int, out: ByteArray, at: int) -> None:
    """A hand card or the drawn one: the side toward the seat, and the other one if it knows that."""
    card = int(s.card[place])
    if card == NO_CARD:
        return
    side = facing(s, place, seat)
    show_face(card, side, 0, seat, out, at + TOWARD_ME)
    if is_known(s, place, seat):
        show_face(card, side ^ 1, 0, seat, out, at + TOWARD_ENEMY)
    out[at + ENEMY_KNOWS_MINE] = is_known(s, place, 1 - seat)


def show_pile(s: State, seat: int, out: ByteArray) -> None:
    """The newest discard, and how many there are of each kind (RS-24)."""
    for i in range(int(s.pile_size)):
        out[DISCARDS + int(KIND[seat, int(s.pile[i])])] += 1
    if s.pile_size > 0:
        top = int(s.pile[int(s.pile_size) - 1])
        show_face(top, 0, 0, seat, out, PILE_TOP)
        show_face(top, 1, 0, seat, out, PILE_TOP + FACE_SIZE)


def redeal(s: State, seat: int) -> None:
    """Sample the hidden sides of the cards that the seat knows one side of, all consistent deals alike.

    Every open place gets a card of the pool that has its visible face; deals that use a card
    twice are thrown away whole, since mending them would favour some deals.
    """
    pool = hidden_cards(s, seat)
    for _ in range(MOST_TRIES):
        rest = pick_cards(s, seat, pool)
        if rest >= 0:
            lay_picked(s, seat)
            s.deck = rest
            return
    # So many failures do not happen in play; the present deal is a consistent one.


def is_open(s: State, place: int, seat: int) -> bool:
    """Whether a card lies there of which the seat knows one side only."""
    return s.card[place] != NO_CARD and not is_known(s, place, seat)


def hidden_cards(s: State, seat: int) -> int:
    """Bits of the cards that may lie at the open places or in the deck, for all the seat knows."""
    pool = int(s.deck)
    for place in range(PLACES):
        if is_open(s, place, seat):
            pool |= 1 << int(s.card[place])
    return pool


def seen_side(s: State, place: int, seat: int) -> int:
    """The side of a card that lies open to a seat."""
    return int(s.side[place]) if place < ROW else facing(s, place, seat)


def pick_cards(s: State, seat: int, pool: int) -> int:
    """Pick a card and side for each open place, into `sketch`; return what is left of the pool, or -1."""
    left = pool
    for place in range(PLACES):
        if is_open(s, place, seat):
            picked = pick(s, pool, int(FACE[int(s.card[place]), seen_side(s, place, seat)]))
            if left >> picked // 2 & 1 == 0:
                return -1
            left &= ~(1 << picked // 2)
            s.sketch[place] = picked
    return left


def pick(s: State, pool: int, face: int) -> int:
    """One of the pool's sides with that face, as 2 * card + side; each is as likely as the others."""
    count = 0
    for i in range(1, 1 + int(FACES[face, 0])):
        count += pool >> int(FACES[face, i]) // 2 & 1
    wanted = draw(s.generator, count)
    for i in range(1, 1 + int(FACES[face, 0])):
        found = int(FACES[face, i])
        if pool >> found // 2 & 1:
            if wanted == 0:
                return found
            wanted -= 1
    return -1  # never: the card that lies there is in the pool


def lay_picked(s: State, seat: int) -> None:
    """Lay the picked cards so that the seat sees what it saw; orientation, locks and flags stay."""
    for place in range(PLACES):
        if is_open(s, place, seat):
            picked = int(s.sketch[place])
            s.card[place] = picked // 2
            s.side[place] = picked % 2 if place < ROW else picked % 2 ^ seat
            s.sketch[place] = 0


def potential(s: State, seat: int) -> float:
    """How far the enemy is behind: in levels, and in cards that a chain of its colour lacks."""
    enemy = 1 - seat
    levels = int(s.defcon[enemy]) - int(s.defcon[seat])
    return levels / 6.0 + (gap(s, enemy) - gap(s, seat)) / 42.0
