"""Checkpoints of `rllib_ppo.py` that are not of such a run."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")


from polytrix.core.errors import CheckpointError
from polytrix.training import rllib_ppo
from polytrix.training.shared.runs import go_on
from tests.training.learners import learner_of

pytestmark = pytest.mark.timeout(900)


def test_a_forged_optimiser_is_refused() -> None:
    """Its tensors go to fused Adam, which does not compare shapes."""
    settings = rllib_ppo.Settings(
        "resistor", env_runners=0, num_envs=8, num_steps=16, batch_size=64, layers=(16,)
    )
    with closing(learner_of(rllib_ppo.Learner, settings)) as learner:
        learner.iterate(0.0)
        state = learner.state()
        rllib_ppo.remembered(state["algorithm"])["state"][0]["exp_avg"] = np.zeros(3, np.float32)
        with pytest.raises(CheckpointError, match=r"exp_avg.*float32 of shape \(3,\)"):
            go_on(learner, state)
        go_on(learner, learner.state())
