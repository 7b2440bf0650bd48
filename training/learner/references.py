"""Reference policies: a term of `fast_ppo.py`'s loss keeps the policy near them.

The term is the sum of the KL divergences of the policy from each reference, times their weights. With weights
w and references r, it is sum(w) * sum(p log p) - sum(p * sum(w log r)): all that the loss needs of the
references is one number for each legal action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from polytrix.learning import passes
from polytrix.learning.samples import Samples
from polytrix.learning.workers import Workers
from polytrix.training.learner.network import Network

Reference = tuple[float, Network | None]
"""A weight and a policy; None is the uniform one, which needs no numbers."""


def weighted_sum(
    references: Sequence[Reference],
    given: Mapping[str, Any],
    buffers: Sequence[Samples],
    workers: Workers,
) -> Tensor:
    """The sum of policies' log-probabilities of the legal actions, times their weights, for each decision.

    Args:
        references: the weights and policies.
        given, buffers: the decisions, as in `prepared`.
        workers: threads that share the work.

    Returns:
        (N, L) float32 on the device of the decisions, 0 where no action is; (N, 0) if there are none.
    """
    legal, count = given["legal"], given["count"]
    networks = [(weight, network) for weight, network in references if weight and network is not None]
    total = torch.zeros((len(count), legal.shape[1] if networks else 0), device=legal.device)

    def add(samples: Samples) -> None:
        rows = np.arange(samples.first, samples.first + samples.size)
        for weight, network in networks:
            if network.compiles:
                vector, arrays = network.vector.numpy(), (legal.numpy(), count.numpy())
                seen = given["observation"]
                passes.add_log_probabilities(vector, network.sizes, seen, *arrays, rows, weight, total.numpy())
            else:
                own = torch.from_numpy(rows).to(legal.device)
                seen, *rest = (each.index_select(0, own) for each in (given["observation"], legal, count))
                total[own] += weight * network.log_probabilities(seen, *rest)

    if networks:
        workers.map(add, buffers)
    return total
