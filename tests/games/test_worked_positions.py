"""The worked positions of every game, and others for single clauses, in plain Python and compiled.

And positions with what players are told, heuristics like best, and breaks invariants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from polytrix.core.compile.compiler import Mode
from tests.games.estimatrix import positions as estimatrix
from tests.games.pixel_tactics import positions as pixel_tactics
from tests.games.pressure_matrix import positions as pressure_matrix
from tests.games.quatrix import positions as quatrix
from tests.games.resistor import positions as resistor

GAMES = (estimatrix, pixel_tactics, pressure_matrix, quatrix, resistor)


def cases() -> Iterator[Any]:
    """A block in a mode as parameters of a test, which cites its clauses.

    Pressure Matrix compiled is slow, as its positions have tiles of their own, for which programs are compiled;
    `test_the_same_game_however_it_is_run` compares plain Python with machine code.
    """
    for game in GAMES:
        for name, clauses, lines in game.POSITIONS:
            for mode in (Mode.PLAIN, Mode.COMPILED):
                marks = [pytest.mark.clause(*clauses)]
                if game is pressure_matrix and mode == Mode.COMPILED:
                    marks.append(pytest.mark.slow)
                yield pytest.param(
                    game.run, lines, mode, id=f"{game.__name__.split('.')[-2]}-{name}-{mode.value}", marks=marks
                )


def cases_in_python() -> Iterator[Any]:
    """The other blocks as parameters of a test, which cites their clauses."""
    for game in GAMES:
        for name, clauses, lines in game.IN_PYTHON:
            marks = pytest.mark.clause(*clauses)
            yield pytest.param(game.run, lines, id=f"{game.__name__.split('.')[-2]}-{name}", marks=marks)


@pytest.mark.parametrize(("run", "lines", "mode"), list(cases()))
def test_worked_position(run: Callable[[list[str], Mode], None], lines: list[str], mode: Mode) -> None:
    run(lines, mode)


@pytest.mark.parametrize(("run", "lines"), list(cases_in_python()))
def test_position_in_plain_python(run: Callable[[list[str], Mode], None], lines: list[str]) -> None:
    run(lines, Mode.PLAIN)


@pytest.mark.parametrize(
    ("game", "lines", "message"),
    [
        (estimatrix, ["n=4 pairs=02", "= pairs 03"], "pairs 03: it is 02"),
        (estimatrix, ["n=4 K=0 N=1", "> ban red; hint milk; set white = unseen 0 by 0,1"], "unseen"),
        (
            pixel_tactics,
            ["R2 V / 0: L=Berserker / 1: L=Oracle", "= 1.L=Oracle*1"],
            "1.L is Oracle, not Oracle\\*1",
        ),
        (pixel_tactics, ["R2 V / 0: L=Berserker / 1: L=Oracle", "? only draw: -"], "legal are \\['draw'\\]"),
        (pixel_tactics, ["R2 V / 0: L=Berserker / 1: L=Oracle", "? 1 draw"], "the mover is 0"),
        (pixel_tactics, ["R2 V / 0: L=Berserker / 1: L=Oracle", "> melee L"], "'melee L' is not among"),
        (pixel_tactics, ["R2 V / 0: L=Berserker / 1: L=Oracle", "~ Witch"], "no chance event"),
        (pixel_tactics, ["R2 V / 0: L=Berserker / 1: L=Oracle", "= 0.hand=Witch"], "0.hand is set"),
        (pressure_matrix, ["n=2 runners=a1,c3", "= credits 10,9"], "credits 10,9"),
        (quatrix, ["start", "board red:Rd1"], "board red:Rd1"),
        (quatrix, ["start", "roll red 2-1", "task go 2 squares"], "it is go 2 or 1 squares"),
        (quatrix, ["start", "roll red 2-1", "breaks dice=7: seven rings"], "it is .*the dice show"),
        (pixel_tactics, ["R2 V / 0: L=Knight hand=- / 1: L=Healer", "likes greedy: pass"], "greedy likes draw"),
        (resistor, ["pos row 42a+ 44a-", "is lv 1/1; left FDS", "is lv 1/2"], "is lv 1/2"),
    ],
)
def test_a_wrong_line_is_noticed(game: ModuleType, lines: list[str], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        game.run(lines, Mode.PLAIN)
