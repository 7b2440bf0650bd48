"""Plays the games of a data set again, many at once, and notes what was seen and done at each decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.arena.records import RecordsError
from polytrix.core.errors import GameOverError, IllegalActionError
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, FloatArray, IntArray

from .games import Dataset

GAMES_AT_ONCE, DECISIONS_AT_ONCE = 128, 1 << 16
"""The most games that are played side by side, and of several ones the most decisions."""


class Expanded(NamedTuple):
    """What was seen and done in G games with P seats, at n decisions: game after game, in the order of play.

    Args:
        game: (n,) int32, which of these games, 0 to G - 1.
        seat: (n,) int8, who decided.
        observation: (n, O) int8, what it saw.
        action_mask: (n, A) int8, 1 where an action was legal.
        action: (n,) int16, what it did.
        number: (G,) int32, which game of the data set.
        payoffs: (G, P) float32.
        truncated: (G,) bool, whether a limit ended the game.
        final_observation: (G, P, O) int8, what each seat sees at the end.
    """

    game: npt.NDArray[np.int32]
    seat: npt.NDArray[np.int8]
    observation: ByteArray
    action_mask: ByteArray
    action: npt.NDArray[np.int16]
    number: npt.NDArray[np.int32]
    payoffs: FloatArray
    truncated: npt.NDArray[np.bool_]
    final_observation: ByteArray


def empty(dataset: Dataset, games: int, decisions: int) -> Expanded:
    """Arrays for so many games and decisions, not filled."""
    observations, actions, players = dataset.game.observations.size, dataset.game.actions.size, dataset.players
    return Expanded(
        np.empty(decisions, np.int32),
        np.empty(decisions, np.int8),
        np.empty((decisions, observations), np.int8),
        np.empty((decisions, actions), np.int8),
        np.empty(decisions, np.int16),
        np.empty(games, np.int32),
        np.empty((games, players), np.float32),
        np.empty(games, np.bool_),
        np.empty((games, players, observations), np.int8),
    )


def expand(dataset: Dataset, numbers: Iterable[int] | None = None) -> Iterator[Expanded]:
    """Play games again, and yield what was seen and done in some of them at a time.

    Args:
        dataset: the games.
        numbers: those of the games; None for all.

    Raises:
        RecordsError: moves that are illegal, or do not lead to the payoffs in the file.
    """
    sim = Simulator(dataset.game, GAMES_AT_ONCE, dataset.options, seed=0)
    part, decisions = list[int](), 0
    for number in range(len(dataset.games)) if numbers is None else numbers:
        length = len(dataset.games[number].actions)
        if part and (len(part) == GAMES_AT_ONCE or decisions + length > DECISIONS_AT_ONCE):
            yield play_again(dataset, sim, part)
            part, decisions = [], 0
        part.append(number)
        decisions += length
    if part:
        yield play_again(dataset, sim, part)


def play_again(dataset: Dataset, sim: Simulator, numbers: list[int]) -> Expanded:
    """Play games again, in the first rows of a simulator; see `expand`."""
    games = [dataset.games[number] for number in numbers]
    lengths = np.array([len(game.actions) for game in games])
    out = empty(dataset, len(games), int(lengths.sum()))
    out.number[:] = numbers
    out.game[:] = np.repeat(np.arange(len(games)), lengths)
    np.concatenate([game.actions for game in games], out=out.action)
    by_length = np.argsort(-lengths, kind="stable")  # those that go on are in the first rows
    rows, left, begins = np.arange(len(games)), lengths[by_length], (np.cumsum(lengths) - lengths)[by_length]
    sim.seed([games[number].seed for number in by_length], rows)
    for step in range(left[0]):
        count = int(np.searchsorted(-left, -step))
        now: IntArray = begins[:count] + step
        out.seat[now] = sim.mover[:count]
        out.observation[now] = sim.observation[:count]
        out.action_mask[now] = sim.mask[:count]
        try:
            sim.step(out.action[now], rows[:count])
        except (IllegalActionError, GameOverError) as error:
            raise RecordsError(f"{dataset.path}: a game does not replay, at decision {step}: {error}") from None
    out.payoffs[by_length] = sim.reward[rows, : dataset.players]
    out.truncated[by_length] = sim.truncated[rows]
    for seat in range(dataset.players):
        out.final_observation[by_length, seat] = sim.view(seat, rows)[0]
    ended = sim.over[rows][np.argsort(by_length)] & (out.payoffs == [game.payoffs for game in games]).all(1)
    if not ended.all():
        number = numbers[int(ended.argmin())]
        raise RecordsError(f"{dataset.path}: the moves of game {number} do not lead to its payoffs")
    return out
