"""Actions and outcomes of chance as text."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from polytrix.core.errors import NotationError
from polytrix.core.state import CHANCE, Record
from polytrix.games.resistor import rules
from polytrix.games.resistor.notation import action_name, format_action, format_chance, legal_ids, parse_action
from polytrix.games.resistor.state import ACTIONS, Phase

from .positions import Position
from .random_positions import OPTION_SETS, random_game

# -- actions ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda options: "+".join(options) or "base")
def test_round_trip_in_random_games(options: tuple[str, ...]) -> None:
    decisions = [s for s in random_game(100, options) if s.mover >= 0]
    assert len(decisions) > 5
    for s in decisions:
        ids = legal_ids(s)
        names = [format_action(s, action) for action in ids]
        assert [parse_action(s, name) for name in names] == ids


def test_every_action_has_its_own_name() -> None:
    """One form of the grammar and back, whatever is legal."""
    grammar = re.compile("F[1-7]|D|P[ab]|T([oe][12]|-)|S[1-7][oe][12][+-]|[LR][1-7]|U|K")
    names = [action_name(action) for action in range(ACTIONS.size)]
    assert len(set(names)) == 87
    assert all(grammar.fullmatch(name) for name in names)


@pytest.mark.clause("RS-16", "RS-23", "RS-28", "RS-52", "RS-57", "RS-58")
@pytest.mark.parametrize(
    ("action", "name"),
    [
        (0, "F1"), (6, "F7"), (7, "D"), (8, "Pa"), (9, "Pb"),
        (10, "To1"), (11, "To2"), (12, "Te1"), (13, "Te2"), (14, "T-"),
        (15, "S1o1+"), (16, "S1o1-"), (17, "S1o2+"), (19, "S1e1+"), (23, "S2o1+"), (70, "S7e2-"),
        (71, "L1"), (77, "L7"), (78, "R1"), (84, "R7"), (85, "U"), (86, "K"),
    ],
)  # fmt: skip
def test_names_of_actions(action: int, name: str) -> None:
    assert format_action(Position("row 42a+ 44a+ 46a+").state, action) == name


def test_a_number_that_is_no_action() -> None:
    with pytest.raises(IndexError, match=r"87 is not in 0\.\.86"):
        format_action(Position().state, 87)


@pytest.mark.parametrize(
    "name",
    ["", "hello", "F", "F0", "F8", "F12", "F1+", "D1", "Pc", "P", "T", "To", "To3", "Tx1", "T+", "S3e2",
     "S3e3+", "S8o1+", "So1+", "S3+", "L0", "R9", "UK", "!12", "12", "=17a", "f1", "F 1"],
)  # fmt: skip
def test_text_that_is_no_action(name: str) -> None:
    with pytest.raises(NotationError, match=r"is no action; write F3, D, .*positions are 1 to 7"):
        parse_action(Position("row 42a+ 44a+ 46a+").state, name)


@pytest.mark.parametrize(
    ("position", "name", "message"),
    [
        ("left FDS", "F4", r"'F4' is illegal here; legal are F1, F2, F3, D, .*, \.\.\. \(28 in all\)"),
        ("left DS", "F1", r"'F1' is illegal here; legal are D, S1o1\+, .*, \.\.\. \(25 in all\)"),
        ("left F", "S1o1+", r"legal are F1, F2, F3 \(3 in all\)"),
        ("left S", "S4e2-", r"legal are S1o1\+, .*, S1e2-, \.\.\. \(24 in all\)"),
        ("left D", "Pa", r"legal are D \(1 in all\)"),
        ("left D", "To1", "is illegal here"),
        ("left FDSL; opt lock_down", "L1", "is illegal here"),  # one colour only
    ],
)
def test_actions_that_are_illegal_here(position: str, name: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_action(Position(f"row 42a+ 44a+ 46a+; {position}").state, name)


def test_nothing_is_legal_while_chance_is_due_or_after_the_end() -> None:
    over = Position("row 42a+ 49b+").play("F2")
    for s in (Position().state, over.state):
        assert legal_ids(s) == []
        with pytest.raises(NotationError, match="no seat is to move"):
            parse_action(s, "F1")


# -- chance -------------------------------------------------------------------------------


@pytest.mark.clause("RS-09", "RS-10")
@pytest.mark.parametrize(
    ("outcome", "name"), [(0, "=0b+"), (1, "=0b-"), (32, "=16a+"), (35, "=16b-"), (165, "=49b-")]
)
def test_the_first_card_of_the_row(outcome: int, name: str) -> None:
    s = Position().state
    assert rules.chance(s) == 166
    assert format_chance(s, outcome) == name
    rules.apply(s, outcome)
    assert "=" + "".join((str(s.card[0]), "ab"[s.side[0]], "+-"[s.turned[0]])) == name


@pytest.mark.clause("RS-11", "RS-12")
def test_the_first_card_of_a_hand() -> None:
    s = Position().state
    for _ in range(7):
        rules.apply(s, 165 - 4 * int(s.length))
    assert s.phase == Phase.DEAL
    assert [format_chance(s, outcome) for outcome in (0, 1, 2, rules.chance(s) - 1)] == [
        "=0a",
        "=0b",
        "=1a",
        "=42b",
    ]


def test_outcomes_of_every_sort_are_called_by_what_they_do() -> None:
    """A name says which card comes, and how it lies; no two outcomes share one."""
    seen = set()
    games = [
        random_game(seed, options) for seed, options in ((0, ()), (6, OPTION_SETS[6]), (11, OPTION_SETS[4]))
    ]
    for s, after in (pair for game in games for pair in pairwise(game) if pair[0].mover == CHANCE):
        names = [format_chance(s, outcome) for outcome in range(rules.chance(s))]
        assert len(set(names)) == len(names)
        card = (int(s.deck) ^ int(after.deck)).bit_length() - 1
        if card in after.card:  # and not discarded at once, in a tie that goes on
            assert as_it_lies(after, card, in_row=s.phase in (Phase.LAY, Phase.TIE)) in names
        with pytest.raises(IndexError):
            format_chance(s, len(names))
        seen.add(int(s.phase))
    assert seen == {Phase.LAY, Phase.DEAL, Phase.TIE, Phase.TAKE, Phase.REDRAW}


def as_it_lies(s: Record, card: int, in_row: bool) -> str:
    """The name of the outcome that laid a card as it lies now."""
    place = s.card.tolist().index(card)
    return f"={card}{'ab'[s.side[place]]}" + ("+-"[s.turned[place]] if in_row else "")
