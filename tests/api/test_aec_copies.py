"""Copies, snapshots, notation and rendering of the PettingZoo API."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix import Game, Simulator, quatrix_v0
from polytrix.api.aec import AECGame
from polytrix.core.errors import (
    GameOverError,
    MissingExtraError,
    NotationError,
    SnapshotError,
)
from polytrix.games.quatrix import GAME
from tests.api.aec_play import everything, illegal, play_out, played
from tests.toys import SECRET

# -- copies -------------------------------------------------------------------------------


COPIES: dict[str, Callable[[AECGame], AECGame]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("shaping", [0.0, 1.0])
def test_a_copy_goes_on_identically_and_by_itself(copied: Callable[[AECGame], AECGame], shaping: float) -> None:
    env = played(quatrix_v0.env(max_decisions=40, shaping=shaping), 15)
    twin = copied(env)
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


def test_a_snapshot_opens_in_a_simulator() -> None:
    env = played(quatrix_v0.env(), 12)
    simulator = Simulator(GAME)
    simulator.load(env.save())
    np.testing.assert_array_equal(simulator.mask[0], env.observe(env.agent_selection)["action_mask"])


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: b"x" + data, lambda data: b"", lambda data: 5]
)
def test_a_damaged_snapshot_changes_nothing(damage: Callable[[bytes], Any]) -> None:
    env = played(quatrix_v0.env(), 12)
    data = played(quatrix_v0.env(), 6).save()
    before = everything(env)
    with pytest.raises(SnapshotError):
        env.load(damage(data))
    with pytest.raises(SnapshotError, match="secret"):
        env.load(played(AECGame(SECRET), 1).save())
    assert everything(env) == before


# -- notation and rendering ---------------------------------------------------------------


def test_notation_both_ways() -> None:
    env = played(quatrix_v0.env(), 9)
    texts = [env.format_action(action) for action in env.legal_actions()]
    assert len(set(texts)) == len(texts) > 1
    assert [env.parse_action(text) for text in texts] == env.legal_actions()
    with pytest.raises(NotationError):
        env.parse_action("hello")
    with pytest.raises(TypeError):
        env.format_action(1.5)  # type: ignore[arg-type]


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


def test_the_window_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingExtraError, match=r"polytrix\[human\]"):
        quatrix_v0.env(render_mode="human")


def test_a_game_can_be_given_itself() -> None:
    env = AECGame(GAME)
    assert isinstance(env.game, Game) and env.metadata["name"] == "quatrix_v0"
