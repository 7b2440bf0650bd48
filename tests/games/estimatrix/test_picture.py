"""The picture shows the position."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.picture import HEIGHT, SEAT_HEIGHT, SEAT_WIDTH, WIDTH
from polytrix.games.estimatrix.state import Phase
from tests.games.pictures import count

from .play import go, new_game
from .random_positions import VARIETY, random_states


@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_everything_is_there(number: int) -> None:
    for simulator in random_states(VARIETY[number], 25, seed=60 + number, games=1):
        s = simulator.states[0]
        n = int(s.num_players)
        svg = GAME.draw(s, None).svg()
        assert count(svg, "seat") == n and count(svg, "letter") == 6 * n
        assert count(svg, "held") == n * (7 - n) + 2 * count(svg, "pair")
        assert count(svg, "pair") == s.pair.sum() // 2
        assert count(svg, "kvanter") == count(svg, "negater") == 1
        assert count(svg, "die") == (s.die >= 0).sum() and count(svg, "no-die") == (s.die[:n] < 0).sum()
        assert count(svg, "said") == (s.said > 0).sum()
        assert count(svg, "hint") == count(svg, "bubble") == (s.hint >= 0)
        shown = count(svg, "last")
        assert shown == (n if s.last_kvanter >= 0 and s.phase != 5 else 0)


@pytest.mark.clause("ES-25")
def test_hidden_dice_are_under_cups() -> None:
    states = new_game(players=4, hints="none")
    s = go(states, 0, "ban white", "set red", "set blue")
    seen = {seat: GAME.draw(s, seat).svg() for seat in (0, 1, 2, None)}
    assert [count(svg, "cup") for svg in seen.values()] == [2, 1, 1, 0]
    assert count(seen[1], "red") == 1 and count(seen[1], "blue") == 0 and count(seen[0], "die") == 0


def test_the_viewer_sits_below_and_sees_the_own_readings() -> None:
    states = new_game(players=3)
    go(states, 0)
    while states[0].phase == Phase.SETUP:
        go(states, 1 if states[0].dealt_row in range(48) else 0)
    s = go(states, "ban white", "hint apple")
    svg = GAME.draw(s, 2).svg()
    assert count(svg, "thought") == 1 and count(svg, "reading") == 1 and count(svg, "own") == 48
    assert count(svg, "face") == 6 and count(svg, "evidence") == 2 * 6 and count(svg, "banned-white") == 1
    everything = GAME.draw(s, None).svg()
    assert count(everything, "thought") == 0 and count(everything, "own") == 3 * 48
    below = [re.search(r'y="([\d.]+)"[^>]*class="seat T', picture) for picture in (svg, everything)]
    assert float(below[0][1]) > float(below[1][1])  # type: ignore[index]


def test_what_is_known_of_the_hint() -> None:
    states = new_game(players=3, hints="symbols")
    go(states, 0, "ban white", "hint s05", "set red", "set blue", "set red", "ban white", "hint s05")
    svg = GAME.draw(states[0], 0).svg()
    assert "s05: the dice when it was last the hint" in svg and count(svg, "known") == 3


@pytest.mark.clause("ES-17")
def test_every_symbol_has_its_words() -> None:
    states = new_game(players=3)
    go(states, 0)
    while states[0].phase == Phase.SETUP:
        go(states, 0)
    svg = GAME.draw(go(states, "ban white", "hint apple", "set red"), 2).svg()
    says = dict(re.findall(r'data-place="([^"]*)"[^>]*data-says="([^"]*)"', svg))
    assert says["colour-white"] == "White: banned in this turn." and says["colour-blue"] == "Blue."
    assert says["hint"].startswith("The hint. apple (faces: ")
    lines = says["signs-food"].split("&#10;")
    assert lines[0] == "Echo: signs that a seat reads the words here as you do. Clash: signs that it does not."
    assert "even if that was a guess" in lines[1]
    assert "adds 1 to 5 points to echo" in lines[2] and "one wavelength" in lines[3]
    assert [line[:8] for line in lines[4:]] == ["M: echo ", "A: echo "]
    assert "M needs A, T to win." in says["seat-M"] and "A needs M, T" in svg
    assert "The cup hides the die until all are set." in "".join(says.values())
    assert "the crossed die shows the colour that is banned" in "".join(says.values())
    assert "The Negater has the dark die" in "".join(says.values())


@pytest.mark.parametrize("players", GAME.player_counts)
def test_seats_are_apart_and_beside_the_words(players: int) -> None:
    states = new_game(players=players)
    for picture in (GAME.draw(states[0], 0), GAME.draw_narrow(states[0], 0)):
        found = re.findall(r'x="([-\d.]+)" y="([-\d.]+)"[^>]*class="seat ', picture.svg())
        assert len(found) == players
        corners = [(float(x), float(y)) for x, y in found]
        assert all(0 <= x <= WIDTH - SEAT_WIDTH and 0 <= y <= HEIGHT - SEAT_HEIGHT for x, y in corners)
        for (x, y), (other_x, other_y) in combinations(corners, 2):
            assert abs(x - other_x) >= SEAT_WIDTH or abs(y - other_y) >= SEAT_HEIGHT


@pytest.mark.clause("ES-46")
def test_a_word_tells_the_dice_when_it_was_last_the_hint() -> None:
    states = new_game(players=3, hints="symbols")
    go(states, 0, "ban white", "hint s05", "set red", "set blue", "set red")
    says = re.findall(r'data-place="s05"[^>]*data-says="([^"]*)"', GAME.draw(states[0], 0).svg())
    assert says[0].split("&#10;")[1:] == [
        "Ring: A hinted it last, with a die of red.",
        "All dice then: M red, A red, T blue; white was banned.",
    ]
