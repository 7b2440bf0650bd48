"""One game in the terminal, in plain Python, with every event in notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import typer

from polytrix.agents.policy import Policy, ask
from polytrix.api.shared.arguments import whole_number
from polytrix.core.calls import check_seed, shown
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.errors import GameOverError, IllegalActionError
from polytrix.core.game import Game
from polytrix.core.options import Value
from polytrix.core.plain_records import as_compiled, plain_records
from polytrix.core.random import draw, reseed
from polytrix.core.state import CHANCE, OVER, Record
from polytrix.core.transcript import Transcript

from .known import events, may_know, notation

HIDDEN = "(hidden)"

MOST_TOLD = 40
"""An opening with more events is not listed for a player, who sees the position anyway."""

Event: TypeAlias = "tuple[Record, int]"
"""The state before an event, and an action or chance outcome."""


@dataclass(frozen=True)
class Turn:
    """The events between two decisions, in notation."""

    seat: str
    move: str
    chance: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.seat}: {self.move}" + ("   " + " ".join(self.chance) if self.chance else "")


class Session:
    """The game of a seed, move by move; the same game as in a `Simulator` with that seed.

    Rules run as plain Python, which for one game is faster than compiling them.

    Args:
        game: the game.
        options: values of all its options.
        seed: random seed of the game and of the policies' choices.
        viewer: the seat whose information limits what is shown; None sees everything.

    Attributes:
        seats: names of the seats that take part.
        opening: chance outcomes before the first decision, in notation.
    """

    def __init__(self, game: Game, options: Mapping[str, Value], seed: int, viewer: int | None = None) -> None:
        self.game = game
        self.options = dict(options)
        self.seed = check_seed(seed)
        self.viewer = viewer
        self.seats = game.seats[: game.num_players(options)]
        self.actions: list[int] = []
        self._run = programs(game, Mode.PLAIN)
        self._rng = np.random.default_rng(seed)
        self._states = plain_records(1, game.state)
        game.write_options(self._states, options)
        s = self.state
        reseed(s.generator, np.uint64(self.seed))
        s.mover = CHANCE
        game.setup(s)
        happened = self._settle()
        if viewer is not None and len(happened) > MOST_TOLD:
            self.opening: tuple[str, ...] = (f"({len(happened)} events)",)
        else:
            self.opening = self._told(happened)

    @property
    def state(self) -> Record:
        record: Record = self._states[0]
        return record

    @property
    def over(self) -> bool:
        return bool(self.state.mover == OVER)

    def seat_name(self) -> str:
        """Name of the seat to move."""
        return self.game.seats[int(self.state.mover)]

    def text(self) -> str:
        """The position as the viewer sees it."""
        return self.game.text(self.state, self.viewer)

    def legal(self) -> list[int]:
        """The mover's legal actions."""
        return events(self.game, self.state)

    def play(self, action: int) -> Turn:
        """Apply a legal action and the chance outcomes after it.

        Raises:
            GameOverError, IllegalActionError: nothing has changed.
        """
        if self.over:
            raise GameOverError("the game is over; begin another one")
        if whole_number(action) not in self.legal():
            raise IllegalActionError(f"action {shown(action)} is illegal here; see legal()")
        seat = self.seat_name()
        move, *chance = self._told([self._happen(action), *self._settle()])
        self.actions.append(action)
        return Turn(seat, move, tuple(chance))

    def choose(self, policy: Policy) -> int:
        """A policy's action for the mover, from what that seat sees only.

        For a policy with a memory (see `begin_games`), this is game 0.
        """
        game = self.game
        observation = np.zeros((1, game.observations.size), np.int8)
        mask = np.zeros((1, game.actions.size), np.int8)
        ids = np.zeros(game.max_legal, np.int16)
        seats = np.array([self.state.mover], np.int64)
        rows = np.zeros(1, np.int64)
        self._run.view(self._states, rows, seats, observation, mask, ids)
        return int(ask(policy, observation, mask, self._rng, self._states, rows=rows, seats=seats)[0])

    def payoffs(self) -> str:
        """The payoffs as text; the game must be over."""
        numbers = np.zeros(self.game.max_players, np.float32)
        self.game.payoff(self.state, numbers)
        shown = ", ".join(f"{seat} {x:+g}" for seat, x in zip(self.seats, numbers, strict=False))
        cut_off = f" (cut off after {int(self.state.decisions)} decisions)" if self.state.truncated else ""
        return f"payoffs: {shown}{cut_off}"

    def save(self, path: Path) -> None:
        """Write a transcript of the game so far."""
        game = self.game
        transcript = Transcript(game.id, self.options, self.seed, tuple(self.actions), game.replaced)
        path.write_text(transcript.to_text(Mode.PLAIN), encoding="utf-8")
        typer.echo(f"saved {len(self.actions)} decisions: {path}")

    def _settle(self) -> list[Event]:
        """Draw and apply all pending chance events."""
        happened = []
        while self.state.mover == CHANCE:
            outcome = int(draw(self.state.generator, self.game.chance(self.state)))
            happened.append(self._happen(outcome))
        return happened

    def _happen(self, number: int) -> Event:
        """Apply one action or chance outcome."""
        event = (self.state.copy(), number)
        self._run.advance(self._states, np.array([number]))
        return event

    def _told(self, happened: list[Event]) -> tuple[str, ...]:
        """Events up to a decision, in notation, with those hidden from the viewer replaced by HIDDEN."""
        numbers = [number for _, number in happened]
        return tuple(
            notation(self.game, s, number) if may_know(self.game, s, numbers[i:], self.viewer) else HIDDEN
            for i, (s, number) in enumerate(happened)
        )
