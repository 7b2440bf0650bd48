"""What the episodes of a training run have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from polytrix.agents.resolve import PolicySpec
from polytrix.core.catalogue import find
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game

from .episode import MODEL, Episode, Failure
from .prompts import Prompts


class Setup:
    """Games by text that differ by their seeds.

    Args:
        game: the game or its name.
        seats: who plays, as for `Episode`: `"model"`, or an agent. By default, a model in the first seat and
            `greedy` in the others (`random` in a game without it). `["model"] * players` is self-play.
        rotate: move the players round the table from seed to seed, so that each plays every seat equally often.
        options: options of the game; the others keep their defaults.
        prompts, attempts, failure: as for `Episode`.

    Attributes:
        players: number of seats.

    Raises:
        OptionError, PolicyError, ValueError: as `Episode`.
    """

    def __init__(
        self,
        game: Game | str,
        seats: Sequence[PolicySpec] | None = None,
        *,
        rotate: bool = True,
        options: Mapping[str, Any] | None = None,
        prompts: Prompts | None = None,
        attempts: int = 3,
        failure: Failure = "forfeit",
    ) -> None:
        self.game, self.options = find(game).configured(options or {})
        self.players = self.game.num_players(self.options)
        other = "random" if self.game.greedy is None else "greedy"
        self.seats = [MODEL] + [other] * (self.players - 1) if seats is None else list(seats)
        self.rotate = rotate
        self.prompts, self.attempts, self.failure = prompts or Prompts(), attempts, failure
        if len(self.seats) != self.players:
            raise PolicyError(
                f"{len(self.seats)} seats are given; this game of {self.game.name} has {self.players} players"
            )

    @property
    def models(self) -> int:
        """Number of seats of models."""
        return sum(isinstance(seat, str) and seat == MODEL for seat in self.seats)

    def seats_of(self, seed: int) -> list[PolicySpec]:
        """Who plays each seat in the game of a seed."""
        first = -seed % self.players if self.rotate else 0
        return [*self.seats[first:], *self.seats[:first]]

    def episode(self, seed: int) -> Episode:
        """The game of a seed, at the first question to a model."""
        return Episode(
            self.game,
            self.seats_of(seed),
            options=self.options,
            seed=seed,
            prompts=self.prompts,
            attempts=self.attempts,
            failure=self.failure,
        )
