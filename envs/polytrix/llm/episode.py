"""One game by text: language models sit in some seats, agents in the others.

>>> from polytrix.llm import Episode
>>> episode = Episode("resistor", ["model", "greedy"], seed=7)
>>> while not episode.over:
...     question = episode.messages()[-1]["content"]  # the chat of the seat `episode.seat`, for any model
...     first = question.partition("meaning\\n")[2].split()[0]
...     refused = episode.answer(f"I take the first move.\\nMOVE: {first}")  # None, or what was wrong
>>> episode.rewards, episode.forfeited
([-1.0, 1.0], None)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from polytrix.agents import Policy, begin_games
from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import shown
from polytrix.core.catalogue import find
from polytrix.core.errors import ForfeitError, GameOverError, NotationError, PolicyError
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript
from polytrix.play.log import Log
from polytrix.play.opponents import agent
from polytrix.play.session import Session
from polytrix.programs import ProgramPolicy

from .answers import AnswerError
from .conversation import Conversation
from .prompts import Message, Prompts

MODEL = "model"
"""Stands for a language model among the seats."""

Failure = Literal["forfeit", "random"]
"""What follows when a model has given no legal move: the seat loses the game, or a random move is made."""


@dataclass(frozen=True)
class Answered:
    """A decision that a model was asked for.

    Attributes:
        number: of the decision in the game, from 0 on.
        seat: that was to move.
        question: the message that asked for it.
        answers: what the model has said; all but the last were refused.
        errors: why answers were refused; as many as answers if none was legal.
        malformed: how many of them did not have the form of an answer; the others named no legal move.
        action: what was played; None if the seat has forfeited the game.
        loose: whether the answer that named it has another form than the one asked for.
    """

    number: int
    seat: int
    question: str
    answers: tuple[str, ...]
    errors: tuple[str, ...]
    malformed: int
    action: int | None
    loose: bool = False

    @property
    def failed(self) -> bool:
        """Whether no answer was a legal move."""
        return len(self.errors) == len(self.answers)


class Episode:
    """A game in which language models are asked by text.

    The agents play, and moves without a choice are made, by themselves: a model is asked when it has a choice.

    Args:
        game: the game or its name.
        seats: who plays each seat: `"model"`, or an agent as for `polytrix.agents.resolve`. Models in several
            seats (self-play) have conversations of their own. A program may forfeit the game too.
        options: options of the game; the others keep their defaults.
        seed: of the game and of the agents' choices; None: a fresh one.
        prompts: how models are asked.
        attempts: number of answers to one question before it counts as failed.
        failure: what follows then: "forfeit" or "random".

    Attributes:
        answered: the decisions that models were asked for.
        said: what programs were asked and have said, as in the game's file, once the game is over.
        forfeited: the seat that has forfeited the game, or None.

    Raises:
        PolicyError: the wrong number of seats, no model, or an unknown agent.
    """

    def __init__(
        self,
        game: Game | str,
        seats: Sequence[PolicySpec],
        *,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        prompts: Prompts | None = None,
        attempts: int = 3,
        failure: Failure = "forfeit",
    ) -> None:
        self.game, values = find(game).configured(options or {})
        if attempts < 1:
            raise ValueError(f"attempts is {attempts}; allowed: 1 or more")
        if failure not in get_args(Failure):
            raise ValueError(f"failure is {shown(failure)}; allowed: {', '.join(get_args(Failure))}")
        players = self.game.num_players(values)
        if len(seats) != players:
            raise PolicyError(
                f"{len(seats)} seats are given; this game of {self.game.name} has {players} players"
            )
        self.prompts = prompts or Prompts()
        self.attempts, self.failure = attempts, failure
        self.session = Session(self.game, values, seed)
        self.answered: list[Answered] = []
        self.forfeited: int | None = None
        log = Log(self.session)
        self._models: dict[int, Conversation] = {}
        self._agents: dict[int, Policy] = {}
        for seat, spec in enumerate(seats):
            if isinstance(spec, str) and spec == MODEL:
                self._models[seat] = Conversation(self.session, log, seat, self.prompts)
            else:
                self._agents[seat] = agent(spec, self.game)
        self._programs = {each for each in self._agents.values() if isinstance(each, ProgramPolicy)}
        self.said: list[dict[str, Any]] = []
        if not self._models and not self._programs:
            raise PolicyError(f"no seat is that of a model; write {MODEL!r} for it")
        for policy in self._agents.values():
            begin_games(policy, 1)
        self._answers: list[str] = []
        self._errors: list[str] = []
        self._malformed = 0
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.forfeited is not None or self.session.over

    @property
    def seat(self) -> int | None:
        """The seat whose model is to answer; None once the game is over."""
        return None if self.over else int(self.session.state.mover)

    @property
    def tasks(self) -> dict[int, str]:
        """What each model is told once: task, rules and notation, by seat."""
        return {seat: conversation.task for seat, conversation in self._models.items()}

    def messages(self) -> list[Message]:
        """The chat for the model that is to answer: task and rules, earlier decisions, the question.

        Raises:
            GameOverError: the game is over.
        """
        return self._conversation().messages()

    def told(self, seat: int) -> str:
        """What a model's seat is told now: the question if it is to answer, else the position as it sees it.

        Args:
            seat: of a model. Whatever has happened since its last decision is told too.
        """
        conversation = self._models[seat]
        return conversation.question() if seat == self.seat else conversation.position()

    def answer(self, text: str, cut: bool = False) -> str | None:
        """Take the model's answer to `messages`. A legal move is played; then the agents play on.

        Args:
            text: what the model has said.
            cut: whether the limit of tokens has cut it off; its last line then names no move.

        Returns:
            What was wrong with the answer, or None if it was a legal move. After a wrong one `messages` asks
            again; after `attempts` wrong ones, the seat forfeits the game or a random move is made.

        Raises:
            GameOverError: the game is over.
        """
        conversation, error, action, loose = self._conversation(), None, None, False
        self._answers.append(text)
        try:
            action, loose = conversation.read(text, cut)
        except (AnswerError, NotationError) as refused:
            error = str(refused)
            self._malformed += isinstance(refused, AnswerError)
            self._errors.append(error)
            if len(self._answers) < self.attempts:
                return error
        if action is None and self.failure == "random":
            rng = np.random.default_rng([self.session.seed, len(self.session.actions)])
            self._decide(conversation, None, int(rng.choice(self.session.legal())))
        else:
            self._decide(conversation, None if action is None else text, action, loose)
        return error

    def forfeit(self) -> None:
        """Let the seat that is to answer forfeit the game, as when its model does not answer.

        Raises:
            GameOverError: the game is over.
        """
        self._decide(self._conversation(), None, None)

    @property
    def rewards(self) -> list[float]:
        """The payoff of each seat, (players,); zeros until the game is over.

        A seat that forfeits pays the most that can be lost, which the others share.
        """
        players = len(self.session.seats)
        if self.forfeited is not None:
            limit = float(self.game.payoff_limit(self.session.options))
            return [-limit if seat == self.forfeited else limit / (players - 1) for seat in range(players)]
        return self.session.payoff() if self.session.over else [0.0] * players

    def turn_rewards(self, shaping: float = 0.0) -> list[float]:
        """What each decision in `answered` has brought its seat, for trainers that reward turns.

        The payoff belongs to a seat's last decision. With shaping, each decision gets the change of the game's
        potential up to the seat's next one, times `shaping`; at the end the potential is 0.

        Args:
            shaping: weight of the potential; a game without one has none.
        """
        potential = self.game.potential
        found, later = [0.0] * len(self.answered), dict(enumerate(self.rewards))
        value = dict.fromkeys(later, 0.0)  # the potential at each seat's next decision
        for place in range(len(self.answered) - 1, -1, -1):
            number, seat = self.answered[place].number, self.answered[place].seat
            now = 0.0 if potential is None else float(potential(self.session.position(number), seat))
            found[place] = later.pop(seat, 0.0) + shaping * (value[seat] - now)
            value[seat] = now
        return found

    def transcript(self) -> Transcript:
        """The game so far, for replays."""
        return self.session.transcript()

    def _conversation(self) -> Conversation:
        seat = self.seat
        if seat is None:
            raise GameOverError("the game is over; see rewards")
        return self._models[seat]

    def _decide(
        self, conversation: Conversation, answer: str | None, action: int | None, loose: bool = False
    ) -> None:
        """Play an action, which the answer has named if there is one. Without an action the seat forfeits."""
        number, answers, errors = len(self.session.actions), tuple(self._answers), tuple(self._errors)
        question = conversation.question()
        self.answered.append(
            Answered(number, conversation.seat, question, answers, errors, self._malformed, action, loose)
        )
        self._answers, self._errors, self._malformed = [], [], 0
        conversation.decided(answer)
        if action is None:
            self.forfeited = conversation.seat
        else:
            self.session.play(action)
        self._go_on()

    def _go_on(self) -> None:
        """Let agents play, and make forced moves, until a model has a choice, or the game is over."""
        session = self.session
        while not self.over:
            seat = int(session.state.mover)
            if seat in self._agents:
                try:
                    session.play(session.choose(self._agents[seat]))
                except ForfeitError:
                    self.forfeited = seat
                continue
            legal = session.legal()
            if len(legal) > 1:
                return
            session.play(legal[0])
        for program in self._programs:
            self.said += program.finish(self.rewards, self.forfeited)
