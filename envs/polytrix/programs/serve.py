"""The other side of the pipe: agents, and functions in Kaggle's form, answer what programs are told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from inspect import signature
from itertools import count
from typing import Any

import numpy as np

from polytrix.agents import ask, begin_games
from polytrix.agents.policy import needs_states
from polytrix.core.calls import shown
from polytrix.core.catalogue import find
from polytrix.core.errors import PolicyError, PolytrixError
from polytrix.core.game import Game
from polytrix.core.imports import imported
from polytrix.play.opponents import agent

from .policy import VERSION

KAGGLE = "kaggle:"
"""Begins the spec of a function `agent(observation, configuration)`: `kaggle:file.py:agent`."""


class MissingError(PolytrixError, AttributeError):
    """A message lacks what it must have."""


class Struct(dict[str, Any]):
    """A dict whose items are attributes, too, as Kaggle's are."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise MissingError(f"{name!r} is missing; there are {', '.join(map(repr, self))}")
        return self[name]


def answers(spec: str, lines: Iterable[str], seed: int) -> Iterator[dict[str, Any]]:
    """Play games as they come until the lines end: yield the answer to each message that needs one.

    Args:
        spec: an agent, see `polytrix.agents.resolve`, or `kaggle:file.py:function`.
        lines: messages.
        seed: of the agent's choices.

    Raises:
        PolicyError: the agent cannot be found, or needs more than observations.
        PolytrixError: a line is not a message or lacks a part, or is of another protocol, or of a game that is
            unknown here.
    """
    rng, hello, news, choose = np.random.default_rng(seed), Struct(), Struct(), None
    for line in lines:
        try:
            message = json.loads(line, object_hook=Struct)
            kind = message["type"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise PolytrixError(f"a line is {shown(line)}; expected a JSON object with a type") from None
        if kind == "hello":
            if message.get("protocol") != VERSION:
                raise PolytrixError(f"the protocol is {shown(message.get('protocol'))}; expected {VERSION}")
            name, options, data = message.id, message.options, message.data
            if not (isinstance(name, str) and isinstance(options, dict) and isinstance(data, dict)):
                given = shown([name, options, data])
                raise PolytrixError(f"id, options and data are {given}; expected a text and two objects")
            hello, choose = message, chooser(find(name).configured({**options, **data})[0], spec, rng)
            yield {"protocol": VERSION, "name": spec, "observation": True}
        elif kind == "observe":
            news = message
        elif kind == "choose":
            if choose is None:
                raise PolytrixError("choose comes before hello")
            yield {"move": choose(hello, news, message)}


def chooser(game: Game, spec: str, rng: np.random.Generator) -> Callable[[Struct, Struct, Struct], Any]:
    """What names a move in one game, by number or notation, for `hello`, the last `observe`, and `choose`."""
    if spec.startswith(KAGGLE):
        return kaggle(spec)
    policy = agent(spec, game)
    if needs_states(policy) or hasattr(policy, "choose_in"):
        raise PolicyError(
            f"agent {spec!r} needs more than observations, which is all that a program is told; "
            "give another one, such as a network"
        )
    begin_games(policy, 1)

    def choose(hello: Struct, news: Struct, question: Struct) -> int:
        mask = np.zeros((1, game.actions.size), np.int8)
        mask[0, [move.id for move in question.legal]] = 1
        observation, seats = np.array([news.observation], np.int8), np.array([hello.seat])
        return int(ask(policy, observation, mask, rng, rows=np.zeros(1, np.int64), seats=seats)[0])

    return choose


def kaggle(spec: str) -> Callable[[Struct, Struct, Struct], Any]:
    """A function in Kaggle's form: it may take the observation alone, and returns the move."""
    try:
        function = imported(spec.removeprefix(KAGGLE))
    except ImportError as error:
        raise PolicyError(
            f"{spec!r} cannot be imported ({error}); allowed: {KAGGLE}FILE.py:FUNCTION"
        ) from error
    taken, steps = len(signature(function).parameters), count()

    def choose(hello: Struct, news: Struct, question: Struct) -> Any:
        clock = question.clock
        observation = Struct(
            news, step=next(steps), player=hello.seat, legal=question.legal, remainingOverageTime=clock.bank
        )
        return function(*[observation, Struct(hello, actTimeout=clock.seconds)][:taken])

    return choose
