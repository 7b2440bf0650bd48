"""Heuristics and habits: their ratings of legal actions, and what they like best."""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.game import Game
from polytrix.core.state import RecordArray, new_records

from .by_hand import observed


def leftovers(game: Game) -> RecordArray:
    """Scratch states with anything in them."""
    work = new_records(2, game.state)
    work.view(np.uint8)[:] = 1
    return work


def rated(
    game: Game, name: str, observation: np.ndarray, ids: np.ndarray, work: RecordArray | None = None
) -> list[float]:
    """The score of each of these legal actions, by `greedy`, another heuristic or a habit."""
    score = np.full(game.max_legal, 7, np.float32)
    given = observation, ids, len(ids), leftovers(game) if work is None else work, score
    if name == "greedy":
        game.greedy(*given)
    else:
        game.rate((*game.heuristics, *game.habits).index(name), *given)
    return score[: len(ids)].tolist()


def ratings(game: Game, s: Any, name: str = "greedy", work: RecordArray | None = None) -> dict[str, float]:
    """The score of each of the mover's legal actions, by notation."""
    ids = np.array(game.legal_ids(s), np.int16)
    scores = rated(game, name, observed(game, s, int(s.mover)), ids, work)
    return {game.format_action(s, int(i)): score for i, score in zip(ids, scores, strict=True)}


def best(game: Game, s: Any, name: str = "greedy") -> set[str]:
    """The actions that are rated highest."""
    found = ratings(game, s, name)
    return {action for action, score in found.items() if score == max(found.values())}
