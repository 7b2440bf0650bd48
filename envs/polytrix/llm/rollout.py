"""Chats with rewards for any trainer: language models play whole games, many side by side.

>>> from polytrix.llm import rollouts
>>> def first_move(chat):
...     return "MOVE: " + chat[-1]["content"].partition("meaning\\n")[2].split()[0]
>>> for rollout in rollouts("resistor", first_move, n=2, seed=7):
...     print(rollout.seed, rollout.seat, rollout.reward, rollout.forfeited)
7 1 -1.0 False
8 0 -1.0 False
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from polytrix.agents.resolve import PolicySpec
from polytrix.core.calls import seed_or_fresh, shown
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript

from .conversation import assistant
from .prompts import Message
from .setup import Setup

Chat = Sequence[Message]
Answers = Callable[[Chat], str]
"""From a chat to the model's answer."""
BatchedAnswers = Callable[[Sequence[Chat]], Sequence[str]]
"""From chats of games that are played side by side to the answers, in the same order."""


@dataclass(frozen=True)
class Turn:
    """A question to a model, and its answer.

    Attributes:
        prompt: the chat that the model was given.
        answer: what it said: the very object that the policy has returned, which may be a subclass of `str`.
        error: why the answer was refused, or None.
        reward: what the answer has brought; 0 if it was refused and the model was asked again. Without shaping,
            a seat's last turn has the payoff.
    """

    prompt: tuple[Message, ...]
    answer: str
    error: str | None
    reward: float


@dataclass(frozen=True)
class Rollout:
    """A game as the model in one seat has gone through it.

    Attributes:
        seed: of the game.
        seat: of the model.
        seats: who played each seat, `"model"` or an agent.
        turns: what the model was asked, one by one. Empty if the game had no choice for it.
        reward: the payoff of the seat.
        forfeited: whether this seat has forfeited the game.
        transcript: the game, for replays. A forfeit ends it early.
    """

    seed: int
    seat: int
    seats: tuple[PolicySpec, ...]
    turns: tuple[Turn, ...]
    reward: float
    forfeited: bool
    transcript: Transcript

    @property
    def messages(self) -> tuple[Message, ...]:
        """All that was said to the model and by it, in order; its turns have the role "assistant".

        An empty answer, which many servers would not read, stands there as "(no answer)". With
        `Prompts(memory=None)` each turn's prompt is the part before its answer; otherwise a prompt leaves out
        what is long past.
        """
        task = [turn.prompt[0] for turn in self.turns[:1]]
        return (*task, *(each for turn in self.turns for each in (turn.prompt[-1], assistant(turn.answer))))

    @property
    def refused(self) -> int:
        """Number of answers that were not legal moves."""
        return sum(turn.error is not None for turn in self.turns)


def rollouts(
    game: Game | str,
    policy: Answers | BatchedAnswers,
    n: int,
    *,
    batch: int | None = None,
    seed: int | None = None,
    shaping: float = 0.0,
    **arguments: Any,
) -> Iterator[Rollout]:
    """Play games by text and yield a rollout for each seat of a model.

    Args:
        game: the game or its name.
        policy: the model: from a chat to an answer or, with `batch`, from a list of chats to a list of answers.
        n: number of games.
        batch: number of games that are played side by side; None: one, and `policy` gets a single chat. The
            number makes no difference to a game. Rollouts come in the order of the games.
        seed: game i has seed `seed + i`; None: a fresh seed.
        shaping: weight of the game's potential in the rewards of turns, see `Episode.turn_rewards`.
        **arguments: of `Setup`: seats, rotate, options, prompts, attempts, failure.

    Returns:
        n rollouts if one seat is a model's; in self-play one for each seat of each game.

    Raises:
        OptionError, PolicyError, ValueError: for bad arguments.
        TypeError, ValueError: the policy's answers are not as many strings as chats; while rollouts are taken.
    """
    setup = Setup(game, **arguments)
    if n < 0:
        raise ValueError(f"n is {n}; allowed: 0 or more")
    if batch is not None and batch < 1:
        raise ValueError(f"batch is {batch}; allowed: 1 or more, or None")
    first = seed_or_fresh(seed, n)
    begun = (_Playing(setup, number) for number in range(first, first + n))
    return _play(begun, batch or 1, _batch(policy, batch), shaping)


def _batch(policy: Answers | BatchedAnswers, batch: int | None) -> BatchedAnswers:
    """The policy as one that answers a list of chats with as many strings, or raises."""
    single, several = cast(Answers, policy), cast(BatchedAnswers, policy)

    def answers(chats: Sequence[Chat]) -> Sequence[str]:
        given = [single(chats[0])] if batch is None else list(several(chats))
        if len(given) != len(chats):
            raise ValueError(
                f"the policy gives {len(given)} answers to {len(chats)} chats; allowed: one to each"
            )
        for answer in given:
            if not isinstance(answer, str):
                raise TypeError(f"the policy answers {shown(answer)}; allowed: a string")
        return given

    return answers


def _play(begun: Iterator[_Playing], batch: int, answers: BatchedAnswers, shaping: float) -> Iterator[Rollout]:
    unfinished: deque[_Playing] = deque()  # and finished games that wait for those before them
    while True:
        active = [playing for playing in unfinished if not playing.episode.over]
        while len(active) < batch and (new := next(begun, None)) is not None:
            unfinished.append(new)
            if not new.episode.over:
                active.append(new)
        while unfinished and unfinished[0].episode.over:
            yield from unfinished.popleft().rollouts(shaping)
        if not active:
            return
        chats = [playing.episode.messages() for playing in active]
        for playing, chat, answer in zip(active, chats, answers(chats), strict=True):
            playing.answer(chat, answer)


class _Playing:
    """A game, and what has been said in it."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.seats = tuple(setup.seats_of(seed))
        self.episode = setup.episode(seed)
        self._turns: dict[int, list[tuple[Chat, str, str | None, int]]]
        self._turns = {seat: [] for seat in self.episode.tasks}

    def answer(self, chat: Chat, answer: str) -> None:
        """Give a model's answer to a chat to the game."""
        episode, seat = self.episode, self.episode.seat
        assert seat is not None
        place = len(episode.answered)
        error = episode.answer(answer)
        asked_again = len(episode.answered) == place
        self._turns[seat].append((chat, answer, error, -1 if asked_again else place))

    def rollouts(self, shaping: float) -> Iterator[Rollout]:
        """Those of the models' seats; the game must be over."""
        episode = self.episode
        brought = [*episode.turn_rewards(shaping), 0.0]
        for seat, turns in self._turns.items():
            yield Rollout(
                seed=episode.session.seed,
                seat=seat,
                seats=self.seats,
                turns=tuple(
                    Turn(tuple(chat), said, error, brought[place]) for chat, said, error, place in turns
                ),
                reward=episode.rewards[seat],
                forfeited=episode.forfeited == seat,
                transcript=episode.transcript(),
            )
