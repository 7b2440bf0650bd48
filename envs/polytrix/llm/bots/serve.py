"""The other side of the pipe: our agents, and functions in Kaggle's form, answer the messages of a `Talk`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any

import numpy as np

from polytrix.agents import Policy, ask, begin_games
from polytrix.agents.policy import needs_states
from polytrix.core.catalogue import find
from polytrix.core.errors import PolicyError, PolytrixError
from polytrix.core.game import Game
from polytrix.core.imports import imported
from polytrix.play.opponents import agent

from .protocol import VERSION

KAGGLE = "kaggle:"
"""Begins the spec of a function `agent(observation, configuration)`: `kaggle:file.py:agent`."""

Choose = Callable[[dict[str, Any], dict[str, Any], dict[str, Any]], Any]
"""The move for `hello`, the last `observe`, and `choose`: an action's number, or notation."""


class MessageError(PolytrixError, ValueError):
    """A line that is no message of the protocol."""


class Struct(dict[str, Any]):
    """A dict whose items are attributes, too, as Kaggle's are."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def answer_all(game: str, spec: str, lines: Iterable[str], write: Callable[[str], None], seed: int) -> None:
    """Play games as they come until the lines end.

    Args:
        game: name or id; a `hello` of another game is refused.
        spec: an agent, see `polytrix.agents.resolve`, or `kaggle:file.py:function`.
        lines: messages.
        write: called with each answer, a line.
        seed: of the agent's choices.

    Raises:
        PolicyError: the agent cannot be found, or needs more than observations.
        MessageError: a line is no message, or of another protocol or game.
    """
    found, rng = find(game), np.random.default_rng(seed)
    hello, news = Struct(), Struct()
    choose = chooser(found, spec, rng)  # fails now instead of in the first game
    for line in lines:
        message = read_message(line)
        if message["type"] == "hello":
            if message["protocol"] != VERSION or message["id"] != found.id:
                raise MessageError(
                    f"the game is {message['id']}, protocol {message['protocol']}; "
                    f"expected {found.id}, protocol {VERSION}"
                )
            hello, news = message, Struct()
            choose = chooser(found.configured({**message["options"], **message["data"]})[0], spec, rng)
            write(json.dumps({"protocol": VERSION, "name": spec, "observation": True}))
        elif message["type"] == "observe":
            news = message
        elif message["type"] == "choose":
            write(json.dumps({"move": choose(hello, news, message)}))


def read_message(line: str) -> Struct:
    """The message of a line."""
    try:
        message: Struct = json.loads(line, object_hook=Struct)
        message["type"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise MessageError(f"a line is {line[:100]!r}; expected a JSON object with a type") from None
    return message


def chooser(game: Game, spec: str, rng: np.random.Generator) -> Choose:
    """What answers `choose` in a game."""
    if spec.startswith(KAGGLE):
        return kaggle(spec)
    policy = agent(spec, game)
    if needs_states(policy) or hasattr(policy, "choose_in"):
        raise PolicyError(
            f"agent {spec!r} looks ahead from positions, which a program is not told; "
            "give one that needs observations only, such as a network"
        )
    begin_games(policy, 1)
    return lambda hello, news, choose: by_policy(policy, game, rng, hello["seat"], news, choose)


def by_policy(
    policy: Policy,
    game: Game,
    rng: np.random.Generator,
    seat: int,
    news: dict[str, Any],
    choose: dict[str, Any],
) -> int:
    """A policy's action."""
    mask = np.zeros((1, game.actions.size), np.int8)
    mask[0, [move["id"] for move in choose["legal"]]] = 1
    observation = np.array([news["observation"]], np.int8)
    return int(ask(policy, observation, mask, rng, rows=np.zeros(1, np.int64), seats=np.array([seat]))[0])


def kaggle(spec: str) -> Choose:
    """A function in Kaggle's form: it may take the observation alone, and returns the move."""
    try:
        function = imported(spec.removeprefix(KAGGLE))
    except ImportError as error:
        raise PolicyError(f"{spec!r} cannot be imported ({error}); allowed: {KAGGLE}FILE.py:FUNCTION") from None
    kinds = [each.kind for each in signature(function).parameters.values()]
    both = len(kinds) > 1 or Parameter.VAR_POSITIONAL in kinds
    step = 0

    def choose(hello: dict[str, Any], news: dict[str, Any], question: dict[str, Any]) -> Any:
        nonlocal step
        bank, seconds = question["clock"]["bank"], question["clock"]["seconds"]
        seen = Struct(news, step=step, player=hello["seat"], legal=question["legal"], remainingOverageTime=bank)
        step += 1
        return function(*[seen, Struct(hello, actTimeout=seconds)][: 1 + both])

    return choose
