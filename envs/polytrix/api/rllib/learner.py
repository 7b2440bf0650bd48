"""RLlib's PPO learner with few operations per minibatch, and threads that share them.

    config = BatchPPOConfig().learners(learner_config_dict={"threads": 2})

`BatchPPOConfig` uses it. Loss, gradient clipping, schedules and metrics are those of RLlib's `PPOTorchLearner`.
Each thread computes the gradient of a shard of every minibatch. PyTorch's own threads would compete with them:
call `torch.set_num_threads(1)` in the learner's process. On a GPU there is one shard.

Gradients that are not finite are applied like others: check the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

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
from torch import Tensor, nn

from polytrix.learning import passes, sparse
from polytrix.learning.ppo_loss import FIGURES, NOBODY, Decisions, Weights, loss_of
from polytrix.learning.workers import Workers, one_blas_thread, sum_of

from .env import OBSERVATIONS
from .modules import LEGAL_ACTIONS, LearningNetwork, num_listed

THREADS = "threads"
"""Key of `learner_config_dict`: number of threads of the learner, 1 if it is not there."""

COLUMNS = (
    Columns.ACTIONS,
    Columns.ACTION_LOGP,
    Postprocessing.ADVANTAGES,
    Postprocessing.VALUE_TARGETS,
)
"""What is learned from, besides the observations."""

Gradient = Callable[["Tensor", int, int], tuple["Tensor", "Tensor"]]


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
        """Pass `num_epochs` times, each in another order, over a batch in minibatches of equal size.

        RLlib calls it with `batch`, or a `LearnerGroup` with `training_data`, and takes the metrics. Losses are
        means over all minibatches, and a decision counts once. Several learners (`num_learners` above 1) share
        their gradients, so they take RLlib's own path.
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
                with one_blas_thread():
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
        weights = Weights(
            float(config.clip_param),
            float(entropy),
            float(config.vf_loss_coeff),
            value_clip=float(config.vf_clip_param),
            standardize=False,
        )
        target = given[Postprocessing.VALUE_TARGETS]
        gradient_of = compiled_gradients if module.compiles else gradients_by_pytorch
        gradient = gradient_of(module, parameters, given, weights)
        sums = []
        for _ in range(epochs):
            order = torch.randperm(len(target)).to(self.device)
            for chosen in order.tensor_split(max(1, round(len(target) / size))):
                shards = min(self.workers.threads, len(chosen))
                gradients = self.workers.map(partial(gradient, chosen, shards), range(shards))
                parts, figures = zip(*gradients, strict=True)
                slopes = sum_of(parts).split([each.numel() for each in parameters])
                clipped = self.postprocess_gradients_for_module(
                    module_id=module_id,
                    config=config,
                    module_gradients_dict={
                        each: slope.view_as(each) for each, slope in zip(parameters, slopes, strict=True)
                    },
                )
                for parameter, its in clipped.items():
                    parameter.grad = its
                for _, optimizer in optimizers:
                    optimizer.step()
                sums.append(sum_of(figures))
        return self.named(torch.stack(sums).mean(0).tolist(), float(target.var(correction=0)))

    def named(self, means: list[float], variance: float) -> dict[str, float]:
        """The figures to log, from the means of those of the loss and the variance of the value's targets."""
        of = dict(zip(FIGURES, means, strict=True))
        unexplained = of["unclipped_value_loss"] - of["value_error"] ** 2
        return {
            self.TOTAL_LOSS_KEY: of["loss"],
            POLICY_LOSS_KEY: of["policy_gradient_loss"],
            VF_LOSS_KEY: of["value_loss"],
            LEARNER_RESULTS_VF_LOSS_UNCLIPPED_KEY: of["unclipped_value_loss"],
            ENTROPY_KEY: -of["entropy_loss"],
            LEARNER_RESULTS_VF_EXPLAINED_VAR_KEY: max(-1.0, 1 - unexplained / max(variance, 1e-12)),
        }


def compiled_gradients(
    module: LearningNetwork, parameters: Sequence[nn.Parameter], given: Mapping[str, Any], weights: Weights
) -> Gradient:
    """What `gradients_by_pytorch` returns, in compiled calls. The parameters become views of one vector."""
    vector = passes.one_vector(parameters)
    decisions = Decisions(*(each.contiguous().numpy() for each in decisions_in(given)))
    entries = sparse.entries(given[Columns.OBS][OBSERVATIONS].to(torch.int8).contiguous(), module.scale)
    sizes = module.sizes()
    slopes: dict[int, Tensor] = {}  # kept, since new memory takes as long as the gradient

    def gradient(chosen: Tensor, shards: int, shard: int) -> tuple[Tensor, Tensor]:
        if shard not in slopes:
            slopes[shard] = torch.empty_like(vector)
        figures = torch.zeros(len(FIGURES))
        passes.gradient(
            vector.numpy(),
            sizes,
            entries,
            decisions,
            chosen.numpy(),
            *part(chosen, shards, shard),
            weights,
            slopes[shard].numpy(),
            figures.numpy(),
        )
        return slopes[shard], figures

    return gradient


def gradients_by_pytorch(
    module: LearningNetwork, parameters: Sequence[nn.Parameter], given: Mapping[str, Any], weights: Weights
) -> Gradient:
    """A function for the gradient of a part of a minibatch's loss; `given` are the columns of all decisions.

    Its arguments are (B,) indices of the decisions of the minibatch, the number of its parts, and the number of
    one of them. It returns the gradient, in the order of the parameters, and the part's share of `FIGURES`. It
    may overwrite an earlier gradient of that part.
    """
    decisions = decisions_in(given)

    def gradient(chosen: Tensor, shards: int, shard: int) -> tuple[Tensor, Tensor]:
        rows = chosen[slice(*part(chosen, shards, shard))]
        batch = {Columns.OBS: {name: each.index_select(0, rows) for name, each in given[Columns.OBS].items()}}
        out = module.forward_train(batch)
        value = module.compute_values(batch, out.get(Columns.EMBEDDINGS))
        its, logits = Decisions(*(each[rows] for each in decisions)), out[Columns.ACTION_DIST_INPUTS]
        loss, figures = loss_of(logits, value, its, 1 / len(chosen), 0.0, weights)
        return torch.cat([slope.ravel() for slope in torch.autograd.grad(loss, parameters)]), figures

    return gradient


def decisions_in(given: Mapping[str, Any]) -> Decisions:
    """The decisions in the columns of a batch, which nobody taught."""
    legal = given[Columns.OBS][LEGAL_ACTIONS]
    columns = [legal, num_listed(legal), *(given[name] for name in COLUMNS)]
    columns += [torch.full((len(legal),), NOBODY, device=legal.device), columns[-1].new_zeros((len(legal), 0))]
    return Decisions(*columns)


def part(chosen: Tensor, parts: int, number: int) -> tuple[int, int]:
    """First and end of a part of a minibatch."""
    return len(chosen) * number // parts, len(chosen) * (number + 1) // parts
