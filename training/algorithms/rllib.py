"""PPO of Ray RLlib (Schulman et al., arXiv 1707.06347), in self-play of all seats.

`training/rllib_ppo.py` as an algorithm of the benchmark, in one process. Its shaping does not fade, and its
learning rate is constant. It needs the extra `rllib`.
"""

from __future__ import annotations

from contextlib import closing

from polytrix.core.errors import MissingExtraError
from polytrix.training.shared.checkpoints import must_match
from polytrix.training.shared.runs import go_on
from polytrix.training.trials.runs import SHARED, settings_for
from polytrix.training.trials.trial import Trial

SAME = (
    "num_envs",
    "num_steps",
    "batch_size",
    "epochs",
    "learning_rate",
    "layers",
    "gamma",
    "gae_lambda",
    "shaping",
)
"""Settings that are those of the other algorithms."""


def train(trial: Trial) -> None:
    """Learn by RLlib's PPO.

    Raises:
        MissingExtraError: Ray is not installed.
    """
    try:
        from polytrix.training import rllib_ppo
    except ImportError:
        raise MissingExtraError("training/algorithms/rllib.py", "rllib") from None
    settings = settings_for(
        trial,
        rllib_ppo.Settings,
        env_runners=0,
        threads=1,
        share_random=0.0,
        share_greedy=0.0,
        share_past=0.0,
        **{name: SHARED[name] for name in SAME},
    )
    with closing(rllib_ppo.Learner(settings, trial.game, trial.options, trial.clock)) as learner:
        begin = learner.state() if trial.saved is None else trial.saved
        learner.iterate(0.0)  # compiles; then the learner begins anew, or goes on
        with must_match(trial.folder):
            go_on(learner, begin)
        while trial.goes_on(learner.decisions, learner.policy, learner.state):
            trial.log(learner.iterate(trial.done))
