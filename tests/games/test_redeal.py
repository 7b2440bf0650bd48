"""A redeal changes what others hide from a seat, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.game import Game
from polytrix.core.state import Record
from polytrix.games.estimatrix.state import Phase
from tests.every_game import every_game
from tests.games.estimatrix.random_positions import VARIETY
from tests.games.resistor.random_positions import OPTION_SETS

from .samples import random_game

GAMES: dict[str, list[dict[str, Any]]] = {
    "estimatrix": [*VARIETY],
    "pixel_tactics": 6 * [{"best_of": 3, "max_rounds": 8}],
    "pressure_matrix": 6 * [{"players": 4, "max_decisions": 12}],
    "quatrix": [{"max_decisions": 100}],
    "resistor": [dict.fromkeys(flags, True) for flags in OPTION_SETS],
}
"""Options of the games that are looked at."""

HIDDEN = {
    "estimatrix": {"die", "wave", "reading", "echo", "clash"},
    "pixel_tactics": {"hand", "deck", "aside", "top", "leader", "drawn"},
    "pressure_matrix": {"bid"},
    "quatrix": set[str](),
    "resistor": {"card", "side", "deck"},
}
"""Fields that are hidden, at least in part."""


def own(game: Game, s: Record, seat: int) -> list[Any]:
    """What of those a seat knows: its own part; of cards in RESISTOR_ those whose sides it has both seen."""
    if game.name == "estimatrix" and s.phase == Phase.SETUP:
        return []
    if game.name == "resistor":
        return [np.where(s.known >> seat & 1, s[name], -1).tolist() for name in ("card", "side")]
    return [s[name][seat].tolist() for name in sorted(HIDDEN[game.name] - {"drawn", "reading"})]


@pytest.mark.clause("RS-62", "RS-64", "RS-65")
@every_game
def test_what_is_known_stays_at_every_event(game: Game) -> None:
    """From the first chance event to the end."""
    changed: set[str] = set()
    for seed, options in enumerate(GAMES[game.name]):
        for number, s in enumerate(random_game(game, seed, **options)):
            seat = number % int(s.num_players)
            twin = s.copy()
            twin.generator.key += np.uint64(1 << 40)
            game.redeal(twin, seat)
            assert game.check(twin, twin) == 0
            assert own(game, twin, seat) == own(game, s, seat)
            changed |= {name for name in game.state.names or () if twin[name].tobytes() != s[name].tobytes()}
    assert changed - {"generator"} == HIDDEN[game.name]
