"""The shipped deck, the tables that the rules read, errors of deck files, and games with another deck."""

from __future__ import annotations

import copy
import json
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import DataError
from polytrix.games.resistor import GAME
from polytrix.games.resistor.deck import read_deck, shipped_deck
from polytrix.games.resistor.tables import make_tables

from .obvious_row import Face, faces_of, shipped_content
from .positions import Position
from .test_connections import dense_deck

CONTENT = shipped_content()
FACES = faces_of(CONTENT)


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


@pytest.mark.clause("RS-03")
def test_resistors() -> None:
    diamonds = [(card, side) for card in range(50) for side in range(2) if "*" in FACES[card][side]]
    assert diamonds == [(card, 0) for card in (*range(16), 49)]


@pytest.mark.clause("RS-01")
def test_it_is_closed_under_exchange_of_colours() -> None:
    cards = Counter(frozenset(frozenset(face) for face in card) for card in FACES)
    assert cards == Counter(frozenset(frozenset(exchanged(face)) for face in card) for card in FACES)


# -- tables, from the tokens again ----------------------------------------------------------


DECKS = [
    pytest.param(CONTENT, id="shipped"),
    pytest.param(asymmetric_content(), id="asymmetric"),
    pytest.param(dense_deck(7), id="dense"),
]


@pytest.mark.parametrize("content", DECKS)
def test_kinds_of_any_deck(content: dict[str, Any]) -> None:
    """Equal kinds are equal cards; each seat counts a card where the other one counts its exchange."""
    tables, faces = make_tables(read_deck(content)), faces_of(content)
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


def with_face(tokens: Any) -> dict[str, Any]:
    return CONTENT | {"faces": CONTENT["faces"] | {"ST.r": tokens}}


def with_card(card: Any) -> dict[str, Any]:
    return CONTENT | {"cards": [*CONTENT["cards"][:7], card, *CONTENT["cards"][8:]]}


BAD = [
    ([], r"the deck is \[\]; allowed: an object with 'faces'"),
    ({"faces": {}}, "the deck is {'faces': {}}; allowed: an object with 'cards'"),
    (CONTENT | {"faces": []}, r'"faces" is not a JSON object; write \{"name"'),
    (CONTENT | {"cards": [*CONTENT["cards"], ["00", "00"]]}, '"cards" holds 51; .* at most 50'),
    (CONTENT | {"cards": "x" * 50}, '"cards" .* a list of at most 50'),
    (with_face("r00"), r"face 'ST\.r' is 'r00'; expected a list of tokens"),
    (with_face(None), r"face 'ST\.r' is None; expected a list of tokens"),
    (with_face(["r00", "r11", "r00"]), r"face 'ST\.r' has a token twice"),
    (with_face(["r02"]), r"face 'ST\.r' has the token 'r02'; .* such as 'r00'"),
    (with_face(["r0"]), r"face 'ST\.r' has the token 'r0'; .* such as 'r00'"),
    (with_face(["rL0"]), r"face 'ST\.r' has the token 'rL0'; a face without a diamond"),
    (with_face(["rL0", "*"]), r"face 'ST\.r' has the token 'rL0'; .* in front \('\*'\)"),
    (with_face(["r00", "*"]), r"face 'ST\.r' has the token '\*'; .* in front \('\*'\)"),
    (with_face(["*", "r00"]), r"face 'ST\.r' has the token 'r00'; a face with a diamond .* 'rL0'"),
    (with_face(["*", "rM0"]), r"face 'ST\.r' has the token 'rM0'; a face with a diamond .* 'rL0'"),
    (with_card(["ST.r"]), "card 7 has 1 entries; allowed: a list of 2 names of faces"),
    (with_card(["ST.r", "ST.b", "00"]), "card 7 has 3 entries; allowed: a list of 2 names of faces"),
    (with_card(["ST.r", "DD.x"]), r"card 7, side b: no face 'DD\.x' in \"faces\"\. Did you mean 'DD\.\w'"),
    (with_card(["?", "ST.r"]), r"card 7, side a: no face '\?' in \"faces\"\.$"),
    (with_card([None, "ST.r"]), "card 7, side a: no face None"),
    (with_card([["ST.r"], "ST.r"]), r"card 7, side a: .*\['ST\.r'\]"),
    (with_card(["r0", "r1.r"]), "card 7 has a diamond on both sides; one side must do without"),
]


@pytest.mark.parametrize(("content", "message"), BAD, ids=range(len(BAD)))
def test_a_bad_deck_is_refused(content: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        GAME.with_data(deck=content)


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


def test_rules_follow_the_deck(other: Any) -> None:
    """Card 25 has become a Resistor: it is not laid in the opening row and its trash forces a flip."""
    for game, phase in ((GAME, "ACT"), (other, "FORCED")):
        table = Position("row 42a+ 44a+ 20b+; left DS", game=game)
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
