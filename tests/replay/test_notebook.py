"""`polytrix.show`: games of environments, transcripts and files, in a frame that can reach nothing."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import polytrix
from polytrix import quatrix_v0
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import GameOverError, PolytrixError
from polytrix.core.state import ByteArray, FloatArray, IntArray
from polytrix.core.transcript import play
from polytrix.replay.notebook import Shown
from tests.elements import Elements


def frame_of(shown: Shown) -> dict[str, str | None]:
    """The attributes of the frame that a notebook shows."""
    ((tag, attributes),) = Elements(shown._repr_html_()).found
    assert tag == "iframe"
    return attributes


def test_the_frame_holds_the_page_and_is_sandboxed() -> None:
    transcript = play(polytrix.find("quatrix"), seed=3, decisions=4, mode=Mode.PLAIN)
    shown = polytrix.show(transcript, height=500)
    frame = frame_of(shown)
    assert frame["sandbox"] == "allow-scripts"
    assert frame["srcdoc"] == shown.html()
    assert "height: 500px" in str(frame["style"])
    assert unescape(str(frame["title"])) == "A game of Quatrix"


def test_the_game_so_far_of_a_running_environment() -> None:
    env = quatrix_v0.env()
    env.reset(seed=7)
    for _ in range(5):
        env.step(env.legal_actions()[0])
    shown = polytrix.show(env, agents=["greedy", "ppo"])
    assert repr(shown) == "Shown(Quatrix, 5 decisions)"
    assert [agent.name for agent in shown.replay.agents] == ["greedy", "ppo"]
    assert shown.replay.seed == "7" and shown.replay.payoffs is None
    env.step(env.legal_actions()[0])
    assert len(polytrix.show(env).replay.movers) == 7


def test_a_gymnasium_environment_with_its_opponents() -> None:
    env = gymnasium.make("polytrix/resistor-v0", opponent="greedy", seat=0)
    _, info = env.reset(seed=7)
    for _ in range(3):
        _, _, _, _, info = env.step(info["action_mask"].argmax())
    replay = polytrix.show(env, agents="greedy").replay
    assert {entry.seat for entry in replay.views[0].moves} == {0, 1}
    mine = polytrix.show(env, agents="greedy", seat=0).replay
    assert [view.seat for view in mine.views] == [0] and mine.seed is None


class Sure:
    """Plays the first legal action: no other has any probability, of which it tells the logarithm."""

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: object) -> IntArray:
        return np.asarray(mask.argmax(axis=1))

    def reasons(self, observation: ByteArray, mask: ByteArray) -> dict[str, FloatArray]:
        first = np.eye(mask.shape[1], dtype=bool)[mask.argmax(axis=1)]
        return {"logarithm": np.where(first, 0, -np.inf).astype(np.float32)}


def test_an_infinite_number_is_none() -> None:
    transcript = play(polytrix.find("quatrix"), seed=3, decisions=1, mode=Mode.PLAIN)
    shown = polytrix.show(transcript, agents=Sure())
    (agent,) = shown.replay.agents
    thought = agent.thoughts[0]
    assert thought is not None and [move.numbers for move in thought.moves[:2]] == [(0.0,), (None,)]
    assert shown.html()


def test_a_file(tmp_path: Path) -> None:
    transcript = play(polytrix.find("quatrix"), seed=3, decisions=4, mode=Mode.PLAIN)
    transcript.save(tmp_path / "game.json")
    shown = polytrix.show(tmp_path / "game.json")
    assert shown.replay == polytrix.show(str(tmp_path / "game.json")).replay == polytrix.show(transcript).replay
    shown.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == shown.html()


def test_what_cannot_be_shown(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="allowed: a Transcript, the path of one, or an environment"):
        polytrix.show(7)
    with pytest.raises(TypeError, match="allowed"):
        polytrix.show(gymnasium.make("CartPole-v1"))
    with pytest.raises(GameOverError, match="reset"):
        polytrix.show(quatrix_v0.raw_env())
    with pytest.raises(PolytrixError, match=r"nowhere\.json cannot be read"):
        polytrix.show(tmp_path / "nowhere.json")
