"""The invariants hold in play, and notice states that break them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.bounds import entries_of
from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.invariants import INVARIANTS, check
from polytrix.games.pixel_tactics.state import Act, Decision
from polytrix.testing import check_random_play

from .positions import ASKED, CARD, EFFECTS, MORE, WORKED, Table, blocks, mirrored, placed

POSITION = (
    "R4 F / 0: L=Knight*3 Va=Fighter*2!a Fa=x.Oracle Vc=Homunculus*1 Rb=~Witch hand=Mystic,Gunner,Healer "
    "/ 1: L=Trapper Va=Assassin Rc=x.Vampire hand=Scientist disc=Summoner"
)


@pytest.mark.clause("PT-01", "PT-02", "PT-04", "PT-07", "PT-76", "PT-94", "PT-98", "PT-101", "PT-103")
@pytest.mark.parametrize("options", [{"best_of": 1}, {"best_of": 3}, {"orders_in_ceasefire": False}], ids=str)
def test_in_play(options: dict[str, Any]) -> None:
    assert check_random_play(GAME, options, 100, whole_games=20, seed=3).terminated > 10


def lose_a_card(s: Any) -> None:
    s.deck[0] &= s.deck[0] - 1


def stand_on_the_leader(s: Any) -> None:
    s.card[1, 4] = CARD["Paladin"]


def capture_nothing(s: Any) -> None:
    s.captives[1] |= 1 << 6


def heal_too_much(s: Any) -> None:
    s.damage[0, 0] = -1


def hit_a_corpse(s: Any) -> None:
    s.damage[0, 3] = 1


def mark_nothing(s: Any) -> None:
    s.acted[0] |= 1 << 8


def hurt_a_corpse(s: Any) -> None:
    s.hurt[1] |= 1 << 8


def know_the_deck(s: Any) -> None:
    s.known[1] = s.deck[1]


def fix_nothing(s: Any) -> None:
    s.fixed[0] = 1


def fix_a_hand_card(s: Any) -> None:
    s.top[0, 0], s.fixed[0] = CARD["Mystic"], 1


def start_a_chain(s: Any) -> None:
    s.chain_orders |= 1


def put_into_play(s: Any) -> None:
    s.in_play[0], s.hand[0] = s.hand[0], 0


def remember_a_card(s: Any) -> None:
    s.drawn = CARD["Mystic"]


def keep_an_answer(s: Any) -> None:
    s.answer = 5


def forget_the_question(s: Any) -> None:
    s.decision = 0


def ask_chance_for_nothing(s: Any) -> None:
    s.mover, s.decision = CHANCE, 0


def owe_actions(s: Any) -> None:
    s.actions = -1


def steal_trophies(s: Any) -> None:
    s.trophies[1] = 1


def go_on_for_ever(s: Any) -> None:
    s.round_number = 31


def win_without_an_end(s: Any) -> None:
    s.result = 1


BREAKERS = {
    lose_a_card: 1,
    stand_on_the_leader: 2,
    capture_nothing: 3,
    heal_too_much: 4,
    hit_a_corpse: 4,
    mark_nothing: 5,
    hurt_a_corpse: 5,
    know_the_deck: 6,
    fix_nothing: 7,
    fix_a_hand_card: 7,
    start_a_chain: 8,
    put_into_play: 9,
    remember_a_card: 10,
    keep_an_answer: 11,
    forget_the_question: 11,
    ask_chance_for_nothing: 12,
    owe_actions: 13,
    steal_trophies: 14,
    go_on_for_ever: 15,
    win_without_an_end: 16,
}


@pytest.mark.parametrize("breaker", BREAKERS, ids=lambda breaker: breaker.__name__)
def test_each_notices(breaker: Callable[[Any], None]) -> None:
    before = Table(POSITION).s
    s = Table(POSITION).s
    assert check(before, s) == 0
    breaker(s)
    assert check(before, s) == BREAKERS[breaker], INVARIANTS[check(before, s) - 1]


AWAITED = {
    "the first card": "START",
    "leaders": "START\n~ Witch, Oracle, Mystic, Fighter, Gunner, Witch, Oracle, Mystic, Fighter, Gunner",
    "the coin": """START
        ~ Witch, Oracle, Mystic, Fighter, Gunner, Witch, Oracle, Mystic, Fighter, Gunner
        > card Witch; card Mystic""",
    "a turn": "R2 R / 0: L=Knight Va=Fighter Ra=Alchemist Rb=x.Witch hand=Mystic / 1: L=Healer Va=Oracle",
    "a shield": """R2 V / 0: L=Healer Va=Fighter / 1: L=Healer Va=Paladin Rc=Knight
        > melee Va; foe Va""",
    "thorns": """R2 V / 0: L=Healer Va=Fighter Vb=Witch Rb=Knight / 1: L=Oracle Va=Knight
        > melee Va; foe Va""",
    "a pick": """R2 R / 0: L=Healer Ra=Alchemist / 1: L=Healer Va=Witch Vb=Oracle Vc=Mystic
        > power Ra; foe Va""",
    "an amount": """R2 V / 0: L=Healer hand=Alchemist / 1: L=Healer Va=Witch Vb=Oracle
        > order Alchemist; foe Va""",
    "a recruit": """R2 F / 0: L=Healer Fa=Summoner hand=Fighter,Knight / 1: L=Knight
        > power Fa; row own R""",
    "a card": """R2 R / 0: L=Knight Ra=Summoner / 1: L=Healer
        > power Ra
        ~ Oracle, Witch, Mystic""",
    "a card to sift": """R2 R / 0: L=Knight Ra=Summoner / 1: L=Healer
        > power Ra
        ~ Oracle""",
    "an order": """R2 R / 0: L=Knight Ra=Mystic / 1: L=Healer
        > power Ra
        ~ Oracle""",
    "a strike": """R2 V / 0: L=Mascot hand=Scientist,Fighter / 1: L=Oracle
        > recruit Scientist a""",
    "a last strike": """R2 V / 0: L=Healer Va=Knight hand=Assassin / 1: L=Berserker Va=Templar*5
        > order Assassin; foe Va""",
    "a captive": """R2 V / 0: L=Overlord hand=Assassin,Knight / 1: L=Healer Va=Templar Vb=Witch
        > order Assassin; foe Va""",
    "a shot": """R2 V / 0: L=Gunner hand=Scientist,Knight / 1: L=Healer Va=Templar Vb=Witch
        > order Scientist""",
    "an exchange": """R2 V / 0: L=Healer Va=Fighter Ra=x.Witch hand=Homunculus / 1: L=Knight
        > order Homunculus; own Va""",
    "a ward": """R2 V seat=1 / 0: L=Healer Va=Fighter!s Vb=Gunner!s / 1: L=Overlord hand=Templar
        > order Templar""",
    "the end of a wave": """R2 V seat=1 / 0: L=Alchemist / 1: L=Mystic Va=Oracle Fa=Witch Ra=Knight
        > pass""",
    "the second match": """R3 R seat=1 best_of=3 / 0: L=Knight / 1: L=Healer*15
        > pass""",
    "nothing after the last round": """R3 R seat=1 max_rounds=3 level=1:0 / 0: L=Priestess / 1: L=Healer
        > pass""",
    "nothing any more": """R3 R seat=1 / 0: L=Knight / 1: L=Healer*15
        > pass""",
}
"""Positions with a pending decision or chance event."""

WRONG = [
    ("the first card", "stack[0].left", 4, 18),
    ("the first card", "stack[0].flag", 1, 17),
    ("the first card", "depth", 0, 18),
    ("the first card", "chance_kind", 2, 12),
    ("the first card", "chance_seat", 1, 12),
    ("the first card", "leader[0]", 3, 19),
    ("the first card", "damage[0][4]", 1, 18),
    ("leaders", "leader[1]", CARD["Witch"], 19),
    ("leaders", "leader[0]", CARD["Knight"], 19),
    ("leaders", "revealed", 1, 19),
    ("leaders", "mover", 1, 11),
    ("leaders", "may_card", 2, 11),
    ("leaders", "trophies[0]", 1, 14),
    ("the coin", "chance_seat", 0, 12),
    ("the coin", "last_winner", 0, 12),
    ("the coin", "level[0]", 1, 20),
    ("the coin", "leader[0]", -1, 19),
    ("a turn", "mover", 1, 11),
    ("a turn", "may_pass", 0, 11),
    ("a turn", "may_draw", 0, 11),
    ("a turn", "may_recruit", 0b111, 11),
    ("a turn", "recruit_row", 0, 11),
    ("a turn", "may_order", 0, 11),
    ("a turn", "may_card", 1, 11),
    ("a turn", "may_melee", 1, 11),
    ("a turn", "may_ranged", 1 << 6, 11),
    ("a turn", "may_power", 0, 11),
    ("a turn", "may_clear", 1, 11),
    ("a turn", "may_move", 1 << 1, 11),
    ("a turn", "may_move_to", 0b111, 11),
    ("a turn", "may_amount", 2, 11),
    ("a turn", "may_own", 1, 11),
    ("a turn", "actions", 0, 11),
    ("a turn", "phase", 5, 15),
    ("a turn", "active", 1, 15),
    ("a turn", "turn", 1, 15),
    ("a turn", "wave", -1, 15),
    ("a turn", "level[1]", 1, 20),
    ("a turn", "trophies[0]", 1, 14),
    ("a turn", "last_winner", 0, 16),
    ("a turn", "result", 2, 16),
    ("a turn", "chance_kind", 1, 11),
    ("a turn", "depth", 1, 17),
    ("a turn", "depth", 30, 17),
    ("a shield", "depth", 1, 17),
    ("a shield", "stack[0].step", 5, 17),
    ("a shield", "stack[0].seat", 1, 17),
    ("a shield", "stack[0].attack", 3, 17),
    ("a shield", "stack[0].flag", 1, 17),
    ("a shield", "stack[0].slot", -1, 17),
    ("a shield", "stack[0].amounts[0]", 9, 17),
    ("a shield", "stack[0].picked", 1, 17),
    ("a shield", "stack[0].op", 1, 17),
    ("a shield", "stack[0].kind", 8, 17),
    ("a shield", "stack[1].kind", 3, 17),
    ("a shield", "stack[1].step", 0, 17),
    ("a shield", "stack[1].seat", 0, 17),
    ("a shield", "stack[1].slot", 4, 17),
    ("a shield", "stack[1].left", 0, 17),
    ("a shield", "stack[1].attack", 1, 17),
    ("a shield", "stack[1].total", 1, 17),
    ("a shield", "stack[1].thorns", 1, 17),
    ("a shield", "may_own", 0b11, 11),
    ("a shield", "may_pass", 0, 11),
    ("a shield", "decision", 7, 11),
    ("thorns", "stack[1].slot", 1, 17),
    ("thorns", "stack[1].seat", 1, 17),
    ("thorns", "stack[1].left", 3, 17),
    ("thorns", "stack[1].attack", 0, 17),
    ("thorns", "stack[0].step", 2, 17),
    ("thorns", "stack[0].thorns", 1, 17),
    ("a pick", "stack[0].left", 5, 17),
    ("a pick", "stack[0].picked", 0, 17),
    ("a pick", "stack[0].step", 3, 17),
    ("a pick", "stack[0].first", 9, 17),
    ("a pick", "stack[0].column", 1, 17),
    ("a pick", "stack[0].chosen_row", 1, 17),
    ("a pick", "stack[0].kept", 1, 17),
    ("a pick", "stack[0].op", 1, 17),
    ("a pick", "stack[0].slot", -1, 17),
    ("a pick", "stack[0].row", -1, 17),
    ("a pick", "stack[0].card", -1, 17),
    ("a pick", "stack[0].card", CARD["Berserker"], 17),
    ("a pick", "stack[0].seat", 1, 17),
    ("a pick", "stack[0].thorns", 1, 17),
    ("a pick", "stack[0].amounts[0]", 1, 17),
    ("a pick", "chain_powers[2]", 0, 8),
    ("a pick", "may_foe", 0b111, 11),
    ("a pick", "may_pass", 0, 11),
    ("an amount", "stack[1].first", -1, 17),
    ("an amount", "stack[1].first", 10, 17),
    ("an amount", "stack[1].left", 8, 17),
    ("an amount", "stack[0].card", CARD["Witch"], 17),
    ("an amount", "stack[0].flag", 1, 17),
    ("an amount", "stack[0].left", 1, 17),
    ("an amount", "in_play[1]", 1, 1),
    ("an amount", "may_amount", 8, 11),
    ("a recruit", "stack[0].chosen_row", -1, 17),
    ("a recruit", "stack[0].left", 2, 17),
    ("a recruit", "may_recruit", 0b011, 11),
    ("a recruit", "recruit_row", 0, 11),
    ("a card", "may_card", 1, 11),
    ("a card", "stack[0].left", 1, 17),
    ("a card", "stack[0].step", 3, 17),
    ("a card to sift", "stack[0].left", 1, 10),
    ("a card to sift", "chance_kind", 3, 12),
    ("a card to sift", "chance_seat", 1, 12),
    ("an order", "drawn", -1, 10),
    ("an order", "drawn", CARD["Knight"], 10),
    ("an order", "may_order", 1, 10),
    ("a strike", "stack[0].flag", 0, 17),
    ("a strike", "stack[0].step", 2, 17),
    ("a strike", "may_melee", 0, 11),
    ("a strike", "may_power", 1 << 1, 11),
    ("a last strike", "stack[2].slot", 1, 17),
    ("a last strike", "stack[2].flag", 1, 17),
    ("a last strike", "stack[3].flag", 0, 17),
    ("a last strike", "stack[2].step", 3, 17),
    ("a last strike", "damage[1][0]", -1, 4),
    ("a last strike", "may_foe", 1, 11),
    ("a captive", "stack[2].step", 2, 17),
    ("a captive", "damage[1][0]", 1, 4),
    ("a captive", "may_own", 1, 11),
    ("a shot", "stack[0].step", 3, 17),
    ("a shot", "stack[0].left", 1, 17),
    ("a shot", "may_foe", 1, 11),
    ("an exchange", "stack[1].first", -1, 17),
    ("an exchange", "stack[1].left", 8, 17),
    ("an exchange", "stack[1].first", 1, 11),
    ("an exchange", "may_own", 1 << 6, 11),
    ("a ward", "stack[1].picked", 1, 17),
    ("a ward", "stack[1].picked", 1 << 13, 17),
    ("a ward", "stack[1].left", 1, 17),
    ("the end of a wave", "stack[0].picked", 1, 17),
    ("the end of a wave", "stack[0].flag", 1, 17),
    ("the end of a wave", "stack[0].seat", 1, 17),
    ("the end of a wave", "stack[1].attack", 0, 17),
    ("the end of a wave", "actions", 1, 15),
    ("the end of a wave", "phase", 4, 17),
    ("the second match", "trophies[0]", 0, 14),
    ("the second match", "deck[0]", 0, 1),
    ("the second match", "discard[0]", 1, 1),
    ("nothing after the last round", "level[0]", 3, 20),
    ("nothing after the last round", "result", 0, 16),
    ("nothing after the last round", "round_number", 2, 20),
    ("nothing any more", "result", 1, 14),
    ("nothing any more", "mover", 0, 11),
    ("nothing any more", "last_winner", -1, 16),
    ("nothing any more", "trophies[0]", 0, 16),
    ("nothing any more", "damage[1][4]", 14, 16),
    ("nothing any more", "depth", 1, 17),
]


UNREACHABLE = ("M06", "M07")
"""Positions of a ninth match in which nobody has won a trophy: ties give trophies, too (PT-115)."""


def put(s: Any, path: str, value: int) -> None:
    """Write one number, named like `stack[1].amounts[0]`."""
    *way, last = re.findall(r"\w+", path)
    for step in way:
        s = s[int(step) if step.isdigit() else step]
    s[int(last) if last.isdigit() else last] = value


@pytest.mark.parametrize(("awaited", "path", "value", "number"), WRONG)
def test_each_number_is_held_to_the_others(awaited: str, path: str, value: int, number: int) -> None:
    s = placed(AWAITED[awaited]).s
    assert check(s, s) == 0, INVARIANTS[check(s, s) - 1]
    put(s, path, value)
    assert check(s, s) == number, INVARIANTS[check(s, s) - 1]


@pytest.mark.parametrize("script", [WORKED, EFFECTS, MORE], ids=lambda script: script.stem)
def test_in_all_positions_of_the_files(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    advance, seen = Table._advance, 0

    def advance_and_check(table: Table, number: int) -> None:
        nonlocal seen
        before = table.s.copy()
        advance(table, number)
        broken = check(before, table.s)
        assert broken == 0, INVARIANTS[broken - 1]
        seen += 1

    monkeypatch.setattr(Table, "_advance", advance_and_check)
    for name, _, lines in blocks(script):
        if name not in UNREACHABLE:
            placed("\n".join(lines))
    assert seen > 50


QUESTIONS = [case.partition("\n= ")[0] for case in ASKED.read_text(encoding="utf-8").strip().split("\n\n")[1:]]
"""Questions of every frame and operation that asks a seat."""

EVENTS = [
    "R2 R / 0: L=Knight Ra=Trapper / 1: L=Healer hand=Witch,Mystic\n> power Ra",
    "R2 R / 0: L=Knight hand=Trapper / 1: L=Healer hand=Witch,Mystic,Oracle,Knight\n> order Trapper | ~ Witch",
    "R2 R / 0: L=Knight hand=Illusionist / 1: L=Healer hand=Witch,Mystic\n> order Illusionist",
    "R2 F / 0: L=Knight Fa=Oracle / 1: L=Healer\n> power Fa | ~ Witch",
    "R2 R / 0: L=Knight Ra=Summoner / 1: L=Healer\n> power Ra | ~ Witch",
    "R2 F / 0: L=Knight Fa=Scientist / 1: L=Healer\n> power Fa | ~ Witch",
    "R2 R / 0: L=Knight Ra=Oracle / 1: L=Healer",
    "R2 R / 0: L=Knight / 1: L=Healer Ra=Oracle",
    "R2 V / 0: L=Knight hand=Oracle,Witch / 1: L=Healer\n> order Oracle | ~ Mystic",
]
"""Chance events of every frame and operation that asks chance."""

TURNS = [
    "R1 V orders_in_ceasefire=0 / 0: L=Knight hand=Witch / 1: L=Healer",
    "R1 F / 0: L=Knight Fa=Gunner hand=Witch / 1: L=Healer Va=Oracle",
    "R2 V orders_in_ceasefire=0 / 0: L=Knight hand=Witch / 1: L=Healer",
    "R2 V / 0: L=Knight deck=- hand=Witch / 1: L=Healer",
    "R2 V / 0: L=Knight hand=- Va=x.Witch / 1: L=Healer",
    "R2 V / 0: L=Knight hand=Oracle Va=x.Witch / 1: L=DragonMage",
    "R2 V / 0: L=Knight Va=Fighter Vb=x.Oracle Vc=Witch Ra=Mystic hand=Gunner / 1: L=Healer",
    "R2 V actions=0 / 0: L=Mystic Va=x.Witch hand=Oracle / 1: L=Healer",
    "R2 V actions=0 / 0: L=Summoner Va=x.Witch hand=Oracle / 1: L=Healer",
    "R2 V actions=0 / 0: L=Paladin Va=x.Witch Fa=Fighter!m Ra=Gunner hand=Oracle / 1: L=Healer",
    "R2 F / 0: L=Gunner Fa=Fighter!a Fc=Mystic!f Vc=Witch!m / 1: L=Healer Va=Oracle",
    "R2 F / 0: L=Witch Va=Gunner Fa=x.Fighter Fc=x.Mystic!a / 1: L=Healer Va=Oracle",
    "R2 R / 0: L=Planestalker Ra=Trapper Rb=Scientist Rc=Summoner / 1: L=Healer Va=Oracle hand=Knight",
]
"""Everything that a turn offers, and things that it does not."""


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", TURNS)
def test_nothing_is_wrong_with_a_turn_of_either_seat(text: str, seat: int) -> None:
    s = Table(mirrored(text) if seat else text).s
    assert s.decision == Decision.TURN and s.mover == seat
    assert check(s, s) == 0, INVARIANTS[check(s, s) - 1]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", QUESTIONS + EVENTS, ids=lambda text: text.replace("\n", " "))
def test_nothing_is_wrong_with_a_question_to_either_seat(text: str, seat: int) -> None:
    position, _, steps = text.partition("\n")
    s = placed("\n".join([mirrored(position) if seat else position, *steps.splitlines()])).s
    assert s.mover == CHANCE if text in EVENTS else s.mover in (0, 1)
    assert check(s, s) == 0, INVARIANTS[check(s, s) - 1]


def test_a_game_that_is_cut_off_is_over_without_a_result() -> None:
    s = placed(AWAITED["a shield"]).s
    s.truncated, s.mover = 1, OVER
    assert check(s, s) == 0
    for field, value in (("mover", 0), ("result", 1), ("result", 2)):
        broken = s.copy()
        broken[field] = value
        assert check(s, broken) == 16


def test_any_numbers_within_their_bounds_can_be_checked() -> None:
    """Without an index that is out of bounds, or a shift by a negative number."""
    rng = np.random.default_rng(0)
    table = [entry for entry in entries_of(GAME) if entry.low < entry.high]
    positions = [placed(text).s for text in AWAITED.values()]
    refused = 0
    for _ in range(1500):
        states = positions[rng.integers(len(positions))].reshape(1).copy()
        for _ in range(int(rng.geometric(0.3))):
            entry = table[rng.integers(len(table))]
            entry.of(states)[0] = rng.integers(entry.low, entry.high, endpoint=True, dtype=entry.type)
        s = states.view(np.recarray)[0]
        refused += check(s, s) != 0
    assert refused > 500


@pytest.mark.clause("PT-39")
def test_nobody_attacks_in_the_first_round() -> None:
    simulator = Simulator(GAME, 20, {"max_rounds": 1}, seed=4, mode=Mode.PLAIN)
    orders = 0
    for _ in range(40):
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions())
        s = simulator.states
        assert not simulator.mask[:, Act.MELEE : Act.ORDER].any()
        assert not np.isin(s.decision, (Decision.TARGET, Decision.STRIKE)).any()
        assert not s.struck.any()  # nor has anybody swept, which asks for no target
        orders += int(s.played.any(1).sum())
    assert orders > 50


def test_all_are_tried() -> None:
    assert {*BREAKERS.values(), *(number for *_, number in WRONG)} == set(range(1, len(INVARIANTS) + 1))


def test_the_state_is_not_changed() -> None:
    s = Table(POSITION).s
    copy = s.copy()
    check(s, s)
    assert np.array_equal(s, copy)
