"""Copies, snapshots, notation and rendering of the PettingZoo API."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix import quatrix_v0, resistor_v0
from polytrix.api.aec import AECGame
from polytrix.core.errors import (
    GameOverError,
)
from polytrix.games.quatrix import GAME
from tests.api.aec_play import everything, illegal, play_out, played

# -- copies -------------------------------------------------------------------------------


COPIES: dict[str, Callable[[AECGame], AECGame]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("more", [{}, {"shaping": 1.0, "dtype": "float32"}])
def test_a_copy_goes_on_identically_and_by_itself(
    copied: Callable[[AECGame], AECGame], more: dict[str, Any]
) -> None:
    env = played(quatrix_v0.env(max_decisions=40, **more), 15)
    twin = copied(env)
    assert twin.observation_space("player_0") == env.observation_space("player_0")
    start = everything(env)
    assert everything(twin) == start
    rng = np.random.default_rng(0)
    actions = []
    while env.legal_actions():
        actions.append(int(rng.choice(env.legal_actions())))
        env.step(actions[-1])
    assert everything(twin) == start, "the copy does not share anything"
    for action in actions:
        twin.step(action)
    assert everything(twin) == everything(env)
    env.reset()
    twin.reset()
    assert everything(twin) == everything(env)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_at_special_moments(copied: Callable[[AECGame], AECGame]) -> None:
    forfeited = played(quatrix_v0.env(), 5)
    forfeited.step(illegal(forfeited))
    leaving = played(quatrix_v0.env(max_decisions=4), 4)
    leaving.step(None)
    for env in (forfeited, leaving):
        twin = copied(env)
        assert everything(twin) == everything(env)
        assert play_out(twin) == play_out(env)
    with pytest.raises(GameOverError):
        copied(quatrix_v0.env()).step(0)


def test_save_and_load() -> None:
    env = played(quatrix_v0.env(finish_depth=1, max_decisions=30), 12)
    other = quatrix_v0.raw_env(shaping=1.0)
    other.load(env.save())
    assert other.options["finish_depth"] == 1
    assert everything(other) == everything(env)
    play_out(env, seed=9)
    play_out(other, seed=9)
    assert env.save() == other.save()
    other.load(env.save())
    assert other.truncations == {"player_0": True, "player_1": True}, "an ended game is loaded as it ended"


def test_the_payoffs_of_an_ended_game_that_is_loaded() -> None:
    env, other = played(resistor_v0.env(), 0), resistor_v0.env()
    told, _ = play_out(env)
    other.load(env.save())
    assert set(told.values()) == {1.0, -1.0} and play_out(other)[0] == told


# -- notation and rendering ---------------------------------------------------------------


def test_render_text_and_pixels() -> None:
    env = played(quatrix_v0.env(render_mode="ansi"), 9)
    assert env.render() == GAME.text(env.record, None)
    env = played(quatrix_v0.env(render_mode="rgb_array"), 9)
    first = env.render()
    assert isinstance(first, np.ndarray) and first.dtype == np.uint8 and first.shape[2] == 3
    np.testing.assert_array_equal(first, GAME.draw(env.record, None).rgb())
    env.step(env.legal_actions()[0])
    second = env.render()
    assert isinstance(second, np.ndarray) and (first != second).any()
    env.close()
    env.close()


def test_render_without_a_mode_warns() -> None:
    env = played(quatrix_v0.env(), 1)
    with pytest.warns(UserWarning, match="render_mode="):
        assert env.render() is None


class FakeWindow:
    """Records what it is asked to show."""

    shown: list[Any]

    def __init__(self, title: str, frames_per_second: float) -> None:
        self.shown, self.closed = [], False
        windows.append(self)

    def show(self, rgb: Any) -> None:
        self.shown.append(rgb)

    def close(self) -> None:
        self.closed = True


windows: list[FakeWindow] = []


def test_the_window_follows_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.drawing.window.Window", FakeWindow)
    windows.clear()
    env = quatrix_v0.env(render_mode="human")
    env.reset(seed=1)
    env.step(env.legal_actions()[0])
    (window,) = windows
    assert len(window.shown) == 2 and (window.shown[0] != window.shown[1]).any()
    assert env.render() is None and len(window.shown) == 3
    twin = copy.deepcopy(env)
    env.close()
    assert window.closed
    twin.step(twin.legal_actions()[0])
    assert len(windows) == 2 and len(windows[1].shown) == 1, "a copy has a window of its own"
