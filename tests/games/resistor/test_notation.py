"""Actions and outcomes of chance as text, and the position for a terminal."""

from __future__ import annotations

import re
from itertools import pairwise
from textwrap import dedent

import numpy as np
import pytest

from polytrix.core.compile.substitution import with_tables
from polytrix.core.errors import NotationError
from polytrix.core.state import CHANCE, OVER, Record
from polytrix.games.resistor import redeal, rules
from polytrix.games.resistor.notation import action_name, format_action, format_chance, legal_ids, parse_action
from polytrix.games.resistor.state import ACTIONS, Phase
from polytrix.games.resistor.tables import DIAMOND, ENTRIES
from polytrix.games.resistor.text import text

from .positions import Position
from .random_positions import OPTION_SETS, random_game, random_positions

SEATS = (None, 0, 1)


# -- actions ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda options: "+".join(options) or "base")
def test_round_trip_in_random_games(options: tuple[str, ...]) -> None:
    decisions = [s for s in random_game(100, options) if s.mover >= 0]
    assert len(decisions) > 5
    for s in decisions:
        ids = legal_ids(s)
        names = [format_action(s, action) for action in ids]
        assert [parse_action(s, name) for name in names] == ids
        assert [parse_action(s, f" {' '.join(name.swapcase())}\n") for name in names] == ids


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
     "S3e3+", "S8o1+", "So1+", "S3+", "L0", "R9", "UK", "!12", "12", "=17a"],
)  # fmt: skip
def test_text_that_is_no_action(name: str) -> None:
    with pytest.raises(NotationError, match=r"is no action; write F3, D, .*positions are 1 to 7"):
        parse_action(Position("row 42a+ 44a+ 46a+").state, name)


@pytest.mark.parametrize(
    ("position", "name", "message"),
    [
        ("left FDS", "F4", r"'F4' is illegal here; legal are F1, F2, F3 \(28 actions in all\)"),
        ("left DS", "f1", r"'F1' is illegal here; legal are D, S1o1\+, .*, \.\.\. \(25 actions in all\)"),
        ("left F", "S1o1+", r"legal are F1, F2, F3 \(3 actions in all\)"),
        ("left S", "S4e2-", r"legal are S1o1\+, .*, S1e2-, \.\.\. \(24 actions in all\)"),
        ("left D", "Pa", r"legal are D \(1 actions in all\)"),
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


# -- the position as text -----------------------------------------------------------------

WORKED = "row 42a+ 20b+ 48a-; R 0a 37b; left FDSL; opt lock_down; lock R48; lv 2/3; pile 45 4"
AS_RED = """\
    red MainFrame, DEFCON 2
     1 r00       ^ | ?
     2 r01       v | b00 b11  (blue knows)
     3 r11 b00   v | ?  (red lock)
    blue MainFrame, DEFCON 3
    red hand
     1 * r0* r*0 | ?
     2 -         | ?
    blue hand
     1 r00 r11   | ?
     2 b00 b11   | ?
    deck 41, discards 2, newest * r1* r*0 | r11 b00
    with lock_down
    red turn, left: draw, switch, lock. Red to act"""
AS_BLUE = """\
    blue MainFrame, DEFCON 3
     1 b11 r00     ^ | ?  (red lock)
     2 r01         ^ | b00 b11  (red knows)
     3 r11         v | ?
    red MainFrame, DEFCON 2
    blue hand
     1 b00 b10 r11 | ?
     2 b11 r00 r10 | ?
    red hand
     1 r00 r11     | ?
     2 b11         | ?
    deck 41, discards 2, newest * r1* r*0 | b00 r11
    with lock_down
    red turn, left: draw, switch, lock. Red to act"""
AS_SPECTATOR = """\
    red MainFrame, DEFCON 2
     1 42a+ r00       ^ | r00 b10 b11
     2 20a- r01       v | b00 b11  (red knows, blue knows)
     3 48a- r11 b00   v | r11 b00  (red lock)
    blue MainFrame, DEFCON 3
    red hand
     1 0a   * r0* r*0 | r00 r11
     2 37b  -         | b11
    blue hand
     1 34a  r00 r11   | r11 b00 b10
     2 35a  b00 b11   | r00 r10 b11
    deck 41, discards 2, newest * r1* r*0 | r11 b00
    with lock_down
    red turn, left: draw, switch, lock. Red to act"""


@pytest.mark.clause("RS-01", "RS-04", "RS-12", "RS-24", "RS-62", "RS-64")
@pytest.mark.parametrize(("seat", "expected"), [(0, AS_RED), (1, AS_BLUE), (None, AS_SPECTATOR)])
def test_each_reads_the_position_from_the_own_end(seat: int | None, expected: str) -> None:
    assert text(Position(WORKED).play("F2").state, seat) == dedent(expected)


@pytest.mark.parametrize("seat", SEATS)
def test_an_empty_table(seat: int | None) -> None:
    own, enemy = ("blue", "red") if seat == 1 else ("red", "blue")
    assert text(Position().state, seat).splitlines() == [
        f"{own} MainFrame, DEFCON 1",
        f"{enemy} MainFrame, DEFCON 1",
        *(f"{who} hand" if slot == 0 else f" {slot} --" for who in (own, enemy) for slot in (0, 1, 2)),
        "deck 50, discards 0",
        "The row is laid",
    ]


@pytest.mark.clause("RS-22")
def test_the_drawn_card_is_seen_from_both_sides_by_nobody() -> None:
    table = Position("row 20b+ 44a+ 21a+ 5b+; left DS").play("D[8b]")

    def drawn(seat: int | None) -> str:
        lines = text(table.state, seat).splitlines()
        return " ".join(lines[lines.index("drawn") + 1].split())

    assert drawn(0) == "r00 r01 | ?"
    assert drawn(1) == "* b1* b*1 r0* r*0 | ?"
    assert drawn(None) == "8b r00 r01 | * r0* r*0 b1* b*1"


STORY = [
    ("row 42a+ 20b+ 44a+", "", "red turn, left: flip, draw, switch. Red to act"),
    ("row 42a+ 20b+ 44a+; left DS; turn B", "", "blue turn, left: draw, switch. Blue to act"),
    ("row 20b+ 44a+ 21a+; left D", "D[8b]", "red turn, left: nothing. Red to place the drawn card"),
    ("row 20b+ 44a+ 21a+; left DS", "D[8b] T-", "red turn, left: switch. Blue has to flip a card"),
    ("row 21a+ 0b+ 4b- 2b+ 20b+; left FD", "F3", "red turn, left: draw. Red to pick a Resistor"),
    (
        "row 42a+ 0b- 44a+ 20b+; lv 2/1; opt comeback_circuits",
        "F2",
        "red turn, left: draw, switch. Red may undo the flip",
    ),
    ("row 0b+ 2b- 21a+; left F; lv 1/3", "F3", "Red wins: a hit at DEFCON 4"),
    ("row 48a+ 32a+ 18a-; left F; lv 4/4", "F3", "Drawn game: a hit at DEFCON 4"),
    ("row 42a+ 49b+", "F2", "Red wins: one card left in the row"),
    ("row 20b+ 44a+ 21a+; deck 43; lv 2/1", "D[43a] T-", "Blue wins: the deck is empty"),
]


@pytest.mark.parametrize(("position", "actions", "expected"), STORY)
def test_the_last_line_tells_what_is_going_on(position: str, actions: str, expected: str) -> None:
    assert text(Position(position).play(actions).state, None).splitlines()[-1] == expected


def test_the_last_line_while_chance_is_due() -> None:
    expected = {
        Phase.LAY: "The row is laid",
        Phase.DEAL: "The hands are dealt",
        Phase.TIE: "A tie: new card in the centre",
        Phase.TAKE: r"(red|blue) turn, left: .*\. (Red|Blue) draws",
        Phase.REDRAW: r"(red|blue) turn, left: .*\. A new hand is drawn",
    }
    for s in random_positions():
        if s.mover == CHANCE:
            assert re.fullmatch(expected[int(s.phase)], text(s, 0).splitlines()[-1])


def test_a_game_that_is_cut_off() -> None:
    s = Position("row 42a+ 20b+ 44a+").state
    s.mover, s.truncated = OVER, 1
    assert text(s, 1).splitlines()[-1] == "Truncated, nobody wins"


def test_notes_at_cards() -> None:
    undo = Position("row 42a+ 0b- 44a+ 20b+; lv 2/1; opt comeback_circuits").play("F2")
    assert text(undo.state, 1).splitlines()[3].endswith("(red knows, undo?)")
    undo.advance(parse_action(undo.state, "K"))  # Red has to draw a new hand
    assert undo.state.phase == Phase.REDRAW
    assert text(undo.state, 0).splitlines()[2].endswith("(blue knows, resolving)")


@pytest.mark.clause("RS-62", "RS-63")
def test_text_shows_undersides_to_those_who_know_them_and_ids_to_spectators_alone() -> None:
    unknown = 0
    for s in random_positions():
        for seat in (0, 1):
            shown = text(s, seat)
            places = [place for place in range(12) if s.card[place] >= 0]
            hidden = [place for place in places if not s.known[place] >> seat & 1]
            assert shown.count("| ?") == len(hidden)
            assert shown.count(f"{('red', 'blue')[1 - seat]} knows") == np.sum(s.known >> (1 - seat) & 1)
            assert not re.search(r"\d[ab]\b", shown)
            unknown += len(hidden)
        ids = [int(card) for card in re.findall(r"(\d+)[ab][+-]? ", text(s, None))]
        assert sorted(ids) == sorted(s.card[s.card >= 0])
        assert "?" not in text(s, None).replace("undo?", "")
    assert unknown > 500


@pytest.mark.clause("RS-62", "RS-64")
def test_text_is_the_same_in_all_deals_that_a_seat_cannot_tell_apart() -> None:
    different = 0
    for s in random_positions():
        for seat in (0, 1):
            twin = s.copy()
            redeal.redeal(twin, seat)
            assert text(twin, seat) == text(s, seat)
            different += text(twin, None) != text(s, None)
    assert different > 200


def test_text_changes_nothing_and_works_in_every_phase() -> None:
    phases = set()
    for s in random_positions():
        before = s.tobytes()
        assert [text(s, seat) for seat in SEATS] == [text(s, seat) for seat in SEATS]
        assert s.tobytes() == before
        phases.add(int(s.phase))
    assert phases == set(range(len(Phase)))
    assert phases >= {Phase.TRASH, Phase.FORCED, Phase.UNDO, Phase.RESOLVE, Phase.OVER}


def test_another_deck_is_named_and_shown() -> None:
    s = Position().state
    entries, diamond = np.zeros_like(ENTRIES), DIAMOND.copy()
    entries[..., :3] = 2, 0, 5  # every face has one own line, 1-1
    diamond[0, 1] = 1
    other = with_tables(
        {"text": text, "format_chance": format_chance}, [(ENTRIES, entries), (DIAMOND, diamond)]
    )
    assert (format_chance(s, 0), other["format_chance"](s, 0)) == ("=0b+", "=1b+")
    rules.apply(s, 0)
    assert text(s, 1).splitlines()[1] == " 1 r00 r11 v | ?"
    assert other["text"](s, 1).splitlines()[1] == " 1 b11 v | ?"
