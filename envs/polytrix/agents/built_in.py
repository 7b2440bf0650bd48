"""The built-in policies of a game: uniformly random, and its heuristics."""

from __future__ import annotations

import numpy as np

from polytrix.core import drivers
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.loaded import all_or_nothing, checked, refusing
from polytrix.core.state import GENERATOR, ByteArray, FloatArray, IntArray, new_records

from .choice import listed, uniform


class RandomPolicy:
    """Chooses uniformly among the legal actions. Environments run it inside their compiled loop.

    >>> import polytrix
    >>> policy = RandomPolicy(polytrix.find("quatrix"))
    >>> policy(np.zeros((1, 3), np.int8), np.array([[0, 1, 0]], np.int8), np.random.default_rng(0))
    array([1])
    """

    name = "random"
    built_in = drivers.RANDOM

    def __init__(self, game: Game) -> None:
        self.game = game

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id})"

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
        return uniform(mask, rng)

    def reasons(self, observation: ByteArray, mask: ByteArray) -> dict[str, FloatArray]:
        """The probability of each action, see `polytrix.agents.reasons`."""
        legal = mask != 0
        return {"probability": np.asarray(legal / legal.sum(axis=1, keepdims=True), np.float32)}


class HeuristicPolicy:
    """A heuristic of the game: plays the action with the highest score, ties broken at random.

    Environments run it inside their compiled loop.

    Args:
        game: the game that it plays.
        name: "greedy", or one of `game.heuristics` or `game.habits`; PolicyError if the game does not have it.
        mode: how the heuristic is run outside of environments; plain Python needs no compiler.
    """

    def __init__(self, game: Game, name: str = "greedy", *, mode: Mode = Mode.COMPILED) -> None:
        if name == RandomPolicy.name or name not in game.built_in_policies:
            raise PolicyError(
                f"{game.id} has no {name} policy; it has {', '.join(game.listed_policies)}. "
                "Use one of these or a policy of your own"
            )
        self.name = name
        self.built_in = game.built_in_policies[name]
        self.game = game
        self.mode = mode
        self._generator = new_records(1, GENERATOR)
        self._work = new_records(2, game.state)
        self._ids = np.zeros(game.max_legal, np.int16)
        self._score = np.zeros(game.max_legal, np.float32)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, {self.name!r})"

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
        actions = np.zeros(len(mask), np.int64)
        self._generator["key"] = rng.integers(0, 1 << 63, dtype=np.uint64)
        self._generator["counter"] = 0
        run = programs(self.game, checked(self.mode)).answer  # an observation may be one of a forged position
        seen, allowed = np.ascontiguousarray(observation), np.ascontiguousarray(mask)

        def answer(part: slice) -> None:
            run(
                self.built_in, seen[part], allowed[part],
                self._generator, self._work, self._ids, self._score, actions[part],
            )  # fmt: skip

        all_or_nothing(answer, np.arange(len(mask)), None, (actions,))
        return actions

    def reasons(self, observation: ByteArray, mask: ByteArray) -> dict[str, FloatArray]:
        """The score of each action, see `polytrix.agents.reasons`. It is computed in plain Python."""
        work = new_records(2, self.game.state)
        scores = np.full(mask.shape, np.nan, np.float32)
        flat, start, count = listed(mask)
        for row, (begin, number) in enumerate(zip(start, count, strict=True)):
            ids = (flat[begin : begin + number] - row * mask.shape[1]).astype(np.int16)
            score = np.zeros(number, np.float32)
            seen = (observation[row], ids, int(number), work, score)
            with refusing(row=row):
                if self.built_in == drivers.GREEDY and self.game.greedy is not None:
                    self.game.greedy(*seen)
                elif self.game.rate is not None:
                    self.game.rate(self.built_in - drivers.HEURISTICS, *seen)
            scores[row, ids] = score
        return {"score": scores}
