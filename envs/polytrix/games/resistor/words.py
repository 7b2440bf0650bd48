"""Actions of RESISTOR_ in words, and notes beside the text of a position."""

from __future__ import annotations

from polytrix.core.notation import ids_of
from polytrix.core.state import CHANCE, OVER

from .connections import chips_at, connected, main_frame
from .deck import Setting
from .ending import attack
from .reading import SEATS, Sight, pile, read_face, read_sides, row_sights, sight
from .resistors import repair, wired_to
from .rules import any_unlocked, legal
from .state import (
    ACTIONS,
    DRAWN_GAME,
    HAND_SIZE,
    MAX_LEGAL,
    Phase,
    State,
    card_place,
    deck_size,
    facing,
    index_of,
    is_known,
)
from .tables import SETTINGS
from .text import WAYS, both_sides, face_in_words

LEGEND = (
    "the row is read from your MainFrame, at the left. After each number come the lines of the face that lies "
    "up, `r01` a red line from top to bottom (0 is the top, 1 the bottom), `b` a blue one, `*` a Resistor, "
    "where lines end; `-` no line; then the way the arrow points, and after the bar the underside as it would "
    "lie after a flip, `?` if you have not seen it. For hand cards, the side toward you comes first. The "
    "enemy's moves are written as you see them: positions from your MainFrame, `o` for your hand. You score "
    "with a line of your colour from end to end."
)
HAND_CARDS = tuple(f"{whose} hand card {slot}" for whose in ("your", "the enemy's") for slot in (1, 2))

TASKS = {
    Phase.TRASH: "place the drawn card",
    Phase.FORCED: "flip a card of the row",
    Phase.UNDO: "undo the flip, or let it stand",
    Phase.RESOLVE: "pick the Resistor that is resolved next",
}
CLAUSES = {
    "flip": ("RS-20", "RS-21", "RS-25", "RS-60"),
    "draw": ("RS-22", "RS-23", "RS-24"),
    "recycle": ("RS-56", "RS-57"),
    "trash": ("RS-23", "RS-24", "RS-25"),
    "switch": ("RS-28", "RS-29", "RS-30", "RS-60"),
    "lock": ("RS-58", "RS-59", "RS-60"),
    "resolve": ("RS-32", "RS-34", "RS-36", "RS-38"),
    "undo": ("RS-50", "RS-51", "RS-52"),
}
"""The clauses that matter most for a kind of action."""


def task(s: State) -> str:
    """What the mover is to do."""
    if s.phase == Phase.ACT:
        names = dict.fromkeys(ACTIONS.locate(action)[0].name for action in ids_of(legal, s, MAX_LEGAL))
        *first, last = [name for name in names if name != "recycle"]  # it is a way to draw
        return f"{', '.join(first)} or {last}" if first else last
    return TASKS[s.phase]


def explain(s: State, action: int) -> str:
    """The effect of a legal action, as far as the mover can know."""
    block, where = ACTIONS.locate(action)
    seat, first = s.mover, where[0]
    if block.name == "flip":
        return f"flip the card at position {first + 1}, {underside(row_sights(s, seat)[first])}"
    if block.name == "draw":
        return "draw a card from the deck, then put it into a hand or discard it"
    if block.name == "recycle":
        side = face_in_words(read_sides(pile(s)[0], seat)[first])
        return f"draw the newest discard, {side} toward you, then put it into a hand or discard it"
    if block.name == "trash":
        return trash(s, first)
    if block.name == "switch":
        return switch(s, *where)
    if block.name == "lock":
        return f"put your Lock Card on position {first + 1}: nobody flips or switches it"
    if block.name == "resolve":
        return f"resolve the Resistor at position {first + 1} next: {resolution(s, index_of(s, seat, first))}"
    return "take the flip back" if first == 0 else "let the flip stand"


def resolution(s: State, i: int) -> str:
    """What the Resistor at index i does before it leaves the row (RS-34, RS-36, RS-53 to RS-55)."""
    after, words, hands, attacks = s.copy(), [], set(), [0, 0]
    for seat, name in enumerate(SEATS):
        lines = connected(s, seat, chips_at(s, i, seat))
        if lines & main_frame(s, seat):
            repair(after, seat)
            change = int(after.defcon[seat]) - int(s.defcon[seat])
            words += [f"it {'repairs' if change < 0 else 'hits'} {name}"] if change else []
            hands.add(seat)
        if s.options.dangerous_resistors and lines & main_frame(s, 1 - seat):
            words.append(f"it hits {SEATS[1 - seat]}")
            hands.add(seat)
            attacks[seat] = 1
    attack(after, *attacks)
    if after.mover == OVER:
        end = "the game ends in a draw" if after.winner == DRAWN_GAME else f"{SEATS[after.winner]} wins"
        return "; ".join([*words, end])
    size, left = int(SETTINGS[Setting.HAND]), deck_size(s)
    for seat in (s.turn, 1 - s.turn):
        if seat in hands:  # RS-48
            new = "draws a new hand" if left >= size else "draws the last card" if left else "loses its hand"
            words.append(f"{SEATS[seat]} {new}")
            left = max(0, left - size)
    wired = wired_to(s, i)
    flipped = sorted(str(index_of(s, s.mover, j) + 1) for j in range(s.length) if wired >> j & 1)
    if flipped:
        words.append(f"wires flip position{'s' * (len(flipped) > 1)} {' and '.join(flipped)}")
    return "; ".join(words) or "it is wired to nothing"


def underside(card: Sight | None) -> str:
    """The side that a flip reveals, as far as the seat knows."""
    if card is None or card.back is None:
        return "whose underside you have not seen"
    return f"which will show {face_in_words(card.back)}"


def trash(s: State, which: int) -> str:
    """The result of a trash action."""
    card = sight(s, card_place(s.mover, which), s.mover)
    if which == 2 * HAND_SIZE:
        return f"discard the drawn card{price(s, card)}"
    shown = f" ({face_in_words(card.front)})" if card else ""
    return f"discard {HAND_CARDS[which]}{shown}{price(s, card)}; the drawn card takes its place"


def price(s: State, card: Sight | None) -> str:
    """RS-25: what a discard costs or may cost, as far as the mover knows its sides."""
    if not any_unlocked(s):  # RS-26
        return ""
    forced = f"{SEATS[1 - s.mover]} must flip a card of the row"
    if card is not None and any(face and face.diamond for face in (card.front, card.back)):
        return f", which is a Resistor, so {forced}"
    return f"; if the side that you do not see is a Resistor, {forced}" if card and card.back is None else ""


def switch(s: State, position: int, hand: int, slot: int, turned: int) -> str:
    """The result of a switch action."""
    which = HAND_SIZE * hand + slot
    place = card_place(s.mover, which)
    card, side = int(s.card[place]), facing(s, place, s.mover)
    up, below = read_face(card, side, turned, s.mover), read_face(card, side ^ 1, turned ^ 1, s.mover)
    done = f"switch {HAND_CARDS[which]} with position {position + 1}, arrow {WAYS[turned]}: {face_in_words(up)}"
    if up.lines != read_face(card, side, turned ^ 1, s.mover).lines:
        return done
    other_way = f"arrow {WAYS[turned ^ 1]} looks the same"
    if not is_known(s, place, s.mover):
        return f"{done}; {other_way}, but turns the unseen side below"
    if below.lines == read_face(card, side ^ 1, turned, s.mover).lines:
        return f"{done}; {other_way}"
    return f"{done}; below it {face_in_words(below)}"


def notes(s: State, seat: int) -> list[str]:
    """The older discards."""
    older = [both_sides(card, seat) for card in pile(s)[1:]]
    return [f"older discards, newest first: {'; '.join(older)}"] if older else []


def secret(s: State, event: int, seat: int) -> bool:
    """Cards that chance picks: their numbers tell both sides, of which each seat sees one at most."""
    return s.mover == CHANCE
