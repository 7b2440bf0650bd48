"""Games of language models in files: the answers of one that goes on, and finished ones with all that was said.

An answer is written as soon as it is there, so after a kill nothing is asked, and paid, twice. A finished game
is a transcript that also holds all questions and answers.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolytrixError
from polytrix.core.files import whole_file
from polytrix.core.transcript import Transcript
from polytrix.replay.chats import KEY

from .episode import Episode
from .models import Reply
from .prompts import Message

FORMAT = "polytrix language model game 1"


class KeptError(PolytrixError, ValueError):
    """A file of an evaluation is damaged."""


@dataclass(frozen=True)
class Asked:
    """An answer of a model, and to what.

    Attributes:
        number: of the decision in the game.
        seat: that was to move.
        chat: hash of the messages.
        reply: the answer, and what it took.
    """

    number: int
    seat: int
    chat: str
    reply: Reply


def hash_of(messages: Sequence[Message]) -> str:
    """A short hash of a chat."""
    return hashlib.sha256(json.dumps(list(messages)).encode()).hexdigest()[:16]


class KeptAnswers:
    """The answers of a game that goes on, in the order in which they came.

    Args:
        path: the file that has them; None: they are kept in memory only.

    Raises:
        KeptError: the file is damaged.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._answers: list[Asked] = []
        self._used = 0
        if path is not None and path.exists():
            whole = path.read_bytes().rpartition(b"\n")[0]  # a killed process may have begun a line
            self._answers = [_asked_in(path, line) for line in whole.splitlines()]
            self._rewrite()

    def find(self, number: int, seat: int, messages: Sequence[Message]) -> Reply | None:
        """The next answer, if it is to these messages. Otherwise it and those after it are dropped."""
        following = self._answers[self._used :]
        if not following:
            return None
        if (following[0].number, following[0].seat, following[0].chat) != (number, seat, hash_of(messages)):
            del self._answers[self._used :]
            self._rewrite()
            return None
        self._used += 1
        return following[0].reply

    def add(self, number: int, seat: int, messages: Sequence[Message], reply: Reply) -> None:
        """Keep a new answer."""
        asked = Asked(number, seat, hash_of(messages), reply)
        self._answers.append(asked)
        self._used += 1
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(_line(asked))
                file.flush()
                os.fsync(file.fileno())

    def drop(self) -> None:
        """Remove the file: the game is over and has a file of its own."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def replies(self) -> dict[int, list[Reply]]:
        """All answers in order, by the number of the decision."""
        found: dict[int, list[Reply]] = {}
        for asked in self._answers:
            found.setdefault(asked.number, []).append(asked.reply)
        return found

    def _rewrite(self) -> None:
        if self.path is not None:
            with whole_file(self.path) as file:
                file.write(b"".join(map(_line, self._answers)))


def _line(asked: Asked) -> bytes:
    return json.dumps(asdict(asked), separators=(",", ":")).encode() + b"\n"


def _asked_in(path: Path, line: bytes) -> Asked:
    try:
        entry = json.loads(line)
        reply = Reply(**entry.pop("reply"))
        return Asked(**entry, reply=reply)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise KeptError(f"{path} is damaged ({error!s:.100}); delete it, and its game begins again") from None


def game_record(
    episode: Episode, names: Sequence[str], replies: Mapping[int, Sequence[Reply]]
) -> dict[str, Any]:
    """A finished game for JSON: its transcript, who played, and all questions and answers.

    Args:
        episode: the game.
        names: of the agents and models, by seat.
        replies: of the models, by the number of the decision.
    """
    asked = [
        {
            "number": each.number,
            "seat": each.seat,
            "question": each.question,
            "answers": [
                {**asdict(reply), "error": error}
                for reply, error in zip_longest(replies[each.number], each.errors)
            ],
            "malformed": each.malformed,
            "action": each.action,
            "loose": each.loose,
        }
        for each in episode.answered
    ]
    about = {
        "format": FORMAT,
        "rewards": episode.rewards,
        "forfeited": episode.forfeited,
        "truncated": int(episode.session.state.truncated),
        "tasks": episode.tasks,
        "asked": sorted([*asked, *episode.said], key=itemgetter("number")),
    }
    transcript: dict[str, Any] = json.loads(episode.transcript().to_text(Mode.PLAIN))
    return transcript | {"players": list(names), KEY: about}


def read(path: Path, beginning: Transcript) -> dict[str, Any]:
    """A finished game from its file.

    Args:
        path: the file.
        beginning: of the game.

    Raises:
        KeptError: the file is damaged, or has another game.
    """
    try:
        game: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if game[KEY]["format"] != FORMAT:
            raise ValueError(f"format {game[KEY]['format']!r}; expected {FORMAT!r}")
        for each in game[KEY]["asked"]:
            for answer in each["answers"]:
                reply_in(answer)
        begun = Transcript(game["game"], game["options"], game["seed"], (), game.get("data", {}))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise KeptError(
            f"{path} is damaged ({error!s:.100}); delete it, and its game is played again"
        ) from None
    if begun != beginning:
        raise KeptError(f"{path} has a game with another seed or other options; delete it, or its folder")
    return game


def reply_in(answer: Mapping[str, Any]) -> Reply:
    """The reply in an answer of a `game_record`."""
    return Reply(**{name: value for name, value in answer.items() if name != "error"})


def figures_of(name: str, games: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a model has done in games, and what it took.

    Args:
        name: of the model.
        games: as from `game_record`; those of other agents do not count.

    Returns:
        `games`; `decisions` that it was asked for; its `answers`; of these, `malformed` and `illegal` ones and
        those that were `cut` off before they named a move, which were refused; `loose` ones, which were taken
        though they have another form than the one asked for; `failed` decisions, without a legal answer;
        `forfeits`; `prompt_tokens`, of these `cached_tokens`, and `completion_tokens`; `cost` in dollars, None
        if unknown; `requests`; `seconds` of all answers, and `seconds_median` and `seconds_95` of one.
    """
    own = [game for game in games if name in game["players"]]
    asked = [each for game in own for each in game[KEY]["asked"] if game["players"][each["seat"]] == name]
    answers = [answer for each in asked for answer in each["answers"]]
    replies = list(map(reply_in, answers))
    errors = [answer["error"] for answer in answers]
    refused = sum(error is not None for error in errors)
    cut = sum(reply.cut and error is not None for reply, error in zip(replies, errors, strict=True))
    malformed = sum(each["malformed"] for each in asked)
    costs = [reply.cost for reply in replies if reply.cost is not None]
    seconds = [reply.seconds for reply in replies] or [0.0]
    forfeited = (game["players"][seat] for game in own if (seat := game[KEY]["forfeited"]) is not None)
    return {
        "games": len(own),
        "decisions": len(asked),
        "answers": len(answers),
        "malformed": malformed - cut,
        "illegal": refused - malformed,
        "loose": sum(each["loose"] for each in asked),
        "cut": cut,
        "failed": sum(all(answer["error"] is not None for answer in each["answers"]) for each in asked),
        "forfeits": sum(loser == name for loser in forfeited),
        "prompt_tokens": sum(reply.prompt_tokens for reply in replies),
        "cached_tokens": sum(reply.cached_tokens for reply in replies),
        "completion_tokens": sum(reply.completion_tokens for reply in replies),
        "cost": sum(costs) if costs else None,
        "requests": sum(reply.requests for reply in replies),
        "seconds": float(np.sum(seconds)),
        "seconds_median": float(np.median(seconds)),
        "seconds_95": float(np.quantile(seconds, 0.95)),
    }
