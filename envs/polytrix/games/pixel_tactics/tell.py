"""What actions and chance have done, for a log: who acts, whom it hits, who falls, which cards become known.

What one does with cards that the viewer does not know is told without their names (PT-100 to PT-103).
"""

from __future__ import annotations

from typing import NamedTuple

from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import Viewer

from .cards.cards import CARDS, Which
from .reading import SEAT_NAMES, cards_in, effect_text, ending
from .rules import chance_cards
from .state import (
    ACTIONS,
    COLUMN_NAMES,
    COLUMNS,
    LEADER_SLOT,
    ROWS,
    SEATS,
    SLOT_NAMES,
    SLOTS,
    Chance,
    Decision,
    FrameKind,
    Source,
    State,
)
from .table.passives import life
from .table.sets import nth
from .words import ROWS_IN_WORDS, at, secret

PASSES = {Decision.TURN: "ends the turn", Decision.REDIRECT: "uses no shield"}
TAKEN_FROM = {
    Source.HAND: "from its hand",
    Source.DECK: "from its deck",
    Source.ASIDE: "of those set aside",
    Source.TOP: "as the next one of its deck",
    Source.FOE_HAND: "from the opposing hand",
}
TAKES = {Chance.DISCARD: "loses", Chance.STEAL: "is robbed of"}


class Told(NamedTuple):
    """What `done` has told already, so that it is no news: a unit and a slot, a card."""

    u: int = -1
    slot: int = -1
    card: int = -1


def tell(before: State, event: int, after: State, viewer: Viewer) -> list[str]:
    """What an action or a chance outcome has done."""
    hidden = viewer is not None and secret(before, event, viewer)
    if before.mover == CHANCE:
        return [*chance(before, event, after, hidden), *changes(before, after, viewer, Told())]
    lines = changes(before, after, viewer, told_of(before, event))
    if not lines and before.decision == Decision.TARGET and after.decision != Decision.REDIRECT:
        lines = ["it does no damage"]
    return [done(before, event, viewer, hidden), *lines]


# -- what was done --------------------------------------------------------------------------------


def done(s: State, action: int, viewer: Viewer, hidden: bool) -> str:
    """The action itself."""
    block, where = ACTIONS.locate(action)
    seat, first = int(s.mover), where[0]
    if block.name == "pass":
        return PASSES.get(int(s.decision), "takes no more, or nothing")
    if block.name == "draw":
        return "draws a card"
    if block.name == "recruit":
        row = int(s.recruit_row)
        slot = f"column {COLUMN_NAMES[where[1]]} of the {ROWS_IN_WORDS[row]}"
        return f"recruits {CARDS[first].name} into {slot}: {quoted(first, row)}"
    if block.name in ("melee", "ranged"):
        return (
            f"{'strikes in melee' if block.name == 'melee' else 'shoots'} with {named(s, seat, first, viewer)}"
        )
    if block.name == "power":
        power = quoted(int(s.card[seat, first]), first // COLUMNS)
        return f"uses the power of {named(s, seat, first, viewer)}: {power}"
    if block.name == "order":
        return f"plays {CARDS[first].name} as an order: {quoted(first, Which.ORDER)}"
    if block.name == "clear":
        return f"discards the corpse of {named(s, seat, first, viewer)}"
    if block.name == "move":
        return "moves a hero into the row of the wave"
    if block.name in ("own", "foe"):
        return picked(s, seat if block.name == "own" else 1 - seat, first, viewer)
    if block.name == "card":
        return card_picked(s, first, hidden)
    if block.name == "amount":
        return f"chooses the number {first + 1}"
    if block.name == "column":
        return f"chooses column {COLUMN_NAMES[first]}"
    unit = seat if first < ROWS else 1 - seat
    return f"chooses {whose(unit, viewer)} {ROWS_IN_WORDS[first % ROWS]}"


def told_of(s: State, action: int) -> Told:
    """The recruit, the corpse or the order of which `done` tells."""
    block, where = ACTIONS.locate(action)
    if block.name == "recruit":
        return Told(int(s.mover), COLUMNS * int(s.recruit_row) + where[1])
    if block.name == "order":
        return Told(card=where[0])
    return Told(int(s.mover), where[0]) if block.name == "clear" else Told()


def quoted(card: int, which: int) -> str:
    """The words on a card; they speak to its player."""
    return f'"{effect_text(card, which)}"'


def picked(s: State, u: int, slot: int, viewer: Viewer) -> str:
    """A slot that is picked."""
    what = named(s, u, slot, viewer)
    if s.decision == Decision.TARGET:
        return f"attacks {what}"
    if s.decision == Decision.REDIRECT:
        return f"lets {what} take the damage instead"
    return f"puts the captive on {SLOT_NAMES[slot]}" if s.decision == Decision.CAPTURE else f"picks {what}"


def card_picked(s: State, card: int, hidden: bool) -> str:
    """A card that is picked, by name where the viewer may know it."""
    if s.decision == Decision.LEADER:
        if hidden:
            return "chooses a leader, face down"
        return f"chooses {CARDS[card].name} as leader: {quoted(card, Which.LEADER)}"
    return f"picks {'a card' if hidden else CARDS[card].name} {TAKEN_FROM[int(s.may_card)]}"


def chance(s: State, outcome: int, after: State, hidden: bool) -> list[str]:
    """The first player, or a card that is drawn or lost."""
    if s.chance_kind == Chance.FIRST:
        return [f"{SEAT_NAMES[outcome]} goes first"]
    seat, card = int(s.chance_seat), CARDS[nth(chance_cards(s), outcome)].name
    if s.chance_kind in TAKES:
        return [f"{SEAT_NAMES[seat]} {TAKES[int(s.chance_kind)]} {card}"]
    if int(after.hand[seat]).bit_count() == int(s.hand[seat]).bit_count():
        return [] if hidden else [f"the next card of {SEAT_NAMES[seat]}'s deck is {card}"]
    by_action = s.depth == 1 and s.stack[0].kind == FrameKind.DRAW
    if hidden:
        return [] if by_action else [f"{SEAT_NAMES[seat]} draws a card"]
    return [f"{SEAT_NAMES[seat]} draws {card}"]


# -- what is different afterwards -----------------------------------------------------------------


def changes(before: State, after: State, viewer: Viewer, told: Told) -> list[str]:
    """What has become of leaders, heroes and cards, and how far the match is."""
    lines = []
    if after.revealed and not before.revealed:
        leaders = [f"{SEAT_NAMES[u]} has {CARDS[int(after.leader[u])].name}" for u in range(SEATS)]
        lines.append(f"the leaders are shown: {', '.join(leaders)}")
    if after.match == before.match:
        for u in range(SEATS):
            lines += wounds(before, after, u, viewer) + units(before, after, u, viewer, told)
            lines += cards_seen(before, after, u, told.card)
    if after.mover == OVER:
        return [*lines, ending(after)]
    if course(after) != course(before) and after.round_number:
        lines.append(course(after))
    return lines


def course(s: State) -> str:
    """Match, round and wave."""
    match = f"match {s.match}, " if s.options.best_of > 1 else ""
    ceasefire = ", ceasefire" if s.round_number == 1 else ""
    return f"{match}round {s.round_number}, wave of the {ROWS_IN_WORDS[s.wave]}{ceasefire}"


def wounds(before: State, after: State, u: int, viewer: Viewer) -> list[str]:
    """Damage and healing of those who still stand."""
    lines = []
    for slot in range(SLOTS):
        stays = slot == LEADER_SLOT or (
            int(before.heroes[u] & after.heroes[u]) >> slot & 1 and before.card[u, slot] == after.card[u, slot]
        )
        more = int(after.damage[u, slot]) - int(before.damage[u, slot])
        if stays and more:
            lives = int(life(after, u, slot))
            left = f"{max(0, lives - int(after.damage[u, slot]))} of {lives} lives left"
            what = f"takes {more} damage" if more > 0 else f"heals {-more}"
            falls = ", so it falls when the wave ends" if after.damage[u, slot] >= lives else ""
            lines.append(f"{named(after, u, slot, viewer)} {what}: {left}{falls}")
    return lines


def units(before: State, after: State, u: int, viewer: Viewer, told: Told) -> list[str]:
    """Heroes and corpses that have fallen, come, gone or changed places."""
    old, new = standing(before, u), standing(after, u)
    left = {slot: there for slot, there in old.items() if new.get(slot) != there}
    come = {slot: there for slot, there in new.items() if old.get(slot) != there}
    lines = []
    for slot, (alive, card) in left.items():
        to = [other for other, there in come.items() if there == (alive, card)]
        what = f"{whose(u, viewer)} {'' if alive else 'corpse of '}{CARDS[card].name}"
        if to:
            lines.append(f"{what} goes from {SLOT_NAMES[slot]} to {SLOT_NAMES[to.pop()]}")
        elif come.get(slot) == (not alive, card):
            lines.append(f"{what} on {SLOT_NAMES[slot]} {'falls' if alive else 'stands up again'}")
        elif (u, slot) != told[:2]:
            lines.append(f"{what} leaves {SLOT_NAMES[slot]}")
    for slot, (alive, card) in come.items():
        if (u, slot) != told[:2] and (alive, card) not in left.values() and left.get(slot) != (not alive, card):
            lines.append(f"{named(after, u, slot, viewer)} joins the unit")
    return lines


def standing(s: State, u: int) -> dict[int, tuple[bool, int]]:
    """By slot: whether a hero stands there or a corpse lies, and which card it is."""
    heroes, corpses = int(s.heroes[u]), int(s.corpses[u])
    return {
        slot: (bool(heroes >> slot & 1), int(s.card[u, slot]))
        for slot in range(SLOTS)
        if (heroes | corpses) >> slot & 1
    }


def cards_seen(before: State, after: State, owner: int, played: int) -> list[str]:
    """Hand cards that have become known: shown, or discarded without having been played."""
    lines = []
    shown = cards_in(int(after.known[owner]) & ~int(before.known[owner]))
    if shown:
        lines.append(f"everybody knows now that {SEAT_NAMES[owner]} holds {all_of(shown)}")
    lost = cards_in(int(before.hand[owner]) & int(after.discard[owner]))
    if set(lost) - {played}:
        lines.append(f"{SEAT_NAMES[owner]} discards {all_of([card for card in lost if card != played])}")
    return lines


def all_of(cards: list[int]) -> str:
    """The names of cards."""
    return ", ".join(CARDS[card].name for card in cards)


def named(s: State, u: int, slot: int, viewer: Viewer) -> str:
    """Whose member it is, its name and its slot."""
    if slot != LEADER_SLOT and s.card[u, slot] < 0:
        return f"{whose(u, viewer)} empty slot {SLOT_NAMES[slot]}"
    return f"{whose(u, viewer)} {at(s, u, slot)}"


def whose(u: int, viewer: Viewer) -> str:
    """`your`, or the name of a seat."""
    return "your" if u == viewer else f"{SEAT_NAMES[u]}'s"
