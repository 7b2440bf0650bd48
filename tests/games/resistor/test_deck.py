"""The shipped deck, the tables that the rules read, errors of deck files, and games with another deck."""

from __future__ import annotations

import copy
import json
from collections import Counter
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import DataError
from polytrix.core.simulator import Simulator
from polytrix.games.resistor import GAME
from polytrix.games.resistor.deck import read_deck, shipped_deck
from polytrix.games.resistor.tables import Tables, lying, make_tables
from polytrix.testing import check_no_leak, check_random_play
from polytrix.testing.equality import assert_equal, choices, record

from .obvious_row import COLOURS, Face, Place, faces_of, graph_of, lines_of, reached, shipped_content
from .positions import Position
from .test_connections import dense_deck

CONTENT = shipped_content()
NAMES = [tuple(card) for card in CONTENT["cards"]]
FACES = faces_of(CONTENT)

PATTERNS = {
    "ST": ("r00", 3),
    "SB": ("r11", 3),
    "DD": ("r01", 2),
    "DU": ("r10", 2),
    "FO": ("r00 r01", 2),
    "FI": ("r00 r10", 2),
    "PP": ("r00 r11", 6),
    "PD": ("r00 r11 b01", 2),
    "MX": ("r00 b11", 8),
    "CX": ("r01 b10", 3),
    "FOx": ("r00 r01 b11", 3),
    "FIx": ("r00 r10 b11", 3),
    "SC": ("r00 b01", 1),
    "r1": ("* rL0 rR0", 2),
    "r2": ("* rL1 rR0", 1),
    "r3": ("* rL0 bL1 rR0 bR1", 2),
    "r4": ("* rL0 bL1 bR0 rR1", 1),
    "r5": ("* rL0", 1),
    "r6": ("* rR0", 1),
}
"""Faces that come in both colours: the red one, and how often each occurs."""
PLAIN = {"00": ("", 3), "r0": ("*", 1)}


def exchanged(face: Face) -> Face:
    """A face with the colours exchanged."""
    return tuple(token.translate(str.maketrans("rb", "br")) for token in face)


def asymmetric_content() -> dict[str, Any]:
    """A deck of fifty different cards, two of which have no counterpart in the other colour."""
    content = copy.deepcopy(CONTENT)
    content["faces"] |= {"fan": ["r00", "r01", "r10", "b10"], "all": ["*", "rL0", "rL1", "bR0"]}
    content["cards"][24] = ["fan", "ST.r"]
    content["cards"][25] = ["all", "fan"]
    return content


# -- facts about the shipped deck ----------------------------------------------------------


def test_faces_and_their_counts() -> None:
    times = Counter(chain(*NAMES))
    expected = {name: count for name, (_, count) in PLAIN.items()}
    for pattern, (tokens, count) in PATTERNS.items():
        red = tuple(tokens.split())
        assert set(CONTENT["faces"][f"{pattern}.r"]) == set(red)
        assert set(CONTENT["faces"][f"{pattern}.b"]) == set(exchanged(red))
        expected |= {f"{pattern}.r": count, f"{pattern}.b": count}
    for name, (tokens, _) in PLAIN.items():
        assert CONTENT["faces"][name] == tokens.split()
    assert times == expected
    assert sum(expected.values()) == 100


@pytest.mark.clause("RS-03")
def test_resistors() -> None:
    diamonds = [(card, side) for card in range(50) for side in range(2) if "*" in FACES[card][side]]
    assert diamonds == [(card, 0) for card in (*range(16), 49)]


def test_colours_of_the_other_faces() -> None:
    shown = Counter(frozenset(token[0] for token in face) for card in FACES for face in card if "*" not in face)
    assert shown == {frozenset("r"): 20, frozenset("b"): 20, frozenset("rb"): 40, frozenset(): 3}


def test_no_face_has_three_lines_of_a_colour() -> None:
    most = max(sum(token[0] == colour for token in face) for face in chain(*FACES) for colour in COLOURS)
    assert most == 2


def test_closed_under_colour_exchange() -> None:
    for card in range(0, 48, 2):
        assert [set(face) for face in FACES[card + 1]] == [set(exchanged(face)) for face in FACES[card]]
    assert set(FACES[48][0]) == set(exchanged(FACES[48][1]))
    assert all(set(face) == set(exchanged(face)) for face in FACES[49])


def test_equal_cards_and_kinds() -> None:
    """48 kinds in the order of first appearance, and for Blue those of the exchanged cards."""
    equal = [(one, other) for one, other in combinations(range(50), 2) if set(NAMES[one]) == set(NAMES[other])]
    assert equal == [(22, 24), (23, 25)]
    kinds = [*range(24), 22, 23, *range(24, 48)]
    tables = make_tables(shipped_deck())
    assert tables.kind[0].tolist() == kinds
    assert tables.kind[1].tolist() == [kind ^ 1 if kind < 46 else kind for kind in kinds]
    assert tables.kinds.tolist() == [48]


def test_the_shipped_file_is_an_honest_note() -> None:
    assert "reconstruction" in CONTENT["note"]
    assert len(CONTENT["cards"]) == 50


# -- tables, from the tokens again ----------------------------------------------------------


DECKS = [
    pytest.param(CONTENT, id="shipped"),
    pytest.param(asymmetric_content(), id="asymmetric"),
    pytest.param(dense_deck(7), id="dense"),
]
EVERY_WAY = [(card, side, turned) for card in range(50) for side in range(2) for turned in range(2)]


def tables_of(content: dict[str, Any]) -> Tables:
    return make_tables(read_deck(content))


def bit(place: Place) -> int:
    """The bit of a chip of the card at index 0."""
    return 1 << (2 * place[0] + place[1])


@pytest.mark.clause("RS-03", "RS-14", "RS-58")
@pytest.mark.parametrize("content", DECKS)
def test_what_a_side_shows(content: dict[str, Any]) -> None:
    tables, faces = tables_of(content), faces_of(content)
    for card in range(50):
        assert tables.resistor[card] == any("*" in face for face in faces[card])
        for side, face in enumerate(faces[card]):
            assert tables.diamond[card, side] == ("*" in face)
            for number, colour in enumerate(COLOURS):
                shown = any(token[0] == colour for token in face)
                assert tables.colours[card, side] >> number & 1 == shown


@pytest.mark.clause("RS-04", "RS-06", "RS-07")
@pytest.mark.parametrize("content", DECKS)
def test_what_lines_connect(content: dict[str, Any]) -> None:
    tables, faces = tables_of(content), faces_of(content)
    chips = [(junction, chip) for junction in (0, 1) for chip in (0, 1)]
    for card, side, turned in EVERY_WAY:
        for number, colour in enumerate(COLOURS):
            graph = graph_of([(faces[card][side], bool(turned))], colour)
            touched = {place for place in graph.neighbours if place[1] != "*"}
            assert tables.touched[card, side, turned, number] == sum(map(bit, touched))
            for subset in range(16):
                found = reached(graph, [place for place in chips if subset & bit(place)])
                expected = sum(bit(place) for place in found if place[1] != "*")
                assert tables.linked[card, side, turned, number, subset] == expected


@pytest.mark.clause("RS-01", "RS-04", "RS-21")
@pytest.mark.parametrize("content", DECKS)
def test_what_each_seat_reads(content: dict[str, Any]) -> None:
    """Blue's reading is the row turned round: near and far, chips and orientation are exchanged."""
    tables, faces = tables_of(content), faces_of(content)
    for seat in (0, 1):
        for card, side, turned in EVERY_WAY:
            face = faces[card][side]
            expected = {0, 1} if "*" in face else {0}
            for colour in COLOURS:
                enemy = COLOURS.index(colour) != seat
                for one, other in lines_of(face, bool(turned), 0, colour):
                    ends = sorted(
                        place if seat == 0 else round_table(place) for place in (one, other) if place[1] != "*"
                    )
                    if len(ends) == 2:
                        (_, near), (_, far) = ends
                        expected.add(2 + 4 * enemy + 2 * near + far)
                    else:
                        ((end, chip),) = ends
                        expected.add(10 + 4 * enemy + 2 * end + chip)
            entries = tables.entries[seat, lying(card, side, turned ^ seat)]
            assert np.flatnonzero(entries).tolist() == sorted(expected)
            assert entries.max() == 1
    assert not tables.entries[:, : lying(0, 0, 0)].any()


def round_table(place: Place) -> Place:
    """A chip of the card at index 0 as Blue reads it."""
    return 1 - place[0], 1 - place[1]


@pytest.mark.clause("RS-62")
@pytest.mark.parametrize("content", DECKS)
def test_equal_faces_have_equal_numbers(content: dict[str, Any]) -> None:
    tables, faces = tables_of(content), faces_of(content)
    sides = [(card, side) for card in range(50) for side in range(2)]
    for card, side in sides:
        alike = [2 * c + b for c, b in sides if set(faces[c][b]) == set(faces[card][side])]
        count, *listed = tables.faces[tables.face[card, side]].tolist()
        assert listed[:count] == alike


@pytest.mark.parametrize("content", DECKS)
def test_kinds_of_any_deck(content: dict[str, Any]) -> None:
    """Equal kinds are equal cards; each seat counts a card where the other one counts its exchange."""
    tables, faces = tables_of(content), faces_of(content)
    cards = [frozenset(frozenset(face) for face in card) for card in faces]
    mirrored = [frozenset(frozenset(exchanged(face)) for face in card) for card in faces]
    red, blue = tables.kind.tolist()
    for one, other in combinations(range(50), 2):
        assert (red[one] == red[other]) == (cards[one] == cards[other])
    for one in range(50):
        for other in range(50):
            assert (blue[one] == red[other]) == (mirrored[one] == cards[other])
    assert set(red) | set(blue) == set(range(int(tables.kinds[0])))
    assert len(set(cards) | set(mirrored)) == tables.kinds[0]


# -- errors of deck files ---------------------------------------------------------------------


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in CONTENT.items() if name != key}


def with_face(tokens: Any) -> dict[str, Any]:
    return CONTENT | {"faces": CONTENT["faces"] | {"ST.r": tokens}}


def with_card(card: Any) -> dict[str, Any]:
    return CONTENT | {"cards": [*CONTENT["cards"][:7], card, *CONTENT["cards"][8:]]}


BAD = [
    ([], r'expected a JSON object with "faces" and "cards"'),
    (without("cards"), r'expected a JSON object with "faces" and "cards"'),
    (without("faces"), r'expected a JSON object with "faces" and "cards"'),
    (CONTENT | {"faces": []}, r'"faces" is no JSON object; write \{"name"'),
    (CONTENT | {"cards": [*CONTENT["cards"], ["00", "00"]]}, '"cards" holds 51; .* at most 50'),
    (CONTENT | {"cards": "x" * 50}, '"cards" .* a list of at most 50'),
    (CONTENT | {"cards": {}}, '"cards" .* a list of at most 50'),
    (CONTENT | {"cards": None}, '"cards" .* a list of at most 50'),
    (with_face("r00"), r"face 'ST\.r' is 'r00'; expected a list of tokens"),
    (with_face([0]), r"face 'ST\.r' is \[0\]; expected a list of tokens"),
    (with_face(None), r"face 'ST\.r' is None; expected a list of tokens"),
    (with_face(["r00", "r11", "r00"]), r"face 'ST\.r' has a token twice"),
    (with_face(["*", "*"]), r"face 'ST\.r' has a token twice"),
    (with_face(["r02"]), r"face 'ST\.r' has the token 'r02'; .* such as 'r00'"),
    (with_face(["g00"]), r"face 'ST\.r' has the token 'g00'; .* such as 'r00'"),
    (with_face(["r0"]), r"face 'ST\.r' has the token 'r0'; .* such as 'r00'"),
    (with_face(["r000"]), r"face 'ST\.r' has the token 'r000'; .* such as 'r00'"),
    (with_face(["rL0"]), r"face 'ST\.r' has the token 'rL0'; a face without a diamond"),
    (with_face(["rL0", "*"]), r"face 'ST\.r' has the token 'rL0'; .* in front \('\*'\)"),
    (with_face(["r00", "*"]), r"face 'ST\.r' has the token '\*'; .* in front \('\*'\)"),
    (with_face(["*", "r00"]), r"face 'ST\.r' has the token 'r00'; a face with a diamond .* 'rL0'"),
    (with_face(["*", "rM0"]), r"face 'ST\.r' has the token 'rM0'; a face with a diamond .* 'rL0'"),
    (with_card("ST.r"), r"card 7 is 'ST\.r'; expected \[side a, side b\]"),
    (with_card(["ST.r"]), r"card 7 is \['ST\.r'\]; expected \[side a, side b\]"),
    (with_card(["ST.r", "ST.b", "00"]), r"card 7 is .*; expected \[side a, side b\]"),
    (with_card(["ST.r", "DD.x"]), r"card 7, side b: no face 'DD\.x' in \"faces\"; did you mean 'DD\.\w'"),
    (with_card(["?", "ST.r"]), r"card 7, side a: no face '\?' in \"faces\"$"),
    (with_card([None, "ST.r"]), "card 7, side a: no face None"),
    (with_card([["ST.r"], "ST.r"]), r"card 7, side a: .*\['ST\.r'\]"),
    (with_card(["ST.r", {}]), r"card 7, side b: .*\{\}"),
    (with_card(["r0", "r1.r"]), "card 7 has a diamond on both sides; one side must do without"),
]


@pytest.mark.parametrize(("content", "message"), BAD, ids=range(len(BAD)))
def test_a_bad_deck_is_refused(content: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_deck(content)


def test_a_bad_deck_makes_no_game(tmp_path: Path) -> None:
    bad = with_card(["r0", "r1.r"])
    with pytest.raises(DataError, match="card 7 has a diamond on both sides"):
        GAME.with_data(deck=bad)
    (tmp_path / "mine.json").write_text(json.dumps(bad))
    with pytest.raises(DataError, match=r"mine\.json.*card 7 has a diamond on both sides"):
        GAME.with_data(deck=tmp_path / "mine.json")


def test_more_faces_and_notes_do_no_harm() -> None:
    more = CONTENT | {"author": "me", "faces": CONTENT["faces"] | {"unused": ["r10"]}}
    assert read_deck(more) == shipped_deck()


def test_the_order_of_tokens_does_not_matter() -> None:
    turned = CONTENT | {
        "faces": {name: tokens[:1] + tokens[:0:-1] for name, tokens in CONTENT["faces"].items()}
    }
    assert turned["faces"] != CONTENT["faces"]
    assert read_deck(turned) == shipped_deck()


# -- games with another deck ------------------------------------------------------------------


@pytest.fixture(scope="module")
def other() -> Any:
    """The game with a deck of 52 kinds, which is not closed under colour exchange."""
    return GAME.with_data(deck=asymmetric_content())


def test_the_observation_grows_with_the_kinds(other: Any) -> None:
    shipped = {block.name: block for block in GAME.observations}
    grown = {block.name: block for block in other.observations}
    assert list(grown) == list(shipped) and list(grown)[-1] == "options"
    assert (GAME.observations.size, other.observations.size) == (758, 762)
    assert (shipped["discards"].shape, grown["discards"].shape) == ((48,), (52,))
    assert (shipped["discards"].high, grown["discards"].high) == (2, 1)
    for name in list(shipped)[:-1]:
        assert other.observations.offset(name) == GAME.observations.offset(name)


def test_discards_and_options_in_the_grown_observation(other: Any) -> None:
    """Blue counts a card where Red would count it with the colours exchanged."""
    text = "row 42a+ 44a+ 20b+; pile 24 2 49; opt recycling_subsystems lock_down"
    table = Position(text, Mode.PLAIN, other)
    red, blue = (other.observations.view(table.observation(seat)) for seat in (0, 1))
    assert np.flatnonzero(red["discards"]).tolist() == [2, 24, 49]
    assert np.flatnonzero(blue["discards"]).tolist() == [3, 49, 50]  # 50: no card of the deck
    for seen in (red, blue):
        assert seen["options"].tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.COMPILED], ids=lambda mode: mode.value)
def test_rules_follow_the_deck(other: Any, mode: Mode) -> None:
    """Card 25 has become a Resistor: it is not laid in the opening row and its trash forces a flip."""
    for game, phase in ((GAME, "ACT"), (other, "FORCED")):
        table = Position("row 42a+ 44a+ 20b+; left DS", mode, game)
        table.play("D[25b] T-")
        assert table.fact("phase") == phase
    fresh = Position().state
    assert (GAME.chance(fresh), other.chance(fresh)) == (166, 164)


def test_lines_follow_the_deck() -> None:
    """The same row is worth two points where a face has both tracks, and one to Blue with colours exchanged."""
    parallel = with_face(["r00", "r11"])
    swapped = CONTENT | {"faces": {name: exchanged(face) for name, face in CONTENT["faces"].items()}}
    for deck, levels in ((CONTENT, "1/2"), (parallel, "1/3"), (json.loads(json.dumps(swapped)), "2/1")):
        table = Position("row 42a+ 44a+ 46a+; left D", game=GAME.with_data(deck=deck))
        table.play("D[47a] T-")
        assert table.fact("lv") == levels


def test_the_shipped_deck_is_the_shipped_game() -> None:
    assert GAME.with_data(deck=CONTENT) is GAME


@pytest.mark.slow
def test_nothing_leaks_with_another_deck(other: Any) -> None:
    assert check_no_leak(other, {"recycling_subsystems": True, "lock_down": True}, decisions=80) > 0


@pytest.mark.slow
def test_random_play_with_another_deck(other: Any) -> None:
    options = {option.name: True for option in GAME.options if option.name != "max_decisions"}
    report = check_random_play(other, options, decisions=5000, mode=Mode.CHECKED)
    assert report.terminated > 20


def test_all_modes_agree_with_another_deck(other: Any) -> None:
    runs = [
        record(Simulator(other, 2, seed=3, mode=mode), choices(3, 2, 60))
        for mode in (Mode.COMPILED, Mode.PLAIN)
    ]
    assert_equal(other, *runs, "compiled and plain")
