"""What actions and cards have done, for a log: what came up, who was hit, what has moved."""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import Viewer, side_of

from .connections import hues, points
from .deck import Seat
from .ending import is_hit_out
from .reading import SEATS, pile, read_face, read_sides, row_sights, sight, status
from .state import (
    ACTIONS,
    HAND_SIZE,
    NONE,
    Phase,
    Place,
    State,
    card_place,
    facing,
    hand_place,
    index_of,
)
from .text import WAYS, face_in_words


def tell(before: State, event: int, after: State, viewer: Viewer) -> list[str]:
    """What an action or a card of chance has done, with places and faces as the viewer sees them."""
    if before.turn == Seat.NOBODY:
        return opening(after)
    lines = card_drawn(before, after, viewer) if before.mover == CHANCE else [done(before, event, viewer)]
    cards = cards_after(before, event)
    lines += consequences(before, after, leavers(before, cards, after), viewer)
    return [*lines, *new_hands(cards, after), *next_duty(before, after)]


def opening(after: State) -> list[str]:
    """RS-14, RS-15: who begins and why; the row and the hands are seen anyway."""
    red, blue = (sum(hues(after, i) >> seat & 1 for i in range(after.length)) for seat in range(len(SEATS)))
    if after.phase == Phase.TIE:
        return ["both colours are on equally many cards: the one in the centre is replaced"]
    if after.turn == Seat.NOBODY:
        return []
    return [f"{SEATS[after.turn]} begins: red lines are on {red} cards of the row, blue ones on {blue}"]


# -- what was done --------------------------------------------------------------------------------


def done(s: State, action: int, viewer: Viewer) -> str:
    """The action itself. What it shows, it shows to both seats."""
    block, where = ACTIONS.locate(action)
    seat, reader, first = s.mover, side_of(viewer), where[0]
    if block.name == "draw":
        return "draws a card from the deck"
    if block.name == "recycle":
        return "takes back the newest discard"
    if block.name == "trash":
        return tell_trash(s, card_place(seat, first), viewer)
    if block.name == "undo":
        return "takes the flip back" if first == 0 else "lets the flip stand"
    i = index_of(s, seat, first)
    here = positions(s, [i], viewer)
    if block.name == "lock":
        return f"puts {whose(seat, viewer)} Lock Card on {here}: nobody flips or switches it"
    if block.name == "resolve":
        return f"resolves the Resistor at {here} next"
    card, side, turned = int(s.card[i]), int(s.side[i]), int(s.turned[i]) ^ reader
    if block.name == "flip":
        face = read_face(card, side ^ 1, turned ^ 1, reader)
        must = "must flip a card, and " if s.phase == Phase.FORCED else ""  # RS-25
        return f"{must}flips the card at {here}: up comes {face_in_words(face)}"
    _, hand, slot, way = where
    place = card_place(seat, HAND_SIZE * hand + slot)
    put_in = read_face(int(s.card[place]), facing(s, place, seat), way ^ seat ^ reader, reader)
    taken = read_face(card, side, turned, reader)
    return (
        f"switches {free_card(place, viewer)} with {here}, arrow {WAYS[put_in.turned]}: "
        f"{face_in_words(put_in)}, in place of {face_in_words(taken)}"
    )


def tell_trash(s: State, place: int, viewer: Viewer) -> str:
    """The card that goes to the pile: now both sides are open to both seats."""
    then = "" if place == Place.DRAWN else "; the drawn card takes its place"
    return f"discards {free_card(place, viewer)} ({two_sides(int(s.card[place]), viewer)}){then}"


def two_sides(card: int, viewer: Viewer) -> str:
    """Both sides of a card."""
    return "; other side: ".join(map(face_in_words, read_sides(card, side_of(viewer))))


def free_card(place: int, viewer: Viewer, new: str = "") -> str:
    """A hand card, or the drawn one."""
    if place == Place.DRAWN:
        return "the drawn card"
    owner, slot = divmod(place - Place.HANDS, HAND_SIZE)
    return f"{whose(owner, viewer)} {new}hand card {slot + 1}"


def card_drawn(before: State, after: State, viewer: Viewer) -> list[str]:
    """The card that chance has brought: the side toward the viewer; both if it is discarded at once."""
    for place in range(Place.HANDS, Place.DRAWN + 1):
        seen = sight(after, place, viewer)
        if before.card[place] == NONE and seen is not None:
            shows = f"shows {face_in_words(seen.front)}{toward(viewer)}" if seen.front else "is drawn"
            return [f"{free_card(place, viewer, 'new ')} {shows}"]
    drawn = before.deck & ~after.deck
    if drawn == 0:
        return []
    faces = two_sides(drawn.bit_length() - 1, viewer)
    return [f"a card is drawn, but another repair discards the hand at once: {faces}"]


def toward(viewer: Viewer) -> str:
    """Each seat sees one side of a card that is not in the row."""
    return f" toward {SEATS[0]}" if viewer is None or viewer < 0 else " toward you"


# -- what came of it ------------------------------------------------------------------------------


def cards_after(s: State, event: int) -> list[int]:
    """The cards by place when an action has been carried out, but nothing has come of it yet."""
    cards = [int(card) for card in s.card]
    if s.mover == CHANCE:
        return cards
    block, where = ACTIONS.locate(event)
    if block.name == "switch":
        position, hand, slot, _ = where
        i, place = index_of(s, s.mover, position), card_place(s.mover, HAND_SIZE * hand + slot)
        cards[i], cards[place] = cards[place], cards[i]
    elif block.name == "trash":
        cards[card_place(s.mover, where[0])] = cards[Place.DRAWN]
    return cards


def leavers(before: State, cards: list[int], after: State) -> list[int]:
    """Where the cards lay that have left the row since the action."""
    left = {int(card) for card in after.card[: after.length]}
    return [i for i in range(before.length) if cards[i] not in left]


def consequences(before: State, after: State, gone: list[int], viewer: Viewer) -> list[str]:
    """Resistors, flips along their wires, levels, new hands, and the end.

    Args:
        before, after: the states.
        gone: where the Resistors lay that have left the row.
        viewer: who is told.
    """
    words = []
    if gone:
        resistors, leave = (
            ("Resistors", "are resolved and leave") if len(gone) > 1 else ("Resistor", "is resolved and leaves")
        )
        where, left = positions(before, gone, viewer), f"{after.length} card{'s' * (after.length != 1)}"
        words.append(f"the {resistors} at {where} {leave} the row, which has {left} left")
        flipped = flipped_by_wires(before, after)
        if flipped:
            words.append(f"wires have flipped {positions(after, flipped, viewer)}")
    over = after.mover == OVER and not after.truncated
    diamond = any(card and card.front and card.front.diamond for card in row_sights(after, viewer))
    by_resistor = over and diamond and after.length > 1
    checked = (over or before.turn not in (Seat.NOBODY, after.turn)) and not by_resistor  # RS-41; RS-53
    for seat, name in enumerate(SEATS):
        old, new = int(before.defcon[seat]), int(after.defcon[seat])
        hits = points(after, 1 - seat) if checked else 0
        change = new - old - hits  # by Resistors, except that no level is above the highest
        if is_hit_out(after, seat):
            change = max(change, by_resistor)
        why = [f"the Resistor {'hits' if change > 0 else 'repairs'} {name}"] if change else []
        why += [f"{SEATS[1 - seat]} is wired {'twice ' if hits == 2 else ''}from end to end"] if hits else []
        levels = f": {name}'s DEFCON {'rises' if new > old else 'falls'} from {old} to {new}"
        if why:
            words.append(" and ".join(why) + (levels if new != old else ""))
    return words


def new_hands(cards: list[int], after: State) -> list[str]:
    """RS-35, RS-48: hands that are discarded, and whether new ones are drawn."""
    gone = set(pile(after))
    words = []
    for seat, name in enumerate(SEATS):
        hand = {cards[hand_place(seat, slot)] for slot in range(HAND_SIZE)}
        if hand & gone:
            words.append(f"{name} discards its hand{' and draws a new one' if after.to_draw[seat] else ''}")
    return words


def next_duty(before: State, after: State) -> list[str]:
    """RS-25: a flip that is forced now; or the end."""
    if after.mover == OVER:
        return [status(after)]
    if after.phase == Phase.FORCED and before.phase != Phase.FORCED:
        return [f"it was a Resistor, so {SEATS[after.mover]} must flip a card of the row"]
    return []


def flipped_by_wires(before: State, after: State) -> list[int]:
    """Where the row now holds cards that lie on their other side, although nobody has chosen to flip them."""
    lay = {int(before.card[i]): int(before.side[i]) for i in range(before.length)}
    return [i for i in range(after.length) if lay.get(int(after.card[i]), int(after.side[i])) != after.side[i]]


def positions(s: State, places: list[int], viewer: Viewer) -> str:
    """Places of the row, counted from the viewer's MainFrame like the notation and the board."""
    seat = side_of(viewer)
    numbers = sorted(str(index_of(s, seat, i) + 1) for i in places)
    which = f"{SEATS[seat]}'s " if viewer is None else ""  # the notation has the mover's
    return f"{which}position{'s' * (len(numbers) > 1)} {' and '.join(numbers)}"


def whose(seat: int, viewer: Viewer) -> str:
    """`your`, or the colour of a seat."""
    return "your" if seat == viewer else f"{SEATS[seat]}'s"
