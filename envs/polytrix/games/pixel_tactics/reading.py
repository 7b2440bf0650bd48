"""A position as a viewer may know it, in words and numbers, for the text and the picture.

Spectators see what both seats know, None sees everything (`core/viewers.py`).
"""

from __future__ import annotations

from polytrix.core.state import CHANCE, OVER
from polytrix.core.viewers import Viewer

from .board.passives import ability, life, ranged, strength
from .board.stack import ability_seat, effect_level
from .board.units import front, slot_at, unit_at
from .cards.cards import CARDS, LEADER_LIFE, LEADER_STRENGTH, LIFE, NO_ABILITY, STRENGTH, TOKENS, Which
from .state import LEADER_SLOT, SLOT_NAMES, Chance, Damage, Decision, FrameKind, State

SEAT_NAMES = ("South", "North")
ROWS_IN_WORDS = ("vanguard", "flank", "rear")
USES = ("Vanguard", "Flank", "Rear", "Order", "Leader")  # by `which`
TASKS = {
    Decision.LEADER: "choose a leader",
    Decision.TURN: "take an action",
    Decision.TARGET: "choose whom to attack",
    Decision.PICK: "pick a slot",
    Decision.PICK2: "pick another slot",
    Decision.AMOUNT: "say how much",
    Decision.CARD: "pick a card",
    Decision.COLUMN: "pick a column",
    Decision.ROW: "pick a row",
    Decision.STRIKE: "say how to attack",
    Decision.ORDERS: "play an order",
    Decision.RECRUITS: "recruit a hero",
}


def effect_text(kind: int, which: int) -> str:
    """The words of an effect; `which` is 0, 1, 2 for the rows, 3 for the order, 4 for the leader.

    >>> effect_text(5, 0)
    'intercepts'
    """
    return CARDS[kind].effects[which].text


def printed(kind: int, which: int) -> tuple[int, int]:
    """The strength and the life on a card, as a leader or as a hero."""
    if which == Which.LEADER:
        return int(LEADER_STRENGTH[kind]), int(LEADER_LIFE[kind])
    return int(STRENGTH[kind]), int(LIFE[kind])


def cards_in(cards: int) -> list[int]:
    """The types in a set, in ascending order."""
    return [kind for kind in range(len(TOKENS)) if int(cards) >> kind & 1]


def names_of(cards: int) -> str:
    """The cards of a set as text: `Knight Witch`, or `-`."""
    return " ".join(TOKENS[kind] for kind in cards_in(cards)) or "-"


def hand_of(s: State, owner: int, viewer: Viewer) -> tuple[list[int], int]:
    """The cards of a hand that a viewer knows, and the number of the others (PT-103)."""
    hand = int(s.hand[owner])
    known = hand if viewer in (None, owner) else hand & int(s.known[owner])
    return cards_in(known), hand.bit_count() - known.bit_count()


def top_of(s: State, owner: int, viewer: Viewer) -> list[int | None]:
    """The fixed cards of a deck from the top; None for cards that the viewer does not know (PT-101)."""
    seen = viewer in (None, owner)
    return [int(card) if seen else None for card in s.top[owner, : int(s.fixed[owner])]]


def aside_of(s: State, owner: int, viewer: Viewer) -> tuple[list[int], int]:
    """The cards set aside that a viewer knows, and the number of the others."""
    cards = cards_in(s.aside[owner])
    return (cards, 0) if viewer in (None, owner) else ([], len(cards))


def leader_of(s: State, owner: int, viewer: Viewer) -> int | None:
    """The leader card of a seat; None if it is not picked, or hidden from the viewer (PT-10)."""
    picked = int(s.leader[owner])
    return picked if picked >= 0 and (s.revealed or viewer in (None, owner)) else None


def drawn_card(s: State, viewer: Viewer) -> int | None:
    """The card that its owner has just drawn and may play; None without one, or if it is hidden."""
    return s.drawn if s.drawn >= 0 and viewer in (None, s.active) else None


# -- what is going on -----------------------------------------------------------------------------


def situation(s: State) -> str:
    """Match, round and wave."""
    words = [f"match {s.match}"] if s.options.best_of > 1 else []
    if s.round_number == 0:
        begins = [f"{SEAT_NAMES[s.last_winner]} begins"] if s.last_winner >= 0 else []  # PT-114
        return ", ".join([*words, "set-up", *begins])
    words += [f"round {s.round_number}", f"wave of the {ROWS_IN_WORDS[s.wave]}"]
    if s.round_number == 1:
        words.append("nobody attacks yet")  # PT-39
    return ", ".join(words)


def question(s: State) -> str:
    """The pending decision or chance event, or the result of the game."""
    if s.mover == OVER:
        return ending(s)
    if s.mover == CHANCE:
        if s.chance_kind == Chance.FIRST:
            return "Chance: who begins?"
        what = {Chance.DECK: "the next card", Chance.DISCARD: "a card lost"}.get(s.chance_kind, "a card stolen")
        return f"Chance: {what} of {SEAT_NAMES[s.chance_seat]}"
    about = ", ".join([*effect_names(s)[:1], *picked(s)])
    return f"{SEAT_NAMES[s.mover]}: {task(s)}" + (f" ({about})" if about else "")


def task(s: State) -> str:
    """What the mover is to do."""
    top = s.stack[s.depth - 1]
    if s.decision == Decision.REDIRECT:
        return f"shield {member_name(s, top.seat, top.slot)} from {top.left} damage, or not"
    if s.decision == Decision.CAPTURE:
        return f"place the captive {member_name(s, top.seat, top.slot)}"
    return TASKS[s.decision]


def picked(s: State) -> list[str]:
    """The place that the mover has picked already for the effect on top of the stack, if it is about one."""
    frame = s.stack[s.depth - 1]
    if frame.kind not in (FrameKind.ORDER, FrameKind.POWER) or frame.first < 0:
        return []
    u, slot = unit_at(frame.seat, frame.first), slot_at(frame.first)
    return [f"picked {SEAT_NAMES[u]}'s {member_name(s, u, slot)} on {SLOT_NAMES[slot]}"]


def ending(s: State) -> str:
    """The winner."""
    if s.truncated:
        return "Cut off. Nobody wins"
    lead = int(s.trophies[0]) - int(s.trophies[1])
    return "A draw" if lead == 0 else f"{SEAT_NAMES[int(lead < 0)]} wins"


def effect_names(s: State) -> list[str]:
    """The effects on the stack, the latest first: `order of Dragon Mage`, `attack by Knight`."""
    names = []
    top = effect_level(s)
    for level in range(top, -1, -1):
        frame = s.stack[level]
        if level == top and frame.kind not in (FrameKind.ORDER, FrameKind.POWER, FrameKind.ATTACK):
            has = ability(s, ability_seat(s, level))
            names += [f"leader {CARDS[has].name}"] if has != NO_ABILITY else []
        elif frame.kind == FrameKind.ORDER:
            names.append(f"order of {CARDS[frame.card].name}")
        elif frame.kind == FrameKind.POWER:
            names.append(f"{ROWS_IN_WORDS[frame.row]} power of {CARDS[frame.card].name}")
        elif frame.kind == FrameKind.ATTACK:
            strike = "last strike" if frame.flag else "attack"  # PT-74
            names.append(f"{strike} by {member_name(s, frame.seat, frame.slot)}")
    return names


def member_name(s: State, u: int, slot: int) -> str:
    """The name of the card on a slot."""
    card = int(s.leader[u]) if slot == LEADER_SLOT else int(s.card[u, slot])
    return CARDS[card].name if card >= 0 else SLOT_NAMES[slot]


def lives_left(s: State, u: int, slot: int) -> int:
    """The lives that a member has left; none if the damage is more."""
    return max(0, int(life(s, u, slot)) - int(s.damage[u, slot]))


def shown_strength(s: State, u: int, slot: int) -> int:
    """The strength of a member: of its strike, but of its shot if it can only shoot (PT-41)."""
    shoots = (int(ranged(s, u)) & ~int(front(s, u))) >> slot & 1
    return strength(s, u, slot, -1, Damage.RANGED if shoots else Damage.MELEE)


def count_of(number: int, what: str) -> str:
    """A number of things.

    >>> count_of(1, "life"), count_of(3, "action")
    ('1 life', '3 actions')
    """
    return f"{number} {what if number == 1 else {'life': 'lives'}.get(what, f'{what}s')}"


def standing(s: State, seat: int) -> list[str]:
    """The state of a seat in this turn and wave."""
    words = []
    if s.active == seat and s.mover != OVER:
        words.append(f"{count_of(int(s.actions), 'action')} left")
    if s.round_number and s.first == seat:
        words.append("first player")
    if s.ward[seat]:
        words.append("heroes that strike it are defeated")
    if s.played[seat]:
        words.append(f"orders played: {s.played[seat]}")
    if s.lose_next[seat]:
        words.append(f"loses {count_of(int(s.lose_next[seat]), 'action')} in the next wave")
    if s.lose_now[seat]:
        words.append(f"has lost {count_of(int(s.lose_now[seat]), 'action')} in this wave")
    return words


def recruit_row(s: State) -> int:
    """The row into which the mover recruits."""
    return s.wave if s.decision == Decision.TURN else int(s.stack[s.depth - 1].chosen_row)


def marks_of(s: State, u: int, slot: int) -> list[str]:
    """The marks of a card in this wave."""
    return [name for name in ("acted", "fresh", "moved", "hurt", "struck") if int(s[name][u]) >> slot & 1]


def ability_name(s: State, seat: int) -> str:
    """The leader ability of a seat, if it is not that of its leader card (PT-13)."""
    has = ability(s, seat)
    if has == int(s.leader[seat]):
        return ""
    return f"as {TOKENS[has]}" if has != NO_ABILITY else "no ability"
