"""Targets of the fuzzer: an API of a game, played in one game, compared byte by byte, and called wrongly.

A target lists its bad calls in the present position, each with the errors that it documents for them. The
targets of one game at a time stand here, those of many in `batch_targets.py`, those that need a library in
`library_targets.py`.
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

Errors: TypeAlias = type[Exception] | tuple[type[Exception], ...]

FAR = (-1, 5000, 10**9, 2**31, 2**63 - 1, -(2**63), 2**63, 2**64 - 1, 10**5000)
"""Numbers that are no action of any game, nor an outcome of chance."""

NO_NUMBERS: tuple[Any, ...] = (
    None, True, np.True_, 1.5, 2.0, float("nan"), float("inf"), 1j, "a", "0", b"0", [0], (0,), [], {}, {0},
    np.float64(0), np.array([0]), np.array([[0]]), np.array([]), np.array("0"), object(), int,
)  # fmt: skip
"""Things that are no whole number."""

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
"""Seeds that are allowed nowhere, None aside."""

BAD_ROWS: tuple[Any, ...] = (
    [0, 0], [-1], [10**9], [2**64 - 1], [0.5], [True], ["0"], [[0]], 0, "0", [None], [[], [0]],
)  # fmt: skip
"""Row numbers that are allowed nowhere."""


NO_ANSWERS: tuple[Any, ...] = (
    None, 3, 1.5, b"pass", ["pass"], object(), "", "\0", "!", "9" * 5000, "x" * 5000, "no such move",
)  # fmt: skip
"""What names no action in any game."""


@dataclass(frozen=True)
class Bad:
    """A call that must be refused, with one of these errors."""

    call: partial[Any]
    errors: tuple[type[Exception], ...]

    def __str__(self) -> str:
        """What is called with what."""
        named = [f"{name}={shown(each)}" for name, each in self.call.keywords.items()]
        name = getattr(self.call.func, "__name__", type(self.call.func).__name__)
        return f"{name}({', '.join([*map(shown, self.call.args), *named])})"


def bad(errors: Errors, call: Callable[..., Any], *given: Any, **named: Any) -> Bad:
    """The call of something with what it must not be given."""
    return Bad(partial(call, *given, **named), errors if isinstance(errors, tuple) else (errors,))


class Target:
    """One API of a game, through which one game is played.

    Args:
        game: the game.
        seed: of the first game.
        **options: of the game.
    """

    name: ClassVar[str]
    begins = True
    """Whether nothing can be done before `reset`."""
    closes = True
    """Whether nothing can be done after `close`."""

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        self.game = game

    def reset(self, seed: int) -> None:
        """Begin a game."""
        raise NotImplementedError

    def legal(self) -> list[int]:
        """What may be done; nothing once over."""
        raise NotImplementedError

    def step(self, action: Any) -> None:
        """Take the action, as the API checks it."""
        raise NotImplementedError

    def memory(self) -> bytes:
        """All that a refused call must leave alone, and every step changes."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the API, if it can be closed."""

    def bad_calls(self) -> Iterator[Bad]:
        """Calls that must be refused now."""
        if not self.legal():
            for action in (0, -1, 10**9):
                yield bad(GameOverError, self.step, action)
            return
        for action in (*FAR, self.game.actions.size, *self.illegal()):
            yield bad(self.errors_for(action), self.step, action)
        for thing in NO_NUMBERS:
            yield bad(TypeError, self.step, thing)

    def errors_for(self, action: int) -> Errors:
        """What a number that is no legal action is refused with."""
        return IllegalActionError

    def illegal(self) -> list[int]:
        """Some actions that exist and are illegal."""
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
        """Answers of a language model, and what stands in the place of one."""
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
    """The session of the terminal, and a game's own functions that take what a person types."""

    name = "session"
    begins = closes = False

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.options = options
        self.reset(seed)

    def reset(self, seed: int) -> None:
        from polytrix.cli.session import Session

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
