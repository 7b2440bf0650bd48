"""The page agrees with the game."""

from __future__ import annotations

import re

from polytrix.games.estimatrix import GAME
from tests.shared.pages import page_of

from .obvious import Table


def test_the_roles_turn_by_turn() -> None:
    """The table of Kvanter and Negater, compared with the obvious model in games without hits."""
    block = page_of(GAME).split("players  Kvanter")[1].split("```")[0]
    for players in (3, 4, 5, 6):
        numbers = re.search(rf"^{players} +((?:\d ?)+?) *((?:\d ?)+?)(?:, three times)?$", block, re.MULTILINE)
        assert numbers
        found = numbers[0].split(",")[0].split()[1:]
        options = {**GAME.options.defaults, "players": players, "hints": "none"}
        table = Table(options, 0, None)
        kvanters, negaters = [], []
        for _ in range({3: 6, 4: 8, 5: 30, 6: 12}[players]):
            kvanters.append(str(table.turn.kvanter))
            negaters.append(str(table.turn.negater))
            table.play(0)
            while table.turn.dice or table.turn.ban is not None:
                table.play(table.legal()[0] if table.mover == table.turn.kvanter else table.legal()[1])
        repeats = 3 if players == 5 else 1
        assert found == kvanters + negaters[: len(negaters) // repeats]
        assert negaters == negaters[: len(negaters) // repeats] * repeats
