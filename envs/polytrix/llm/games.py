"""Finished games of language models: transcripts that hold all questions and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.replay.chats import KEY

from .episode import Episode
from .kept import KeptError
from .models import Reply

FORMAT = "polytrix language model game 1"


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
        "asked": asked,
    }
    transcript: dict[str, Any] = json.loads(episode.transcript().to_text(Mode.PLAIN))
    return transcript | {"players": list(names), KEY: about}


def read(path: Path) -> dict[str, Any]:
    """A finished game from its file.

    Raises:
        KeptError: the file is damaged.
    """
    try:
        game: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if game[KEY]["format"] != FORMAT:
            raise ValueError(f"format {game[KEY]['format']!r}; expected {FORMAT!r}")
        for each in game[KEY]["asked"]:
            for answer in each["answers"]:
                reply_in(answer)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise KeptError(
            f"{path} is damaged ({error!s:.100}); delete it, and its game is played again"
        ) from None
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
