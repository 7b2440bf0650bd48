"""One game, in plain Python, with every event in notation as far as a viewer may know it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from polytrix.agents import NetworkPolicy
from polytrix.agents.policy import Policy, ask, begin_games, reasons, remembers
from polytrix.api.shared.arguments import whole_number
from polytrix.core.calls import seed_or_fresh, shown
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.errors import GameOverError, IllegalActionError
from polytrix.core.game import Game
from polytrix.core.options import Value
from polytrix.core.random import draw, reseed
from polytrix.core.state import CHANCE, OVER, ByteArray, FloatArray, Record, RecordArray
from polytrix.core.transcript import Transcript
from polytrix.core.viewers import SPECTATOR, Viewer
from polytrix.core.words import Move, cut_off, moves

from .known import HIDDEN, Event, events, visible_notation

T = TypeVar("T")

MOST_TOLD = 8
"""The notation of an opening with more events is not told to a player, who sees the position anyway."""


@dataclass(frozen=True)
class Turn:
    """The events between two decisions, in notation."""

    seat: str
    move: str
    chance: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.seat}: {self.move}" + (f"   chance: {join_outcomes(self.chance)}" if self.chance else "")


def join_outcomes(chance: Sequence[str]) -> str:
    """Chance outcomes in one line; neighbours that are hidden are counted.

    >>> join_outcomes(["=4", "(hidden)", "(hidden)"])
    '=4, (2 hidden)'
    """
    runs = [(told, len(list(same))) for told, same in groupby(chance)]
    return ", ".join(
        f"({count} hidden)" if told == HIDDEN and count > 1 else ", ".join([told] * count)
        for told, count in runs
    )


class Decision(NamedTuple):
    """A decision that was made, what happened, and the positions before and after it."""

    states: RecordArray  # (1,)
    action: int
    happened: list[Event]  # the action, and the chance outcomes after it
    after: Record

    @property
    def seat(self) -> int:
        """The seat that made it."""
        return int(self.states[0].mover)


class Session:
    """The game of a seed, move by move; the same game as in a `Simulator` with that seed.

    Rules run as plain Python, which for one game is faster than compiling them.

    Args:
        game: the game.
        options: values of all its options.
        seed: random seed of the game and of the policies' choices; None: a fresh one.
        viewer: the seat whose information limits what is shown; None sees everything.

    Attributes:
        seats: names of the seats that take part.
        opening: chance outcomes before the first decision, in notation.
        actions: the decisions so far.
        taken_back: number of decisions that were taken back.
    """

    def __init__(
        self, game: Game, options: Mapping[str, Value], seed: int | None, viewer: int | None = None
    ) -> None:
        self.game = game
        self.options = dict(options)
        self.seed = seed_or_fresh(seed)
        self.viewer = viewer
        self.seats = game.seats[: game.num_players(options)]
        self.actions: list[int] = []
        self.taken_back = 0
        self._decisions: list[Decision] = []
        self._run = programs(game, Mode.PLAIN)
        self._states, happened = self._begin()
        self.opening = self._told(happened, viewer)

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

    def notes(self, viewer: Viewer) -> list[str]:
        """What a seat knows and the text does not show."""
        make = self.game.notes
        return [] if make is None or viewer is None or viewer == SPECTATOR else make(self.state, viewer)

    def legal(self) -> list[int]:
        """The mover's legal actions."""
        return events(self.game, self.state)

    def moves(self) -> list[Move]:
        """The mover's legal actions in words."""
        return moves(self.game, self.state, self.legal())

    def play(self, action: int) -> Turn:
        """Apply a legal action and the chance outcomes after it.

        Raises:
            GameOverError, IllegalActionError: nothing has changed.
        """
        if self.over:
            raise GameOverError("the game is over; begin another one")
        action = whole_number(action)
        if action not in self.legal():
            raise IllegalActionError(f"action {shown(action)} is illegal here; see legal()")
        before = self._states.copy()
        happened = [self._happen(self._states, action), *self._settle(self._states)]
        self.actions.append(action)
        self._decisions.append(Decision(before, action, happened, self._states[0].copy()))
        return self.turn(len(self.actions) - 1, self.viewer)

    def replay(self, actions: Sequence[int]) -> Iterator[int | None]:
        """Yield each of these actions before it is played, and None after the last; raises like `play`."""
        for action in actions:
            yield action
            self.play(action)
        yield None

    def steps(self, number: int) -> list[tuple[Record, int, Record]]:
        """Decision `number`, from 0 on, and the chance after it, each with the states before and after."""
        decision = self._decisions[number]
        return steps_to(decision.after, decision.happened)

    def opening_steps(self) -> list[tuple[Record, int, Record]]:
        """The chance before the first decision, as `steps` has it."""
        states, happened = self._begin()
        return steps_to(states[0], happened)

    def turn(self, number: int, viewer: Viewer) -> Turn:
        """Decision `number`, from 0 on, and what followed, as far as a viewer may know it."""
        decision = self._decisions[number]
        move, *chance = visible_notation(self.game, decision.happened, viewer)
        return Turn(self.game.seats[decision.seat], move, tuple(chance))

    def opening_for(self, viewer: Viewer) -> tuple[str, ...]:
        """What `opening` is for another viewer."""
        return self._told(self._begin()[1], viewer)

    def _told(self, happened: list[Event], viewer: Viewer) -> tuple[str, ...]:
        if viewer is not None and len(happened) > MOST_TOLD:
            return ()
        return visible_notation(self.game, happened, viewer)

    def position(self, number: int) -> Record:
        """The position before decision `number`, from 0 on, or the present one if there was none yet."""
        states = self._decisions[number].states if number < len(self._decisions) else self._states
        record: Record = states[0]
        return record

    def decision(self, number: int) -> Decision:
        """Decision `number`, from 0 on."""
        return self._decisions[number]

    def last_of(self, seat: int | None) -> int | None:
        """The number of a seat's last decision; None if it has made none."""
        numbers = range(len(self._decisions) - 1, -1, -1)
        return next((number for number in numbers if self._decisions[number].seat == seat), None)

    def fork(self) -> Session:
        """A copy that can be played on by itself."""
        other = copy(self)
        other._states, other._decisions = self._states.copy(), self._decisions[:]
        other.actions = self.actions[:]
        return other

    def undo(self) -> int:
        """Take back the viewer's last decision, and all that followed; the number of decisions taken back.

        The game stays the game of its seed: the dice and cards to come are those that would have come before.
        Policies with a memory must be told by `recall`.
        """
        own = self.last_of(self.viewer)
        return 0 if own is None else self.back_to(own)

    def back_to(self, number: int) -> int:
        """Take back decision `number`, from 0 on, and all that followed; as `undo`."""
        taken = len(self._decisions) - number
        self._states = self._decisions[number].states.copy()
        del self._decisions[number:], self.actions[number:]
        self.taken_back += taken
        return taken

    def choose(self, policy: Policy) -> int:
        """A policy's action for the mover, from what that seat sees only.

        For a policy with a memory (see `begin_games`), this is game 0. One that is told the log of the game, as
        programs are, has a method `choose_in(session)`.
        """
        if hasattr(policy, "choose_in"):
            return int(policy.choose_in(self))
        return int(self._ask(ask, policy, self._states, self._rng())[0])

    def reasons(self, policy: Policy) -> dict[str, FloatArray]:
        """A policy's reasons for the decision of the mover: for each name, numbers (A,). Changes nothing.

        They are those of `choose`, at this decision of this seed.

        Raises:
            PolicyError: the policy does not tell its reasons.
        """
        numbers = self._ask(reasons, policy, self._states, self._rng())
        return {name: column[0] for name, column in numbers.items()}

    def expected_payoffs(self, policy: Policy, numbers: Mapping[str, FloatArray]) -> list[float]:
        """The payoff that a policy with these reasons expects for each seat; NaN where it expects none.

        A search expects the value of the action that it has tried most often, for the mover; of two seats, the
        other one gets what the mover loses.
        """
        players, mover = len(self.seats), int(self.state.mover)
        payoffs = np.full(players, np.nan)
        if {"visits", "value"} <= numbers.keys():
            values, visits = np.nan_to_num(numbers["value"], nan=-np.inf), numbers["visits"]
            payoffs[mover] = values[visits == visits.max()].max()
            if players == 2:
                payoffs[1 - mover] = -payoffs[mover]
        elif isinstance(policy, NetworkPolicy) and policy.values is not None:
            payoffs[:] = np.roll(policy.payoffs(self._view(self._states)[0])[0, :players], mover)
        return [float(payoff) for payoff in payoffs]

    def recall(self, policy: Policy, seats: Container[int]) -> None:
        """Let a policy with a memory go through all decisions of these seats in this game."""
        begin_games(policy, 1)
        if not remembers(policy):
            return
        rng = np.random.default_rng(0)  # its choices are not used
        for decision in self._decisions:
            if decision.seat in seats:
                self._ask(ask, policy, decision.states, rng)

    def _rng(self) -> np.random.Generator:
        """For a policy that is asked here: each time the same, so that its reasons are those of its choice."""
        return np.random.default_rng([self.seed, len(self.actions)])

    def observe(self) -> ByteArray:
        """What the mover observes, (O,)."""
        observation, _ = self._view(self._states)
        return np.asarray(observation[0])

    def _view(self, states: RecordArray) -> tuple[ByteArray, ByteArray]:
        """Observation (1, O) and mask (1, A) of the mover."""
        game = self.game
        observation = np.zeros((1, game.observations.size), np.int8)
        mask = np.zeros((1, game.actions.size), np.int8)
        ids = np.zeros(game.max_legal, np.int16)
        seats = np.array([states[0].mover], np.int64)
        self._run.view(states, np.zeros(1, np.int64), seats, observation, mask, ids)
        return observation, mask

    def _ask(
        self, question: Callable[..., T], policy: Policy, states: RecordArray, rng: np.random.Generator
    ) -> T:
        """What `ask` or `reasons` tell about a position (1,)."""
        seats = np.array([states[0].mover], np.int64)
        return question(policy, *self._view(states), rng, states, rows=np.zeros(1, np.int64), seats=seats)

    def payoff(self) -> list[float]:
        """The payoff of each seat that takes part; the game must be over."""
        return self.game.payoffs(self.state)

    def result(self, viewer: int = SPECTATOR) -> str:
        """How the game ended, in a sentence to a viewer; the game must be over."""
        payoffs = self.payoff()
        names = ["you" if seat == viewer else name for seat, name in enumerate(self.seats)]
        won = [name for name, payoff in zip(names, payoffs, strict=True) if payoff == max(payoffs) > 0]
        if won:
            winners = f"{' and '.join(won)} {'win' if len(won) > 1 or 'you' in won else 'wins'}"
        else:
            winners = "it is a draw" if len({*payoffs}) == 1 and not self.state.truncated else "nobody wins"
        return f"The game is over{cut_off(self.state)}: {winners}."

    def payoffs(self) -> str:
        """The payoffs as text; the game must be over."""
        shown = ", ".join(f"{seat} {x:+g}" for seat, x in zip(self.seats, self.payoff(), strict=True))
        cut_off = f" (cut off after {int(self.state.decisions)} decisions)" if self.state.truncated else ""
        return f"payoffs: {shown}{cut_off}"

    def transcript(self) -> Transcript:
        """The game so far."""
        return Transcript(self.game.id, self.options, self.seed, tuple(self.actions), self.game.replaced)

    def save(self, path: Path) -> str:
        """Write a transcript of the game so far, and return a line that says so."""
        self.transcript().save(path, Mode.PLAIN)
        return f"saved {len(self.actions)} decisions: {path}"

    def _begin(self) -> tuple[RecordArray, list[Event]]:
        """The first position, (1,), and the chance events that led to it."""
        states = self.game.opening(self.options)
        reseed(states[0].generator, np.uint64(self.seed))
        return states, self._settle(states)

    def _settle(self, states: RecordArray) -> list[Event]:
        """Draw and apply all pending chance events."""
        happened = []
        s: Record = states[0]
        while s.mover == CHANCE:
            happened.append(self._happen(states, int(draw(s.generator, self.game.chance(s)))))
        return happened

    def _happen(self, states: RecordArray, number: int) -> Event:
        """Apply one action or chance outcome."""
        event = (states[0].copy(), number)
        self._run.advance(states, np.array([number]))
        return event


def steps_to(end: Record, happened: Sequence[Event]) -> list[tuple[Record, int, Record]]:
    """Events that led to a state, each with the states before and after it."""
    reached = [*(before for before, _ in happened[1:]), end]
    return [(before, event, after) for (before, event), after in zip(happened, reached, strict=False)]


def session_of(transcript: Transcript) -> Session:
    """The beginning of a game, with everything in sight."""
    return Session(transcript.description(), transcript.options, transcript.seed)
