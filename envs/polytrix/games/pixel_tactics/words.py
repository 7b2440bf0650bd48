"""Actions in words, and notes on a position that its text leaves out."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from polytrix.core.layout import Block
from polytrix.core.state import CHANCE, OVER, ByteArray

from .board.passives import ability
from .board.units import slot_at, unit_at
from .cards.cards import CARDS, OPERATIONS, Which
from .cards.effects import Operation
from .observation import Obs, observe
from .reading import (
    ROWS_IN_WORDS,
    effect_text,
    leader_of,
    member_name,
    printed,
    recruit_row,
)
from .state import (
    COLUMN_NAMES,
    COLUMNS,
    LEADER_SLOT,
    ROWS,
    SLOT_NAMES,
    SLOTS,
    Act,
    Chance,
    Decision,
    FrameKind,
    Source,
    State,
)

SIDES = ("your", "the opposing")
SOURCES = {
    Source.HAND: "from your hand",
    Source.DECK: "from your deck",
    Source.ASIDE: "of those set aside",
    Source.TOP: "as the next one from the top of your deck",
    Source.FOE_HAND: "from the opposing hand",
}

NOTHING = {Decision.TURN: "end your turn", Decision.REDIRECT: "no shield"}
"""What it means to pass, where it can be said more exactly."""

CONCERNED = (("attacker or source", "effect_slot"), ("concerned", "subject"), ("picked", "picked"))

LEGEND = (
    "your unit is below, the opposing one above; rows V (vanguard, facing the enemy), F (flank), R (rear), "
    "columns a b c, L the leader's slot. `Witch 5, 3/5`: strength 5 (in a shot, if it can only shoot), 3 of "
    "5 lives left (0 or fewer: it falls as the wave ends); `r` shoots, `i` intercepts; a corpse is in brackets "
    "(`*5`: it is just falling, with 5 damage), a captive after ~; after ! come the first letters of acted, "
    "fresh (recruited in this turn), moved, hurt, struck. A hero has the ability of the row in which it "
    "stands. You win by bringing down the opposing leader."
)

CLAUSES = {
    "pass": ("PT-22", "PT-23", "PT-96"),
    "draw": ("PT-30", "PT-100"),
    "recruit": ("PT-31", "PT-33", "PT-06"),
    "melee": ("PT-32", "PT-33", "PT-40", "PT-41", "PT-42", "PT-47"),
    "ranged": ("PT-32", "PT-33", "PT-43", "PT-44", "PT-47"),
    "power": ("PT-32", "PT-45", "PT-50"),
    "order": ("PT-35", "PT-91", "PT-92"),
    "clear": ("PT-36",),
    "move": ("PT-37", "PT-38"),
    "own": ("PT-96", "PT-42"),
    "foe": ("PT-96", "PT-42", "PT-44"),
    "card": ("PT-96", "PT-10"),
    "amount": ("PT-96", "PT-97"),
    "column": ("PT-96",),
    "row": ("PT-96",),
}
"""The clauses that matter most for a kind of action."""


def explain(s: State, action: int) -> str:
    """A legal action in words, as its mover may know it."""
    block, where = Act().locate(action)
    seat, first = s.mover, where[0]
    if block.name == "pass":
        return NOTHING.get(s.decision, "no more, or nothing")
    if block.name == "draw":
        return "draw a card"
    if block.name == "recruit":
        return recruit(s, first, where[1])
    if block.name in ("melee", "ranged", "power"):
        return attack(s, block, first)
    if block.name == "order":
        return f"play {CARDS[first].name} as an order: {effect_text(first, Which.ORDER)}"
    if block.name == "clear":
        return f"discard your {at(s, seat, first)}"
    if block.name == "move":
        row = ROWS_IN_WORDS[s.wave]
        return f"move your {at(s, seat, first)} to column {COLUMN_NAMES[where[1]]} of the {row}"
    if block.name in ("own", "foe"):
        u = seat if block.name == "own" else 1 - seat
        if s.decision == Decision.REDIRECT:
            return f"{SIDES[0]} {at(s, u, first)} takes the damage instead"
        return f"pick {SIDES[u != seat]} {at(s, u, first)}"
    if block.name == "card":
        return pick_card(s, first)
    if block.name == "amount":
        return share_in_words(s, first + 1, lambda u, slot: f"{SIDES[u != seat]} {at(s, u, slot)}")
    if block.name == "column":
        return f"column {COLUMN_NAMES[first]}"
    return f"{SIDES[first // ROWS]} {ROWS_IN_WORDS[first % ROWS]} row"


def at(s: State, u: int, slot: int) -> str:
    """A slot and its content."""
    if slot == LEADER_SLOT:
        return f"leader {member_name(s, u, slot)}"
    if s.card[u, slot] < 0:
        return f"empty slot {SLOT_NAMES[slot]}"
    corpse = "corpse of " if int(s.corpses[u]) >> slot & 1 else ""
    return f"{corpse}{member_name(s, u, slot)} on {SLOT_NAMES[slot]}"


def recruit(s: State, card: int, column: int) -> str:
    """The recruited hero, its slot, and its ability there."""
    row = recruit_row(s)
    place = f"column {COLUMN_NAMES[column]} of the {ROWS_IN_WORDS[row]}"
    return f"recruit {CARDS[card].name} into {place}: {effect_text(card, row)}"


def attack(s: State, block: Block, slot: int) -> str:
    """The attacker and the kind of attack."""
    seat = s.mover
    who = f"your {at(s, seat, slot)}"
    if block.name == "power":
        return f"use the power of {who}: {effect_text(int(s.card[seat, slot]), slot // COLUMNS)}"
    return f"{who} strikes in melee" if block.name == "melee" else f"{who} shoots"


def share(s: State, amount: int) -> list[tuple[int, int, int]]:
    """The unit and the slot that lose damage, and those that get it, each with the change (PT-68, PT-97)."""
    frame = s.stack[s.depth - 1]
    which = Which.ORDER if frame.kind == FrameKind.ORDER else frame.row
    operation = int(OPERATIONS[frame.card, which, frame.op, 0])
    picked = unit_at(frame.seat, frame.first), slot_at(frame.first)
    if operation == Operation.SPLIT_HIT:
        return [(*picked, amount)]
    if operation == Operation.SPLIT_HEAL:
        return [(*picked, -amount)]
    if operation == Operation.GATHER:
        return [(*picked, -amount), (frame.seat, int(frame.slot), amount)]
    return [(frame.seat, LEADER_SLOT, -amount), (*picked, amount)]


def share_in_words(s: State, amount: int, name: Callable[[int, int], str]) -> str:
    """How much damage goes where; `name(u, slot)` names a member."""
    places = [f"{'to' if more > 0 else 'off'} {name(u, slot)}" for u, slot, more in share(s, amount)]
    return f"{amount} damage {' '.join(places)}"


def pick_card(s: State, card: int) -> str:
    """A picked card."""
    if s.decision == Decision.LEADER:
        force, lives = printed(card, Which.LEADER)
        leader = f"{CARDS[card].name} your leader (strength {force}, {lives} lives)"
        return f"make {leader}: {effect_text(card, Which.LEADER)}"
    words = f"pick {CARDS[card].name} {SOURCES[s.offer]}"
    if s.offer == Source.ASIDE:
        words += ", for your hand" if s.stack[s.depth - 1].step == 2 else ", for the top of your deck"
    return words


# -- notes ----------------------------------------------------------------------------------------


def notes(s: State, seat: int) -> list[str]:
    """The abilities of the cards in play, and the effect that is being carried out."""
    lines = [line for u in (1 - seat, seat) for line in abilities(s, u, seat)]
    return lines if s.mover == OVER else lines + pending(s, seat)


def abilities(s: State, u: int, seat: int) -> list[str]:
    """The abilities of the leader and the heroes of a unit."""
    effects = []
    if leader_of(s, u, seat) is not None and s.revealed and (has := ability(s, u)) < len(CARDS):
        effects.append((f"leader {CARDS[has].name}", effect_text(has, Which.LEADER)))
    for slot in range(SLOTS):
        if int(s.heroes[u]) >> slot & 1:
            card = int(s.card[u, slot])
            effects.append((f"{SLOT_NAMES[slot]} {CARDS[card].name}", effect_text(card, slot // COLUMNS)))
    if u == seat:
        return [f"your {name}: {words}" for name, words in effects]
    yours = re.compile(r"\byour?\b")
    return [  # a card speaks to its own player
        f"opposing {name}{' (to its player)' if yours.search(words) else ''}: {words}"
        for name, words in effects
    ]


def pending(s: State, seat: int) -> list[str]:
    """The effect that is being carried out, from the seat's observation."""
    seen = np.zeros(Obs().size, np.int8)
    observe(s, seat, seen)
    view = Obs().view(seen)
    words = [f"{what}: {', '.join(slots(s, seat, view[name]))}" for what, name in CONCERNED if view[name].any()]
    words += [f"attack: {('melee', 'ranged')[k]}" for k in np.flatnonzero(view["attack_kind"])]
    words += [f"number: {int(view['number'][0])}"] if view["number"][0] else []
    words += [f"row: {ROWS_IN_WORDS[k]}" for k in np.flatnonzero(view["chosen_row"])]
    words += [f"column: {COLUMN_NAMES[k]}" for k in np.flatnonzero(view["chosen_column"])]
    return ["being carried out: " + "; ".join(words)] if words else []


def slots(s: State, seat: int, places: ByteArray) -> list[str]:
    """Slots of both units, (2, 9), own first, with their content."""
    return [f"{SIDES[int(u)]} {at(s, seat ^ int(u), int(slot))}" for u, slot in np.argwhere(places)]


def secret(s: State, event: int, seat: int) -> bool:
    """The opponent's draws, its leader, and the cards that it looks at alone.

    Cards that are shown (PT-103), searched for (PT-102) or picked from the seat's own hand are open.
    """
    if s.mover == CHANCE:
        return s.chance_kind == Chance.DECK and s.chance_seat != seat
    picks = s.mover != seat and Act.CARD <= event < Act.AMOUNT
    return picks and (s.decision == Decision.LEADER or s.offer in (Source.ASIDE, Source.TOP))
