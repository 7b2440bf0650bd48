"""`ppo.py`: advantages against an independent implementation, a toy, and going on exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from polytrix.agents import HeuristicPolicy
from polytrix.core.game import Game
from polytrix.training.ppo import Learner, Settings, advantages
from polytrix.training.shared.evaluation import evaluate
from polytrix.training.shared.runs import ends_in_words
from tests.high import HIGH
from tests.training.learners import learner_of

pytestmark = pytest.mark.usefixtures("known_toys")

TINY = Settings("high", num_envs=6, num_steps=25, batch_size=32, layers=(8,), options={"players": 3})


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_advantages_follow_each_seats_own_decisions(share: float) -> None:
    rollout = learner_of(Learner, replace(TINY, share_greedy=share)).play()
    for game in range(TINY.num_envs):  # where the greedy policy plays, one seat decides
        assert {*rollout.mover[:, game].tolist()} == ({game} if game < 3 and share else {0, 1, 2})
    gamma, decay, shaping = 0.9, 0.7, 0.5
    found, known = advantages(rollout, gamma, decay, shaping)
    closed = 0
    for game in range(TINY.num_envs):
        for seat in range(3):
            own = [t for t in range(TINY.num_steps) if rollout.mover[t, game] == seat]
            later = 0.0  # advantage of the seat's next decision in the same game
            for t in reversed(own):
                until = min((each for each in own if each > t), default=TINY.num_steps)
                end = next((each for each in range(t, until) if rollout.over[each, game]), None)
                if end is None and until == TINY.num_steps:
                    assert not known[t, game]
                    later = 0.0
                    continue
                if end is not None:
                    reward, value, potential, later = rollout.payoff[end, game, seat], 0.0, 0.0, 0.0
                else:
                    reward, value, potential = 0.0, rollout.value[until, game], rollout.potential[until, game]
                reward += shaping * (potential - rollout.potential[t, game])
                later = reward + gamma * value - rollout.value[t, game] + gamma * decay * later
                assert known[t, game] and found[t, game] == pytest.approx(later, abs=1e-5)
                closed += 1
    assert 50 < closed < known.size and closed == known.sum()


def test_a_toy_is_learned_in_seconds() -> None:
    settings = replace(
        TINY, num_envs=128, num_steps=32, batch_size=512, layers=(32,), learning_rate=3e-3, seed=3,
        options={"players": 2},
    )  # fmt: skip
    learner = learner_of(Learner, settings)
    while learner.decisions < 60_000:
        learner.iterate(learner.decisions / 60_000)
    options = HIGH.options.validate({"players": 2})
    assert evaluate(HIGH, learner.policy(), "random", 1000, options).interval[0] > 0.6
    assert evaluate(HIGH, learner.policy(), "greedy", 1000, options).interval[0] > 0.5


def test_imitation_pulls_towards_the_greedy_policy() -> None:
    agreed = {}
    for weight in (0.0, 1.0):
        learner = learner_of(Learner, replace(TINY, imitation=weight, learning_rate=0.01, epochs=10))
        for _ in range(3):
            learner.iterate(0.0)
        rollout = learner.play(HeuristicPolicy(HIGH))
        number = rollout.observation[:, :, :6].argmax(2)
        rating = np.stack([number, number + 1, np.full_like(number, 3)])  # of +1, +2 and folding; see `greedy`
        taught = np.take_along_axis(rating, rollout.taught[None], 0)[0]
        assert (taught == rating.max(0)).all() and {1, 2} == {*rollout.taught.ravel().tolist()}
        agreed[weight] = (rollout.place == rollout.taught).mean()
    assert agreed[1.0] > max(0.7, agreed[0.0] + 0.2)


@pytest.mark.parametrize("name", ["imitation", "share_greedy"])
def test_a_game_without_a_greedy_policy_is_told(name: str, register: Callable[[Game], Game]) -> None:
    register(replace(HIGH, greedy=None))
    with pytest.raises(SystemExit, match="has no greedy policy"), ends_in_words():
        learner_of(Learner, replace(TINY, **{name: 0.5}))


def test_the_policy_is_the_network_that_learned() -> None:
    learner = learner_of(Learner, TINY)
    learner.iterate(0.0)
    rollout = learner.play()
    given = (rollout.observation[3], rollout.legal[3], rollout.num_legal[3])
    with torch.no_grad():
        likely, _ = learner.network(*map(torch.from_numpy, given))
    logits = learner.policy().logits(rollout.observation[3])
    for row, count in enumerate(rollout.num_legal[3]):
        own = logits[row, rollout.legal[3, row, :count]]
        assert np.allclose(likely[row, :count], own - np.log(np.exp(own).sum()), atol=1e-4)
