"""What actions and chance have done, for a log: who acts, whom it hits, who falls, which cards become known.

What one does with cards that the viewer does not know is told without their names (PT-100 to PT-103).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from polytrix.core.bits import nth
from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import Viewer

from .board.passives import life
from .cards.cards import CARDS, Which
from .reading import ROWS_IN_WORDS, SEAT_NAMES, cards_in, effect_text, ending, recruit_row, situation
from .rules import apply, chance_cards
from .state import (
    COLUMN_NAMES,
    COLUMNS,
    LEADER_SLOT,
    ROWS,
    SEATS,
    SLOT_NAMES,
    SLOTS,
    Act,
    Chance,
    Decision,
    FrameKind,
    Result,
    Source,
    State,
)
from .words import at, secret, share_in_words

NO_CARD = -1
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
    card: int = NO_CARD


def tell(before: State, event: int, after: State, viewer: Viewer) -> list[str]:
    """What an action or a chance outcome has done."""
    hidden = viewer is not None and secret(before, event, viewer)
    end = after if after.match == before.match else end_of_match(before, event)
    if before.mover == CHANCE:
        lines = [
            *chance_lines(before, event, end, hidden),
            *changes(before, end, viewer, told_by_chance(before, event)),
        ]
    else:
        lines = changes(before, end, viewer, told_of(before, event, end))
        attacks = any(frame.kind == FrameKind.ATTACK for frame in after.stack[: after.depth])  # still
        if not lines and before.decision == Decision.TARGET and not attacks:
            lines = ["it does no damage"]
        lines = [done(before, event, viewer, hidden), *lines]
    return lines + course_of_play(before, end, after)


def end_of_match(before: State, event: int) -> State:
    """The table as a match ended, before the next one was laid out: that of a game of one match (PT-110)."""
    s = before.copy()
    s.options.best_of = 1
    apply(s, event)
    return s


# -- what was done --------------------------------------------------------------------------------


def done(s: State, action: int, viewer: Viewer, hidden: bool) -> str:
    """The action itself."""
    block, where = Act().locate(action)
    seat, first = s.mover, where[0]
    if block.name == "pass":
        return PASSES.get(s.decision, "takes no more, or nothing")
    if block.name == "draw":
        return "draws a card"
    if block.name == "recruit":
        row = recruit_row(s)
        slot = f"column {COLUMN_NAMES[where[1]]} of the {ROWS_IN_WORDS[row]}"
        return f"recruits {CARDS[first].name} into {slot}: {quote(first, row)}"
    if block.name in ("melee", "ranged"):
        doing = "strikes in melee" if block.name == "melee" else "shoots"
        return f"{doing} with {name_of(s, seat, first, viewer)}"
    if block.name == "power":
        power = quote(int(s.card[seat, first]), first // COLUMNS)
        return f"uses the power of {name_of(s, seat, first, viewer)}: {power}"
    if block.name == "order":
        return f"plays {CARDS[first].name} as an order: {quote(first, Which.ORDER)}"
    if block.name == "clear":
        return f"discards {name_of(s, seat, first, viewer)}"
    if block.name == "move":
        return "moves a hero into the row of the wave"
    if block.name in ("own", "foe"):
        return picked(s, seat if block.name == "own" else 1 - seat, first, viewer)
    if block.name == "card":
        return card_picked(s, first, hidden)
    if block.name == "amount":
        return f"chooses {share_in_words(s, first + 1, lambda u, slot: name_of(s, u, slot, viewer))}"
    if block.name == "column":
        return f"chooses column {COLUMN_NAMES[first]}"
    unit = seat if first < ROWS else 1 - seat
    return f"chooses {whose(unit, viewer)} {ROWS_IN_WORDS[first % ROWS]}"


def told_of(s: State, action: int, after: State) -> Told:
    """The recruit, the corpse, the order or the draw of which `done` tells."""
    block, where = Act().locate(action)
    seat, first = s.mover, where[0]
    if block.name == "recruit":
        return Told(seat, COLUMNS * recruit_row(s) + where[1], first)
    if block.name == "order":
        return Told(seat, card=first)
    if block.name == "draw":  # chance is to come, unless only one card can be drawn
        return Told(seat, card=(int(s.deck[seat]) & int(after.hand[seat])).bit_length() - 1)
    return Told(seat, first) if block.name == "clear" else Told()


def told_by_chance(s: State, outcome: int) -> Told:
    """The card of which `chance` tells."""
    if s.chance_kind == Chance.FIRST:
        return Told()
    return Told(s.chance_seat, card=nth(chance_cards(s), outcome))


def quote(card: int, which: int) -> str:
    """The words on a card; they speak to its player."""
    return f'"{effect_text(card, which)}"'


def picked(s: State, u: int, slot: int, viewer: Viewer) -> str:
    """A slot that is picked."""
    what = name_of(s, u, slot, viewer)
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
        return f"chooses {CARDS[card].name} as leader: {quote(card, Which.LEADER)}"
    return f"picks {'a card' if hidden else CARDS[card].name} {TAKEN_FROM[s.offer]}"


def chance_lines(s: State, outcome: int, after: State, hidden: bool) -> list[str]:
    """The first player, or a card that is drawn or lost."""
    if s.chance_kind == Chance.FIRST:
        return [f"{SEAT_NAMES[outcome]} goes first"]
    seat, card = s.chance_seat, CARDS[nth(chance_cards(s), outcome)].name
    if s.chance_kind in TAKES:
        return [f"{SEAT_NAMES[seat]} {TAKES[s.chance_kind]} {card}"]
    if int(after.hand[seat]).bit_count() == int(s.hand[seat]).bit_count():
        return [] if hidden else [f"the next card of {SEAT_NAMES[seat]}'s deck is {card}"]
    by_action = s.depth == 1 and s.stack[0].kind == FrameKind.DRAW
    if hidden:
        return [] if by_action else [f"{SEAT_NAMES[seat]} draws a card"]
    return [f"{SEAT_NAMES[seat]} draws {card}"]


# -- what is different afterwards -----------------------------------------------------------------


def changes(before: State, after: State, viewer: Viewer, told: Told) -> list[str]:
    """What has become of leaders, heroes and cards."""
    lines = []
    if after.revealed and not before.revealed:
        leaders = [f"{SEAT_NAMES[u]} has {CARDS[int(after.leader[u])].name}" for u in range(SEATS)]
        lines.append(f"the leaders are shown: {', '.join(leaders)}")
    for u in range(SEATS):
        lines += places(before, after, u, viewer, told) + wounds(before, after, u, viewer, told)
        lines += fates(before, after, u, viewer, told)
        lines += hands(before, after, u, viewer, told.card if told.u == u else NO_CARD)
    return lines


def course_of_play(before: State, end: State, after: State) -> list[str]:
    """Who has won the match, whether the game is over, and else how far it is.

    Args:
        before: the state before the step.
        end: the state in which the step has left the match.
        after: the state after the step, perhaps of the next match.
    """
    lines = []
    if after.options.best_of > 1 and end.result != Result.RUNNING:
        won = "nobody" if end.result == Result.TIE else SEAT_NAMES[end.result]
        lines.append(f"{won} wins match {before.match}")
    if after.mover == OVER:
        return [*lines, ending(after)]
    if situation(after) != situation(before) and after.round_number:
        lines.append(situation(after))
    return lines


def places(before: State, after: State, u: int, viewer: Viewer, told: Told) -> list[str]:
    """Heroes and corpses that are on another slot of their unit now, or have come to it."""
    old, new = stood(before, u, told), standing(after, u)
    lines = [
        f"{describe(u, who, alive, viewer)} goes from {SLOT_NAMES[slot]} to {SLOT_NAMES[new[who][0]]}"
        for who, (slot, alive) in old.items()
        if who in new and new[who][0] != slot
    ]
    come = [slot for who, (slot, _) in new.items() if who not in old]
    return lines + [f"{name_of(after, u, slot, viewer)} joins the unit" for slot in come]


def wounds(before: State, after: State, u: int, viewer: Viewer, told: Told) -> list[str]:
    """Damage and healing of those who stand, also of those who have just come."""
    old, new = stood(before, u, told), standing(after, u)
    lines = []
    for who, (slot, alive) in [*new.items(), (LEADER, (LEADER_SLOT, True))]:
        was, lived = old.get(who, (slot, who == LEADER))
        more = int(after.damage[u, slot]) - (int(before.damage[u, was]) if lived else 0)
        if alive and more:
            lives = life(after, u, slot)
            left = f"{max(0, lives - int(after.damage[u, slot]))} of {lives} lives left"
            what = f"takes {more} damage" if more > 0 else f"heals {-more}"
            falls = ", so it falls when the wave ends" if after.damage[u, slot] >= lives else ""
            lines.append(f"{name_of(after, u, slot, viewer)} {what}: {left}{falls}")
    return lines


def fates(before: State, after: State, u: int, viewer: Viewer, told: Told) -> list[str]:
    """Heroes and corpses that have fallen, stood up or gone."""
    old, new = stood(before, u, told), standing(after, u)
    lines = [
        f"{describe(u, who, alive, viewer)} leaves {SLOT_NAMES[slot]}"
        for who, (slot, alive) in old.items()
        if who not in new
    ]
    for who, (slot, alive) in new.items():
        _, lived = old.get(who, (slot, True))
        if alive != lived:
            change = "stands up again" if alive else "falls"
            lines.append(f"{describe(u, who, lived, viewer)} on {SLOT_NAMES[slot]} {change}")
    return lines


Who: TypeAlias = tuple[int, bool]
"""A card, and whether it is a captive. A unit has no two that are equal."""
LEADER: Who = (NO_CARD, False)


def standing(s: State, u: int) -> dict[Who, tuple[int, bool]]:
    """The heroes and corpses of a unit: where they are, and whether they are alive."""
    heroes, corpses, captives = int(s.heroes[u]), int(s.corpses[u]), int(s.captives[u])
    return {
        (int(s.card[u, slot]), bool(captives >> slot & 1)): (slot, bool(heroes >> slot & 1))
        for slot in range(SLOTS)
        if (heroes | corpses) >> slot & 1
    }


def stood(s: State, u: int, told: Told) -> dict[Who, tuple[int, bool]]:
    """The unit as `done` has left it: with the recruit, or without the corpse, of which it tells."""
    units = standing(s, u)
    if told.u != u or told.slot < 0:
        return units
    units = {who: there for who, there in units.items() if there[0] != told.slot}
    return units if told.card == NO_CARD else {**units, (told.card, False): (told.slot, True)}


def describe(u: int, who: Who, alive: bool, viewer: Viewer) -> str:
    """Whose hero or corpse it is, and its name."""
    return f"{whose(u, viewer)} {'' if alive else 'corpse of '}{CARDS[who[0]].name}"


def hands(before: State, after: State, owner: int, viewer: Viewer, told: int) -> list[str]:
    """Hand cards that have come, gone or become known, but for one that has been told."""
    name, new = SEAT_NAMES[owner], int(after.known[owner]) & ~int(before.known[owner])
    gone = cards_in(int(before.hand[owner]) & ~int(after.hand[owner]))
    discarded = [card for card in gone if card != told and int(after.discard[owner]) >> card & 1]
    played = [card for card in gone if card != told and int(after.in_play[owner]) >> card & 1]
    drawn = [card for card in cards_in(int(before.deck[owner]) & int(after.hand[owner]) & ~new) if card != told]
    lines = []
    if drawn:
        count = f"{len(drawn)} cards" if len(drawn) > 1 else "a card"
        lines.append(f"{name} draws {all_of(drawn) if viewer in (None, owner) else count}")
    if new:
        lines.append(f"everybody knows now that {name} holds {all_of(cards_in(new))}")
    if discarded:
        lines.append(f"{name} discards {all_of(discarded)}")
    if played:
        lines.append(f"{all_of(played)} of {name}'s hand is played")
    return lines


def all_of(cards: list[int]) -> str:
    """The names of cards."""
    return ", ".join(CARDS[card].name for card in cards)


def name_of(s: State, u: int, slot: int, viewer: Viewer) -> str:
    """Whose member it is, its name and its slot."""
    if slot != LEADER_SLOT and s.card[u, slot] < 0:
        return f"{whose(u, viewer)} empty slot {SLOT_NAMES[slot]}"
    return f"{whose(u, viewer)} {at(s, u, slot)}"


def whose(u: int, viewer: Viewer) -> str:
    """`your`, or the name of a seat."""
    return "your" if u == viewer else f"{SEAT_NAMES[u]}'s"
