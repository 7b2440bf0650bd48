"""What a log of Pixel Tactics may say and must, see `tests/games/truth.py`.

What becomes of damage, heroes and corpses is carried out on a table of its own, which must end like the state.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from polytrix.core.state import OVER, Record
from polytrix.games import pixel_tactics
from polytrix.games.pixel_tactics import GAME, rules
from polytrix.games.pixel_tactics.board.passives import life
from polytrix.games.pixel_tactics.cards.cards import CARDS, TOKENS
from polytrix.games.pixel_tactics.state import SLOT_NAMES, FrameKind, Result
from tests.games.truth import Reader, Step

from . import positions
from .random_positions import random_position

SEATS = ("South", "North")
ROWS = ("vanguard", "flank", "rear")
TEXTS = json.loads((Path(pixel_tactics.__file__).with_name("texts.json")).read_text(encoding="utf-8"))
NAMES = [card.name for card in CARDS]

WHOSE = "(your|South's|North's)"
SEAT = "(South|North)"
CARD = f"({'|'.join(sorted({*NAMES, *TOKENS}, key=len, reverse=True))})"
SLOT = "(Va|Vb|Vc|Fa|L|Fc|Ra|Rb|Rc)"
MEMBER = f"{WHOSE} (?:leader {CARD}|{CARD} on {SLOT}|empty slot {SLOT})"
"""Four groups: whose, the leader's card, a hero's or corpse's card, its slot; and that of an empty slot."""


class Table:
    """[unit][slot]: whether a hero is alive there and its card; and the damage of all members."""

    def __init__(self, s: Record) -> None:
        self.units = [
            {
                slot: (bool(int(s.heroes[u]) >> slot & 1), int(s.card[u, slot]))
                for slot in range(9)
                if (int(s.heroes[u]) | int(s.corpses[u])) >> slot & 1
            }
            for u in range(2)
        ]
        self.arrived: set[tuple[int, int]] = set()  # slots that a hero has reached from another one
        self.damage = [
            {slot: int(n) for slot, n in enumerate(s.damage[u]) if n and not int(s.corpses[u]) >> slot & 1}
            for u in range(2)
        ]


def end_of(step: Step) -> Record:
    """The state in which the step has left the match: after it another one may have begun."""
    if step.after.match == step.before.match:
        return step.after
    only = step.before.copy()
    only["options"]["best_of"] = 1
    rules.apply(only, step.event)
    return only


def a_rare_position(rng: np.random.Generator) -> Record:
    """Units are crowded, hands are large or empty; the first or the last match."""
    best_of = rng.choice([1, 3, 5])
    head, rest = random_position(rng).split(" / ", 1)
    return positions.Table(f"{head} best_of={best_of} / {rest}").s.copy()


READER = Reader(positions=a_rare_position, table=Table)


def unit(step: Step, whose: str) -> int:
    """The number of a unit; -1 if it must not be called so."""
    if whose == "your":
        return int(step.viewer) if step.viewer in (0, 1) else -1
    u = SEATS.index(whose.removesuffix("'s"))
    return -1 if u == step.viewer else u


def is_member(step: Step, s: Record, whose: str, leader: str, card: str, slot: str, empty: str) -> bool:
    """Whether a unit of a state has such a leader, hero or corpse."""
    u = unit(step, whose)
    if empty:
        return u >= 0 and s.card[u, SLOT_NAMES.index(empty)] < 0
    if leader:
        return u >= 0 and leader in (TOKENS[s.leader[u]], NAMES[s.leader[u]])
    there = int(s.card[u, SLOT_NAMES.index(slot)])
    return u >= 0 and there >= 0 and card in (TOKENS[there], NAMES[there])


def notation(step: Step) -> str:
    return GAME.format_action(step.before, step.event)


# -- actions ------------------------------------------------------------------------------------------


@READER.line("ends the turn|uses no shield|takes no more, or nothing")
def passes(step: Step) -> bool:
    return notation(step) == "pass"


@READER.line("draws a card")
def draws(step: Step) -> bool:
    return notation(step) == "draw" and step.before.deck[step.before.mover] != 0


@READER.line(f'recruits {CARD} into column ([abc]) of the ({"|".join(ROWS)}): "(.*)"')
def recruits(step: Step, card: str, column: str, row: str, text: str) -> bool:
    number = NAMES.index(card)
    slot = 3 * ROWS.index(row) + "abc".index(column)
    step.table.units[step.before.mover].setdefault(slot, (True, number))
    in_hand = int(step.before.hand[step.before.mover]) >> number & 1
    return (
        in_hand
        and notation(step) == f"recruit {TOKENS[number]} {column}"
        and text == text_of(number, ROWS.index(row))
    )


def text_of(card: int, which: int) -> str:
    text: str = TEXTS[CARDS[card].code][which]
    return text


@READER.line(f"(strikes in melee|shoots) with {MEMBER}")
def attacks_with(step: Step, how: str, *member: str) -> bool:
    kind = "melee" if how == "strikes in melee" else "ranged"
    slot = member[3] or "L"
    own = unit(step, member[0]) == step.before.mover
    return own and is_member(step, step.before, *member) and notation(step) == f"{kind} {slot}"


@READER.line(f'uses the power of {MEMBER}: "(.*)"')
def uses_a_power(step: Step, *told: str) -> bool:
    *member, text = told
    slot = SLOT_NAMES.index(member[3])
    card = int(step.before.card[step.before.mover, slot])
    own = unit(step, member[0]) == step.before.mover
    true = own and is_member(step, step.before, *member) and text == text_of(card, slot // 3)
    return true and notation(step) == f"power {member[3]}"


@READER.line(f'plays {CARD} as an order: "(.*)"')
def plays_an_order(step: Step, card: str, text: str) -> bool:
    return text == text_of(NAMES.index(card), 3) and notation(step) == f"order {TOKENS[NAMES.index(card)]}"


@READER.line(f"discards the corpse of {MEMBER}")
def clears(step: Step, *member: str) -> bool:
    u = unit(step, member[0])
    step.table.units[u].pop(SLOT_NAMES.index(member[3]))
    return u == step.before.mover and notation(step) == f"clear {member[3]}"


@READER.line("moves a hero into the row of the wave")
def moves(step: Step) -> bool:
    return notation(step).startswith("move ")


@READER.line(f"(attacks|lets|picks) {MEMBER}( take the damage instead)?")
def picks_a_member(step: Step, how: str, *told: str) -> bool:
    *member, instead = told
    slot = member[3] or member[4] or "L"
    side = "own" if unit(step, member[0]) == step.before.mover else "foe"
    named = (how == "lets") == bool(instead) and is_member(step, step.before, *member)
    return named and (notation(step) == f"{side} {slot}")


@READER.line(f"puts the captive on {SLOT}")
def puts_the_captive(step: Step, slot: str) -> bool:
    return notation(step) == f"own {slot}"


@READER.line("chooses a leader, face down")
def chooses_in_secret(step: Step) -> bool:
    return step.viewer not in (None, step.before.mover)


@READER.line(f'chooses {CARD} as leader: "(.*)"')
def chooses_a_leader(step: Step, card: str, text: str) -> bool:
    known = step.viewer in (None, step.before.mover)
    return (
        known
        and step.after.leader[step.before.mover] == NAMES.index(card)
        and text == text_of(NAMES.index(card), 4)
    )


@READER.line(
    f"picks (a card|{CARD}) (from its hand|from its deck|of those set aside|as the next one of its deck|"
    "from the opposing hand)"
)
def picks_a_card(step: Step, what: str, card: str | None, where: str) -> bool:
    searched = where in ("from its deck", "from the opposing hand")
    may_know = step.viewer in (None, step.before.mover) or searched
    zone = {"from its hand": "hand", "from its deck": "deck", "of those set aside": "aside"}.get(where)
    picked = step.event - 183
    there = zone is None or int(step.before[zone][step.before.mover]) >> picked & 1
    return bool(there) and may_know == bool(card) and (card is None or NAMES[picked] == card)


@READER.line(r"chooses (?:the number (\d+)|column ([abc]))")
def chooses(step: Step, number: str | None, column: str | None) -> bool:
    return notation(step) == (f"amount {number}" if number else f"column {column}")


@READER.line(f"chooses {WHOSE} ({'|'.join(ROWS)})")
def chooses_a_row(step: Step, whose: str, row: str) -> bool:
    side = "own" if unit(step, whose) == step.before.mover else "foe"
    return unit(step, whose) >= 0 and notation(step) == f"row {side} {'VFR'[ROWS.index(row)]}"


# -- chance -------------------------------------------------------------------------------------------


@READER.line(f"{SEAT} goes first")
def goes_first(step: Step, name: str) -> bool:
    return SEATS[step.after.first] == name


@READER.line(f"{SEAT} (loses|is robbed of|draws) (?:{CARD}|a card)")
def loses_or_draws(step: Step, name: str, how: str, card: str | None) -> bool:
    seat, end = SEATS.index(name), end_of(step)
    gone = int(step.before.hand[seat]) & ~int(end.hand[seat])
    come = int(end.hand[seat]) & ~int(step.before.hand[seat])
    cards = come if how == "draws" else gone
    may_know = step.viewer in (None, seat) or how != "draws"
    return may_know and bool(cards >> NAMES.index(card) & 1) if card else cards != 0


@READER.line(f"the next card of {SEAT}'s deck is {CARD}")
def the_next_card(step: Step, name: str, card: str) -> bool:
    seat = SEATS.index(name)
    return step.viewer in (None, seat) and bool(int(step.before.deck[seat]) >> NAMES.index(card) & 1)


# -- what comes of it ---------------------------------------------------------------------------------


@READER.line(f"the leaders are shown: South has {CARD}, North has {CARD}")
def leaders_are_shown(step: Step, south: str, north: str) -> bool:
    return [NAMES[number] for number in step.after.leader] == [south, north] and bool(step.after.revealed)


@READER.line(
    rf"{MEMBER} (takes|heals) (\d+)(?: damage)?: (\d+) of (\d+) lives left(, so it falls when the wave ends)?"
)
def is_hurt_or_healed(step: Step, *told: str) -> bool:
    *member, how, count, left, lives, falls = told
    end, u = end_of(step), unit(step, member[0])
    slot = SLOT_NAMES.index(member[3] or "L")
    damage = step.table.damage[u]
    was = damage.pop(slot, 0)
    now = was + (int(count) if how == "takes" else -int(count))
    damage.update({slot: now} if now else {})
    full = int(life(end, u, slot))
    true = is_member(step, end, *member) and (int(left), int(lives)) == (max(0, full - now), full)
    return true and bool(falls) == (now >= full) and int(count) > 0


@READER.line(f"{WHOSE} (corpse of )?{CARD} on {SLOT} (falls|stands up again)")
def falls_or_stands_up(step: Step, whose: str, corpse: str | None, card: str, slot: str, how: str) -> bool:
    u, alive, number = unit(step, whose), not corpse, SLOT_NAMES.index(slot)
    was = step.table.units[u].get(number)
    step.table.units[u][number] = (not alive, NAMES.index(card))
    step.table.damage[u].pop(number, None)
    return was == (alive, NAMES.index(card)) and alive == (how == "falls")


@READER.line(f"{WHOSE} (corpse of )?{CARD} leaves {SLOT}")
def leaves(step: Step, whose: str, corpse: str | None, card: str, slot: str) -> bool:
    u, number = unit(step, whose), SLOT_NAMES.index(slot)
    step.table.damage[u].pop(number, None)
    return step.table.units[u].pop(number, None) == (not corpse, NAMES.index(card))


@READER.line(f"{WHOSE} (corpse of )?{CARD} goes from {SLOT} to {SLOT}")
def goes(step: Step, whose: str, corpse: str | None, card: str, start: str, end: str) -> bool:
    """PT-105. Two that change places are told one by one, so both are looked up in the state before."""
    u, there = unit(step, whose), (not corpse, NAMES.index(card))
    one, other = SLOT_NAMES.index(start), SLOT_NAMES.index(end)
    units, damage, before = step.table.units[u], step.table.damage[u], Table(step.before)
    if (u, one) not in step.table.arrived:
        units.pop(one, None)
        damage.pop(one, None)
    step.table.arrived.add((u, other))
    units[other] = there
    damage.pop(other, None)
    damage.update({other: before.damage[u][one]} if one in before.damage[u] else {})
    return before.units[u].get(one) == there and start != end


@READER.line(f"{MEMBER} joins the unit")
def joins(step: Step, *member: str) -> bool:
    u, slot = unit(step, member[0]), SLOT_NAMES.index(member[3])
    end = end_of(step)
    step.table.arrived.add((u, slot))
    step.table.units[u][slot] = (True, int(end.card[u, slot]))
    return is_member(step, end, *member) and Table(step.before).units[u].get(slot) != step.table.units[u][slot]


@READER.line(rf"{SEAT} draws (\d) cards|{SEAT} draws ((?:{CARD}, )+{CARD})")
def draws_several(step: Step, *told: str | None) -> bool:
    hidden, count, shown, cards, *_ = told
    seat = SEATS.index(hidden or shown or "")
    drawn = int(step.before.deck[seat]) & int(end_of(step).hand[seat])
    if cards is None:
        return step.viewer not in (None, seat) and drawn.bit_count() >= int(count or 0) > 1
    return step.viewer in (None, seat) and {NAMES.index(card) for card in cards.split(", ")} <= set(
        bits_of(drawn)
    )


@READER.line(rf"({CARD}(?:, {CARD})*) of {SEAT}'s hand is played")
def is_played(step: Step, *told: str) -> bool:
    seat = SEATS.index(told[-1])
    gone = int(step.before.hand[seat]) & int(end_of(step).in_play[seat])
    return {NAMES.index(card) for card in told[0].split(", ")} <= set(bits_of(gone))


@READER.line("it does no damage")
def no_damage(step: Step) -> bool:
    end = end_of(step)
    pending = any(frame.kind == FrameKind.ATTACK for frame in step.after.stack[: int(step.after.depth)])
    return not pending and vars(Table(step.before)) == vars(Table(end))


@READER.line(f"everybody knows now that {SEAT} holds (.*)")
def everybody_knows(step: Step, name: str, cards: str) -> bool:
    seat = SEATS.index(name)
    new = int(end_of(step).known[seat]) & ~int(step.before.known[seat])
    return [NAMES.index(card) for card in cards.split(", ")] == bits_of(new)


@READER.line(f"{SEAT} discards (.*)")
def discards(step: Step, name: str, cards: str) -> bool:
    seat = SEATS.index(name)
    gone = bits_of(int(step.before.hand[seat]) & int(end_of(step).discard[seat]))
    return set(map(NAMES.index, cards.split(", "))) <= set(gone)


def bits_of(cards: int) -> list[int]:
    return [number for number in range(len(NAMES)) if cards >> number & 1]


@READER.line(rf"(?:match (\d), )?round (\d+), wave of the ({'|'.join(ROWS)})(, ceasefire)?")
def course(step: Step, match: str | None, number: str, wave: str, ceasefire: str | None) -> bool:
    s = step.after
    told = (int(match or 1), int(number), ROWS.index(wave), bool(ceasefire))
    return told == (s.match, s.round_number, s.wave, s.round_number == 1) and bool(match) == (
        s.options.best_of > 1
    )


@READER.line(f"({SEAT}|nobody) wins match (\\d)")
def wins_a_match(step: Step, who: str, seat: str | None, match: str) -> bool:
    result = int(end_of(step).result)
    return int(match) == step.before.match and (SEATS.index(seat) if seat else Result.TIE) == result


@READER.line(f"(Cut off. Nobody wins|A draw|{SEAT} wins)")
def result(step: Step, words: str, name: str | None) -> bool:
    if step.after.mover != OVER or (words[0] == "C") != bool(step.after.truncated):
        return False
    return step.winners == ([SEATS.index(name)] if name else [])


# -- what must be told --------------------------------------------------------------------------------


@READER.at_the_end
def the_table(step: Step) -> Iterator[str]:
    """Whoever carries out what is told has the units as they are."""
    end = Table(end_of(step))
    for name in ("units", "damage"):
        true, told = getattr(end, name), getattr(step.table, name)
        if told != true:
            yield f"{name} are {true}, but told is {told}"


@READER.change("match", "trophies", "result")
def a_match(step: Step) -> Iterator[str]:
    if step.after.options.best_of > 1 and end_of(step).result != Result.RUNNING:
        yield f"wins match {step.before.match}"


@READER.change("round_number", "wave")
def a_wave(step: Step) -> Iterator[str]:
    if step.after.round_number and step.after.mover != OVER:
        yield f"round {step.after.round_number}, wave of the {ROWS[step.after.wave]}"


@READER.change("revealed")
def the_leaders(step: Step) -> Iterator[str]:
    if step.after.revealed:
        yield "the leaders are shown"


@READER.change("known")
def known_cards(step: Step) -> Iterator[str]:
    for seat in range(2):
        new = int(end_of(step).known[seat]) & ~int(step.before.known[seat])
        yield from (f"everybody knows now that {SEATS[seat]} holds .*{NAMES[card]}" for card in bits_of(new))


@READER.change("mover")
def the_end(step: Step) -> Iterator[str]:
    if step.after.mover == OVER:
        yield "wins$|A draw|Nobody wins"


@READER.change("hand")
def the_number_of_cards(step: Step) -> Iterator[str]:
    """A hand that grows or shrinks; an action to draw is told before chance says which card comes."""
    end = end_of(step)
    for seat in range(2):
        of_action = step.before.depth == 1 and step.before.stack[0].kind == FrameKind.DRAW
        if int(step.before.deck[seat]) & int(end.hand[seat]) and not of_action:
            yield f"{SEATS[seat]} draws|^draws|picks|holds"
        if step.before.discard[seat] != end.discard[seat] and int(step.before.hand[seat]) & int(
            end.discard[seat]
        ):
            yield f"{SEATS[seat]} (discards|loses)|plays|picks|is robbed of|recruits"
        if int(step.before.hand[seat]) & int(end.in_play[seat]):
            yield f"{SEATS[seat]}'s hand is played|is robbed of|plays|picks"
