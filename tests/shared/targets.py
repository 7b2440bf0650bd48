"""Targets of bad calls: an API that plays one game, whose state can be compared byte by byte.

A target lists the bad calls for its current position, each with its documented errors. This module has the
targets for PettingZoo and the terminal; see also `batch_targets.py` and `library_targets.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeAlias

import numpy as np

from polytrix.api import words
from polytrix.api.aec import AECGame
from polytrix.core.calls import shown
from polytrix.core.errors import (
    GameOverError,
    IllegalActionError,
    NotationError,
    OptionError,
    SnapshotError,
)
from polytrix.core.game import Game
from polytrix.play.session import Session

Errors: TypeAlias = type[Exception] | tuple[type[Exception], ...]

FAR = (-1, 5000, 10**9, 2**31, 2**63 - 1, -(2**63), 2**63, 2**64 - 1, 10**5000)
"""Numbers that are not an action or a chance outcome of any game."""

NO_NUMBERS: tuple[Any, ...] = (
    None, True, np.True_, 1.5, 2.0, float("nan"), float("inf"), 1j, "a", "0", b"0", [0], (0,), [], {}, {0},
    np.float64(0), np.array([0]), np.array([[0]]), np.array([]), np.array("0"), object(), int,
)  # fmt: skip
"""Values that are not integers."""

BAD_SEEDS: tuple[Any, ...] = (
    -1,
    2**63,
    2**64,
    -(2**63),
    10**5000,
    1.5,
    float("nan"),
    "a",
    True,
    np.True_,
    [1],
    {},
    b"1",
)
"""Seeds that are invalid everywhere."""

BAD_ROWS: tuple[Any, ...] = (
    [0, 0], [-1], [10**9], [2**64 - 1], [0.5], [True], ["0"], [[0]], 0, "0", [None], [[], [0]],
)  # fmt: skip
"""Row numbers that are invalid everywhere."""


NO_ANSWERS: tuple[Any, ...] = (
    None, 3, 1.5, b"pass", ["pass"], object(), "", "\0", "!", "9" * 5000, "x" * 5000, "no such move",
)  # fmt: skip
"""Answers that name no action in any game."""


@dataclass(frozen=True)
class Bad:
    """A call that must be refused with one of these errors."""

    call: partial[Any]
    errors: tuple[type[Exception], ...]

    def __str__(self) -> str:
        """The call as source code."""
        named = [f"{name}={shown(each)}" for name, each in self.call.keywords.items()]
        name = getattr(self.call.func, "__name__", type(self.call.func).__name__)
        return f"{name}({', '.join([*map(shown, self.call.args), *named])})"


def bad(errors: Errors, call: Callable[..., Any], *given: Any, **named: Any) -> Bad:
    """A bad call with the given arguments."""
    return Bad(partial(call, *given, **named), errors if isinstance(errors, tuple) else (errors,))


class Target:
    """One API that plays one game.

    Args:
        game: the game.
        seed: seed of the first game.
        **options: game options.
    """

    name: ClassVar[str]
    begins = True
    """Whether `reset` must be called before anything else."""
    closes = True
    """Whether `close` ends all use."""

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        self.game = game

    def reset(self, seed: int) -> None:
        """Begin a game."""
        raise NotImplementedError

    def legal(self) -> list[int]:
        """The legal actions; empty once the game is over."""
        raise NotImplementedError

    def step(self, action: Any) -> None:
        """Take an action through the API, with its checks."""
        raise NotImplementedError

    def memory(self) -> bytes:
        """The complete state: a refused call leaves it unchanged, every step changes it."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the API, if it supports that."""

    def bad_calls(self) -> Iterator[Bad]:
        """Calls that must be refused at the current position."""
        if not self.legal():
            for action in (0, -1, 10**9):
                yield bad(GameOverError, self.step, action)
            return
        for action in (*FAR, self.game.actions.size, *self.illegal()):
            yield bad(self.errors_for(action), self.step, action)
        for thing in NO_NUMBERS:
            yield bad(TypeError, self.step, thing)

    def errors_for(self, action: int) -> Errors:
        """The error for a number that is not a legal action."""
        return IllegalActionError

    def illegal(self) -> list[int]:
        """Some existing but illegal actions."""
        others = np.setdiff1d(np.arange(self.game.actions.size), self.legal())
        return list(map(int, others[:: max(1, len(others) // 3)]))


def seeding(call: Callable[[Any], Any]) -> Iterator[Bad]:
    """Calls with bad seeds."""
    for seed in BAD_SEEDS:
        yield bad(ValueError, call, seed)


class AECTarget(Target):
    """PettingZoo."""

    name = "aec"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.env = AECGame(game, illegal_action="raise", **options)

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def legal(self) -> list[int]:
        return self.env.legal_actions()

    def step(self, action: Any) -> None:
        self.env.step(action)

    def memory(self) -> bytes:
        env = self.env
        told = (env.agents, env.agent_selection, env.rewards, env.terminations, env.truncations, env.infos)
        return env.save() + repr((told, env._cumulative_rewards, env.legal_actions())).encode()

    def close(self) -> None:
        self.env.close()

    def bad_calls(self) -> Iterator[Bad]:
        env = self.env
        yield from super().bad_calls()
        yield from seeding(env.reset)
        for options in (5, [1], "players", {"players": 2}, {0: 0}):
            yield bad(OptionError, env.reset, options=options)
        for agent in (None, 0, "player_9", "", [], ["player_0"], 1.5, b"player_0"):
            yield bad(ValueError, env.observe, agent)
        for action in (-1, self.game.actions.size, 10**9):
            yield bad(IndexError, env.format_action, action)
        for thing in (None, 1.5, "a", True):
            yield bad(TypeError, env.format_action, thing)
        for data in (None, b"", "a"):
            yield bad(SnapshotError, env.load, data)
        yield from self.answers()

    def answers(self) -> Iterator[Bad]:
        """Bad answers of a language model."""
        env = self.env
        numbers = [str(action) for action in (-1, self.game.actions.size, 10**9, *self.illegal())]
        for text in NO_ANSWERS:
            yield bad(NotationError, env.parse_action, text)
        for text in (*NO_ANSWERS, *numbers, "٣", "!" + "9" * 5000):
            yield bad(NotationError, words.parse, env, text)
        for row in (-1, 1, None, 0.0, "0", True):
            yield bad(IndexError, words.legal_moves, env, row)
        for seat in (-1, 9, 10**5000, "player_9", "player_", 1.0, True, "9" * 5000, "٣", b"0"):
            yield bad(IndexError, words.text_of, env, seat)
        for table in (None, 3, "env"):
            yield bad(TypeError, words.parse, table, "pass")


class SessionTarget(Target):
    """The terminal session, and the game functions that parse what a person types."""

    name = "session"
    begins = closes = False

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.options = options
        self.reset(seed)

    def reset(self, seed: int) -> None:
        self.session = Session(self.game, self.game.options.validate(self.options), seed)

    def legal(self) -> list[int]:
        return [] if self.session.over else self.session.legal()

    def step(self, action: Any) -> None:
        self.session.play(action)

    def memory(self) -> bytes:
        return self.session._states.tobytes() + repr(self.session.actions).encode()

    def bad_calls(self) -> Iterator[Bad]:
        yield from super().bad_calls()
        yield from seeding(self.reset)
        for text in NO_ANSWERS:
            yield bad(NotationError, self.game.parse_action, self.session.state, text)
