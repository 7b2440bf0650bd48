"""Counts of how seats play, for the tests of the games: by `tally`, and slowly from what a log tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from polytrix.agents import resolve
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript, play

Figures = dict[str, list[list[int]]]
"""By name: sum and occasions of each seat."""


class Step(NamedTuple):
    """A decision: the state before it, the action, the state at the next decision, and what a log tells."""

    before: Any
    action: int
    after: Any
    lines: Sequence[str]


class SlowCount:
    """Figures that a test counts one by one."""

    def __init__(self, game: Game, seats: int) -> None:
        self.figures: Figures = {block.name: [[0, 0] for _ in range(seats)] for block in game.behaviour}

    def note(self, name: str, seat: int, value: int) -> None:
        self.figures[name][seat][0] += value
        self.figures[name][seat][1] += 1


def steps(game: Game, transcript: Transcript) -> Iterator[Step]:
    """The decisions of a game, told to somebody who sees all."""
    for (before, after), action in zip(
        pairwise(transcript.positions(Mode.PLAIN)), transcript.actions, strict=True
    ):
        lines = game.tell(before, action, after, None) if game.tell else []
        yield Step(before, action, after, lines)


def games(game: Game, seeds: Sequence[int], **options: Any) -> Iterator[Transcript]:
    """A game of `greedy` and a random player in turn with each seed, and one of `greedy` alone."""
    count = game.num_players(game.options.validate(options))
    greedy, random = resolve("greedy", game), resolve("random", game)
    for number, seed in enumerate(seeds):
        mixed = [greedy if number % 3 == 0 or (seat + number) % 2 else random for seat in range(count)]
        yield play(game, options, seed, mixed)


def counted(transcript: Transcript) -> Figures:
    """What `tally` counts in a game."""
    game = transcript.description()
    counts = transcript.behaviour(Mode.PLAIN)
    return {name: pairs.tolist() for name, pairs in game.behaviour.view(counts).items()}
