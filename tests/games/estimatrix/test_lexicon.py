"""The shipped lexicon, replacements, and errors in data files."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import DataError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import COUNT, DOMAIN, FACE, SOURCE, WORD, parse_lexicon
from tests.games import planted
from tests.games.by_hand import observed
from tests.shared.pages import page_of, table

SHIPPED = json.loads(SOURCE.read_text(encoding="utf-8"))
changed = partial(planted.changed, SHIPPED)
LABELS = [f"song-{number}" for number in range(48)]


@pytest.mark.clause("ES-08")
def test_properties_of_the_shipped_words() -> None:
    assert (COUNT.sum(axis=0) == 48).all() and (COUNT.sum(axis=1) == 6).all()
    assert (np.sort(FACE, axis=1) == FACE).all()
    most = COUNT.max(axis=1).reshape(6, 8)
    assert (most[:, :2] == 5).all() and (most[:, 2:5] == 3).all() and (most[:, 5:] <= 2).all()
    assert (COUNT == 0).any(axis=1).all()


def test_faces_are_counted() -> None:
    content = changed("domains", 5, "words", 5, "faces", value="WWWWRP")
    for tables in (parse_lexicon(SHIPPED), parse_lexicon(content)):
        counted = [[faces.count(colour) for colour in range(6)] for faces in tables.face.tolist()]
        assert tables.faces.tolist() == counted


def test_the_page_lists_them() -> None:
    rows = {row[0]: row[1] for row in table(GAME, "Words")}
    assert list(rows) == DOMAIN.tolist()
    for number, word in enumerate(WORD):
        faces = "".join(f"{'WYRGBP'[colour]}{count}" for colour, count in enumerate(COUNT[number]) if count)
        assert f"{word} {faces}" in rows[str(DOMAIN[number // 8])].split(", ")
    assert "**Hints are a reconstruction.**" in page_of(GAME)


FIRST = ("domains", 0, "words", 0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "has neither 'domains' nor 'labels'; write"),
        ({"domains": SHIPPED["domains"][:5]}, "domains has 5 entries; allowed: a list of 6 domains"),
        (changed("domains", 2, value=7), r"domains\[2\] is 7; allowed: an object with 'name'"),
        (changed("domains", 2, "name", value="food"), r"domains\[2\].name is 'food', as domains\[0\].name is"),
        (
            changed("domains", 2, "name", value="Tiere"),
            r"domains\[2\].name is 'Tiere'; allowed: 1 to 24 of a-z",
        ),
        (
            changed("domains", 1, "words", value=[]),
            r"domains\[1\].words has 0 entries; allowed: a list of 8",
        ),
        (changed(*FIRST, value="banana"), r"words\[0\] is 'banana'; allowed: an object with 'word'"),
        (changed(*FIRST, value={"word": "x"}), r"words\[0\] is .*; allowed: an object with 'faces'"),
        (
            changed(*FIRST, "word", value="ice cream"),
            r"word is 'ice cream'; allowed: 1 to 24 of a-z, 0-9 and -",
        ),
        (
            changed(*FIRST, "word", value="milk"),
            r"domains\[0\].words\[1\].word is 'milk', as domains\[0\].words\[0\].word is already",
        ),
        (changed(*FIRST, "faces", value="YYYYY"), r"faces is 'YYYYY'; allowed: six letters of WYRGBP"),
        (changed(*FIRST, "faces", value=[1, 1, 1, 1, 1, 3]), r"faces is \[1, 1, .*; allowed: six letters"),
        (changed(*FIRST, "faces", value="WYRGBP"), r"every colour once; .* A word lacks a colour, so that"),
        ({"labels": LABELS[:47]}, "labels has 47 entries; allowed: a list of 48 labels"),
        ({"labels": [*LABELS[:47], "song-3"]}, r"labels\[47\] is 'song-3', as labels\[3\] is already"),
    ],
)
def test_what_is_wrong_is_said(content: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        GAME.with_data(lexicon=content)


def hints(game: Game, mode: str) -> list[str]:
    """The 48 hints in notation."""
    s = Simulator(game, options={"hints": mode}, seed=0, mode=Mode.PLAIN).states[0]
    return [game.format_action(s, 7 + number) for number in range(48)]


@pytest.mark.clause("ES-13")
def test_labels_are_other_names_for_words_and_symbols() -> None:
    assert hints(GAME, "lexicon")[2] == "hint apple" and hints(GAME, "symbols")[17] == "hint s17"
    game = GAME.with_data(lexicon={"labels": LABELS})
    assert hints(game, "lexicon") == hints(game, "symbols") == [f"hint {label}" for label in LABELS]
    one, other = (Simulator(each, seed=3, mode=Mode.PLAIN) for each in (GAME, game))
    assert one.states["reading"].tobytes() == other.states["reading"].tobytes()
    s = other.states[0]
    assert game.parse_action(s, "ban white") == 0
    other.step([0])
    assert game.parse_action(s, "hint song-9") == 16
    other.step([16])
    assert "hints song-9 (" in game.text(s, 0) and ">song-9<" in game.draw(s, 0).svg()
    assert "apple" not in game.text(s, None) and "banana" not in game.draw(s, None).svg()


def test_a_lexicon_of_ones_own(tmp_path: Path) -> None:
    """All faces are red, so all readings are. Labels can be added."""
    words = [{"word": f"w{number}", "faces": "RRRRRR"} for number in range(48)]
    domains = [{"name": f"d{d}", "words": words[8 * d : 8 * d + 8]} for d in range(6)]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"domains": domains}))
    game = GAME.with_data(lexicon=str(path))
    simulator = Simulator(game, 2, {"players": 5}, seed=1, mode=Mode.PLAIN)
    assert (simulator.states["reading"] == 2).all() and not simulator.states["clash"].any()
    assert not simulator.states["echo"].any()  # nothing rare about it
    for _ in range(30):
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions())
        assert all(game.check(s, s) == 0 for s in simulator.states)
    text = game.text(simulator.states[0], 1)
    assert "d3       w24:R" in text and "banana" not in text
    assert "hint w0" in hints(game, "lexicon") and "hint s00" in hints(game, "symbols")
    named = GAME.with_data(lexicon={"domains": domains, "labels": LABELS})
    assert hints(named, "lexicon")[0] == "hint song-0"


def test_the_strongest_evidence_keeps_the_observation_in_bounds() -> None:
    """All seats read every word in its rare colour: the echo of a domain is 40."""
    words = [{"word": f"w{number}", "faces": "RRRRRG"} for number in range(48)]
    domains = [{"name": f"d{d}", "words": words[8 * d : 8 * d + 8]} for d in range(6)]
    game = GAME.with_data(lexicon={"domains": domains})
    simulator = Simulator(game, 1, {"players": 6, "hints": "lexicon"}, seed=1, mode=Mode.PLAIN)
    s = simulator.states[0]
    s.reading[:], s.wave[:], s.known[:] = 3, 0, 4
    s.said[:], s.said_by[:], s.known_ban[:] = 4, 1, 6 * [*7 * [1], 0]  # the last word of a domain is introduced
    for seat in range(6):
        for other in range(6):
            if seat != other:
                s.echo[seat, other], s.clash[seat, other] = 40, 0
    assert game.check(s, s) == 0
    for seat in range(6):
        out = observed(game, s, seat)
        assert (game.observations.low <= out).all() and (out <= game.observations.high).all()
    kvanter = game.observations.view(observed(game, s, int(s.kvanter)))
    assert kvanter["partner_echo"].max() == 127
