"""RLlib's PPO learner with few operations per minibatch, and threads that share them.

    config = BatchPPOConfig().learners(learner_config_dict={"threads": 2})

`BatchPPOConfig` uses it. Loss, gradient clipping, schedules and metrics are those of RLlib's `PPOTorchLearner`.
Each thread computes the gradient of a shard of every minibatch. PyTorch's own threads would compete with them:
call `torch.set_num_threads(1)` in the learner's process. On a GPU there is one shard.

Gradients that are not finite are applied like others: check the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polytrix.core.errors import MissingExtraError

from ..shared.workers import Workers, sum_of

try:
    import torch
    from ray.rllib.algorithms.ppo.ppo import (
        LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY,
        LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY,
    )
    from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.learner.learner import ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
    from ray.rllib.core.learner.training_data import TrainingData
    from ray.rllib.evaluation.postprocessing import Postprocessing
    from ray.rllib.policy.sample_batch import MultiAgentBatch
    from ray.rllib.utils.torch_utils import convert_to_torch_tensor
    from torch import Tensor
    from torch.nn import functional
except ImportError:
    raise MissingExtraError("polytrix.api.rllib.learner", "rllib") from None

THREADS = "threads"
"""Key of `learner_config_dict`: number of threads of the learner, 1 if it is not there."""

COLUMNS = (
    Columns.ACTIONS,
    Columns.ACTION_LOGP,
    Postprocessing.ADVANTAGES,
    Postprocessing.VALUE_TARGETS,
)
"""What is learned from, besides the observations."""


@dataclass(frozen=True)
class Weights:
    """Settings of the loss, as in `PPOConfig`."""

    clip: float
    value_clip: float
    value: float
    entropy: float


class BatchPPOLearner(PPOTorchLearner):  # type: ignore[misc]  # Any where Ray is not installed
    """Teaches a `LearningNetwork` from single decisions, without sequences or loss masks."""

    def build(self) -> None:
        """Build modules and optimisers; called by RLlib."""
        super().build()
        threads = self.config.learner_config_dict.get(THREADS, 1)
        self.workers = Workers(1 if self.device.type == "cuda" else threads)

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """Give a module RLlib's default optimiser, Adam, in its fused form; called by RLlib."""
        parameters = self.get_parameters(self.module[module_id])
        self.register_optimizer(
            module_id=module_id,
            optimizer=torch.optim.Adam(parameters, fused=True),
            params=parameters,
            lr_or_lr_schedule=config.lr,
        )

    def update(
        self,
        batch: MultiAgentBatch | None = None,
        *,
        training_data: TrainingData | None = None,
        timesteps: Mapping[str, Any] | None = None,
        num_epochs: int = 1,
        minibatch_size: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Pass `num_epochs` times over a batch in minibatches of equal size; called by RLlib.

        Several learners (`num_learners` above 1) share their gradients, so they take RLlib's own path.

        Args:
            batch: what is learned from, by module.
            training_data: the same, from a `LearnerGroup`.
            timesteps: for schedules.
            num_epochs: number of passes. Each has another order.
            minibatch_size: wanted size of the minibatches; None: the whole batch.
            **kwargs: for RLlib's own path.

        Returns:
            The metrics of RLlib. Losses are means over all minibatches, and a decision counts once.
        """
        given = training_data or TrainingData(batch=batch)
        if self.distributed:
            return super().update(
                training_data=given,
                timesteps=timesteps,
                num_epochs=num_epochs,
                minibatch_size=minibatch_size,
                **kwargs,
            )
        given.validate()
        given.solve_refs()
        self.before_gradient_based_update(timesteps=timesteps or {})
        self._weights_seq_no += 1  # runners take weights only if it has changed
        for module_id, columns in given.batch.policy_batches.items():
            if self.should_module_be_updated(module_id, given.batch):
                tensors = convert_to_torch_tensor(dict(columns), device=self.device)
                figures = self.learn(module_id, tensors, num_epochs, minibatch_size or len(columns))
                self.metrics.log_dict(figures, key=module_id, window=1)
        self._log_metrics(given.batch)
        self._log_steps_trained_metrics(given.batch)
        self.after_gradient_based_update(timesteps=timesteps or {})
        return self.metrics.reduce()

    def learn(self, module_id: str, given: Mapping[str, Any], epochs: int, size: int) -> dict[str, float]:
        """Pass over the decisions of a module in minibatches; the figures to log."""
        module, config = self.module[module_id].unwrapped(), self.config.get_config_for_module(module_id)
        parameters = self.get_parameters(module)
        optimizers = self.get_optimizers_for_module(module_id)
        entropy = self.entropy_coeff_schedulers_per_module[module_id].get_current_value()
        weights = Weights(config.clip_param, config.vf_clip_param, config.vf_loss_coeff, float(entropy))
        decisions = len(given[Columns.ACTIONS])
        given = {**given, Columns.OBS: module.prepared(given[Columns.OBS])}
        sums = []
        for _ in range(epochs):
            order = torch.randperm(decisions).to(self.device)
            for chosen in order.tensor_split(max(1, round(decisions / size))):

                def gradient(shard: Tensor, total: int = len(chosen)) -> tuple[tuple[Tensor, ...], Tensor]:
                    loss, figures = loss_of(module, given, shard, weights)
                    return torch.autograd.grad(loss / total, parameters, allow_unused=True), figures / total

                shards = chosen.tensor_split(min(self.workers.threads, len(chosen)))
                parts, figures = zip(*self.workers.map(gradient, shards), strict=True)
                gradients = (sum_of(shares) for shares in zip(*parts, strict=True))
                clipped = self.postprocess_gradients_for_module(
                    module_id=module_id,
                    config=config,
                    module_gradients_dict=dict(zip(parameters, gradients, strict=True)),
                )
                for parameter, its in clipped.items():
                    parameter.grad = its
                for _, optimizer in optimizers:
                    optimizer.step()
                sums.append(sum_of(figures))
        return self.named(torch.stack(sums).mean(0).tolist())

    def named(self, means: list[float]) -> dict[str, float]:
        """The figures to log, from the means of those of `loss_of`."""
        loss, policy, value, unclipped, entropy, error, target, target_square = means
        variance = max(target_square - target**2, 1e-12)
        return {
            self.TOTAL_LOSS_KEY: loss,
            POLICY_LOSS_KEY: policy,
            VF_LOSS_KEY: value,
            LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY: unclipped,
            ENTROPY_KEY: entropy,
            LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY: max(-1.0, 1 - (unclipped - error**2) / variance),
        }


def loss_of(module: Any, given: Mapping[str, Any], chosen: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    """The loss of PPO summed over some decisions, and the sums of the figures to log.

    Args:
        module: the learner.
        given: the columns of all decisions.
        chosen: (n,) indices of the decisions.
        weights: of the parts of the loss.

    Returns:
        The loss, and without gradient: loss, policy loss, value loss, the same unclipped, entropy, error of
        the value, its target, and the square of that.
    """
    seen = {name: each.index_select(0, chosen) for name, each in given[Columns.OBS].items()}
    place, before, advantage, target = (given[name].index_select(0, chosen) for name in COLUMNS)
    batch = {Columns.OBS: seen}
    out = module.forward_train(batch)
    error = module.compute_values(batch, out.get(Columns.EMBEDDINGS)) - target
    logits = out[Columns.ACTION_DIST_INPUTS]
    log_probabilities = functional.log_softmax(logits, 1)
    entropy = -(functional.softmax(logits, 1) * log_probabilities).sum(1)
    ratio = (log_probabilities.gather(1, place[:, None]).squeeze(1) - before).exp()
    within = ratio.clamp(1 - weights.clip, 1 + weights.clip)
    policy_loss = -torch.minimum(advantage * ratio, advantage * within)
    unclipped = error.square()
    value_loss = unclipped.clamp(max=weights.value_clip)
    loss = policy_loss + weights.value * value_loss - weights.entropy * entropy
    rows = (loss, policy_loss, value_loss, unclipped, entropy, error, target, target.square())
    return loss.sum(), torch.stack([row.detach() for row in rows]).sum(1)
