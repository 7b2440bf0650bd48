"""What language models were asked and what they said, from the file of a game that they have played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from polytrix.core.calls import shown
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import TranscriptError
from polytrix.core.transcript import Transcript

KEY = "language_models"
"""Where a transcript has it."""

MOST_PAID = 1e9
"""No payoff is as large."""


@dataclass(frozen=True)
class Answer:
    """An answer.

    Attributes:
        text: what the model has said.
        reasoning: thoughts that its server tells apart from the answer, or "".
        error: why it was refused; None if it was a legal move.
    """

    text: str
    reasoning: str
    error: str | None


@dataclass(frozen=True)
class Chat:
    """A decision that a model was asked for.

    Attributes:
        seat: that was to move.
        question: what the model was told.
        answers: what it has said, in order.
    """

    seat: int
    question: str
    answers: Sequence[Answer]


@dataclass(frozen=True)
class Told:
    """What a file tells besides the moves of a game.

    Attributes:
        players: who played, by seat; () if it is not told.
        chats: for each position, the chat of the model that was asked there, or None; () without models.
        forfeited: the seat that has forfeited the game, or None.
        payoffs: of the seats, if a seat has forfeited; otherwise the moves tell them.
    """

    players: Sequence[str] = ()
    chats: Sequence[Chat | None] = field(default=())
    forfeited: int | None = None
    payoffs: Sequence[float] | None = None


def read_game(text: str) -> tuple[Transcript, Told]:
    """The transcript in the text of a file, checked in plain Python, and what it tells besides."""
    transcript = Transcript.from_text(text, Mode.PLAIN)
    return transcript, read_told(text, transcript.description().num_players(transcript.options))


def read_told(text: str, seats: int) -> Told:
    """What the file of a transcript tells besides the moves.

    Args:
        text: of the file; that it is a transcript has been checked.
        seats: number of players of the game.

    Raises:
        TranscriptError: what it tells has another form.
    """
    content = json.loads(text)
    if KEY not in content:
        return Told()
    try:
        about = _of(dict, content[KEY])
        players = tuple(_of(str, name) for name in _of(list, content["players"]))
        if len(players) != seats:
            raise ValueError(f"{len(players)} players; the game has {seats}")
        chats: list[Chat | None] = [None] * (len(content["actions"]) + 1)
        for each in _of(list, about["asked"]):
            chats[_below(len(chats), each["number"])] = Chat(
                _below(seats, each["seat"]), _of(str, each["question"]), tuple(map(_answer, each["answers"]))
            )
        if about["forfeited"] is None:
            return Told(players, chats)
        rewards = tuple(map(_payoff, about["rewards"]))
        if len(rewards) != seats:
            raise ValueError(f"{len(rewards)} rewards; the game has {seats} players")
        return Told(players, chats, _below(seats, about["forfeited"]), rewards)
    except (LookupError, TypeError, ValueError) as error:
        raise TranscriptError(f"what language models have said is damaged: {shown(str(error))}") from None


def _answer(entry: Mapping[str, Any]) -> Answer:
    error = entry["error"]
    return Answer(
        _of(str, entry["text"]), _of(str, entry["reasoning"]), None if error is None else _of(str, error)
    )


def _of(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{shown(value)} is no {getattr(kind, '__name__', 'number')}")
    return value


def _payoff(value: Any) -> float:
    number = _of((int, float), value)
    if not abs(number) <= MOST_PAID:  # NaN is no JSON, which pages read
        raise ValueError(f"{shown(number)} is no payoff")
    return float(number)


def _below(limit: int, value: Any) -> int:
    number: int = _of(int, value)
    if not 0 <= number < limit:
        raise ValueError(f"{number} is not below {limit}")
    return number
