"""Environments tell the game so far as a transcript, with what built-in policies and others have answered."""

from __future__ import annotations

import pickle

import gymnasium
import numpy as np
import pytest

import polytrix
from polytrix import quatrix_v0
from polytrix.api.aec import AECGame
from polytrix.api.single import SingleEnv
from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import GameOverError, TranscriptError
from tests.every_game import every_game


def play_single(env: SingleEnv, decisions: int, rng: np.random.Generator) -> None:
    """Let the learner play at random, at most to the end."""
    for _ in range(decisions):
        legal = np.flatnonzero(env.action_masks())
        if not len(legal):
            return
        env.step(int(rng.choice(legal)))


def is_told(env: SingleEnv | AECGame) -> bool:
    """Whether the transcript leads to the environment's position."""
    return bool(env.transcript().replay(Mode.PLAIN).states[0].tobytes() == env.record.tobytes())


@every_game
def test_a_game_of_agents_is_told_as_it_was_played(game: polytrix.Game) -> None:
    env = AECGame(game)
    rng = np.random.default_rng(4)
    for seed in (5, None, None):
        env.reset(seed=seed)
        actions = []
        while env.agents and not env.terminations[env.agent_selection] and len(actions) < 15:
            actions.append(int(rng.choice(env.legal_actions())))
            env.step(actions[-1])
        assert list(env.transcript().actions) == actions
        assert is_told(env)
    assert env.transcript().seed != 5


@every_game
@pytest.mark.parametrize("opponent", ["random", "greedy", "ppo"])
def test_answers_of_opponents_are_told(game: polytrix.Game, opponent: str) -> None:
    env = SingleEnv(game, opponent=opponent, seat="rotate")
    rng = np.random.default_rng(4)
    for seed in (5, None):
        env.reset(seed=seed)
        play_single(env, 6, rng)
        transcript = env.transcript()
        assert is_told(env)
        assert len(transcript.actions) >= int(env.record.decisions) > 6


def test_opponents_of_several_kinds_at_one_table() -> None:
    env = SingleEnv("pressure_matrix", opponent=["random", "ppo-players4", "greedy"], players=4, seat=1)
    env.reset(seed=3)
    play_single(env, 4, np.random.default_rng(0))
    assert is_told(env)


def test_wrapped_and_copied_environments() -> None:
    made = gymnasium.make("polytrix/resistor-v0", opponent="greedy")
    made.reset(seed=2)
    env = made.unwrapped
    assert isinstance(env, SingleEnv)
    play_single(env, 3, np.random.default_rng(0))
    copied = pickle.loads(pickle.dumps(env))
    assert copied.transcript() == env.transcript()
    play_single(copied, 2, np.random.default_rng(1))
    assert is_told(copied) and len(copied.transcript().actions) > len(env.transcript().actions)


def test_a_game_from_elsewhere_has_no_transcript() -> None:
    env, other = AECGame("quatrix"), AECGame("quatrix")
    with pytest.raises(GameOverError, match="reset"):
        env.transcript()
    env.reset(seed=1)
    other.reset(seed=1)
    other.step(other.legal_actions()[-1])
    env.load(other.save())
    with pytest.raises(TranscriptError, match="not played here from its beginning"):
        env.transcript()
    env.reset()
    env.step(env.legal_actions()[-1])
    assert is_told(env)


def test_the_game_after_a_loaded_one_of_more_decisions_is_told() -> None:
    env, longer = AECGame("quatrix", max_decisions=2), AECGame("quatrix")
    env.reset(seed=1)
    longer.reset(seed=1)
    env.load(longer.save())
    env.reset()
    for _ in range(5):
        env.step(env.legal_actions()[-1])
    assert is_told(env) and len(env.transcript().actions) == 5


def test_a_refused_action_is_not_told() -> None:
    env = quatrix_v0.raw_env()
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(polytrix.core.errors.IllegalActionError):
        env.step(illegal)
    assert env.transcript().actions == ()
