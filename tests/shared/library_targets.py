"""Stable-Baselines3 and OpenSpiel as targets of bad calls."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from polytrix.core.errors import GameOverError, IllegalActionError, SnapshotError
from polytrix.core.game import Game
from polytrix.core.state import CHANCE

from .batch_targets import BatchTarget
from .targets import FAR, Bad, Errors, Target, bad, seeding


class SB3Target(BatchTarget):
    """Stable-Baselines3."""

    name = "sb3"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        from polytrix.api.sb3.vec_env import SelfPlayVecEnv

        super().__init__(game, seed, **options)
        self.env = SelfPlayVecEnv(game, self.rows, opponents=["random"], seed=seed, **options)
        self.batch = self.env.batch

    def reset(self, seed: int) -> None:
        self.env.seed(seed)
        self.env.reset()

    def step_all(self, actions: Any) -> None:
        self.env.step(actions)

    def memory(self) -> bytes:
        return super().memory() + repr((self.env._seeds, self.env._untouched)).encode()

    def close(self) -> None:
        self.env.close()

    def bad_calls(self) -> Iterator[Bad]:
        yield from super().bad_calls()
        yield from seeding(self.env.seed)
        yield bad(ValueError, self.env.seed, 2**63 - 2)  # no room for three rows


class OpenSpielTarget(Target):
    """OpenSpiel, chance events included."""

    name = "openspiel"
    begins = closes = False

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        import pyspiel

        from polytrix.api import openspiel

        super().__init__(game, seed, **options)
        self.known: Any = pyspiel
        if f"polytrix_{game.name}" not in pyspiel.registered_names():
            openspiel.register_game(game)
        self.source = pyspiel.load_game(f"polytrix_{game.name}", options)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        self.state = self.source.new_initial_state()

    def legal(self) -> list[int]:
        state = self.state
        if state.is_chance_node():
            return [outcome for outcome, _ in state.chance_outcomes()]
        legal: list[int] = state.legal_actions()
        return legal

    def illegal(self) -> list[int]:
        if not self.state.is_chance_node():
            return super().illegal()
        count = int(self.game.chance(self.state.record))
        return [count, count + 1]

    def step(self, action: Any) -> None:
        self.state.apply_action(action)

    def memory(self) -> bytes:
        state = self.state
        held = (state._mover, state._past, state._seen, len(state._news), state.history())
        return bytes(state.position) + repr(held).encode()

    def bad_calls(self) -> Iterator[Bad]:
        state, source = self.state, self.source
        yield from self.bad_actions()
        observer = source.make_py_observer()
        for player in (-1, -2, state.num_players(), 10**9):
            for call in (state.past, state.seen):
                yield bad(ValueError, call, player)
            for call in (observer.set_from, observer.string_from):
                yield bad(ValueError, call, state, player)
            for call in (state.observation_tensor, state.information_state_string, state.observation_string):
                yield bad(self.known.SpielError, call, player)
            yield bad(ValueError, state.resample_from_infostate, player, lambda: 0.5)
        for number in (float("nan"), -1.0, 2.0, float("inf")):
            yield bad(ValueError, state.resample_from_infostate, 0, partial(float, number))
        if state._mover != CHANCE:
            yield bad(ValueError, state.chance_outcomes)
            for action in (-1, self.game.actions.size, 10**9):
                yield bad(IndexError, state.action_to_string, 0, action)
        text = state.serialize()
        head, _, pickled = text.rpartition("__dict__=")
        for wrong in (
            None, 3, "", "garbage", text[:-5], text + "x", text.encode(), f"{head}__dict__=gASV",
            f"{head}__dict__={pickled[:40]}", text.replace("history=", "history=0:0,", 1),
            text.replace("history=", "history=-1:99999999,", 1),
            f"history=7:7\nmove_number=0\n__dict__={pickled}",
        ):  # fmt: skip
            yield bad(SnapshotError, source.deserialize_state, wrong)

    def errors_for(self, action: int) -> Errors:
        if not -(2**63) <= action < 2**63:
            return TypeError
        if action == -1:
            return self.known.SpielError  # type: ignore[no-any-return]  # OpenSpiel's own check
        return GameOverError if self.state.is_terminal() else IllegalActionError

    def bad_actions(self) -> Iterator[Bad]:
        """Bad actions and outcomes. OpenSpiel itself accepts True as 1, and anything with `__int__`."""
        state = self.state
        over, chance = state.is_terminal(), state.is_chance_node()
        for number in (*FAR, *([0] if over else self.illegal()), *([] if chance else [self.game.actions.size])):
            for call in (self.step, state.child):
                yield bad(self.errors_for(number), call, number)
        things: tuple[Any, ...] = (None, 1.5, float("nan"), "a", [0], {}, b"0")
        for thing in things:
            yield bad(TypeError, self.step, thing)
