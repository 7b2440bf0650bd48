"""The network of `fast_ppo.py`, and how it chooses actions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from polytrix.agents import NetworkPolicy
from polytrix.core.game import Game
from polytrix.core.state import FloatArray
from polytrix.learning import passes, sparse


class Network(nn.Module):
    """Hidden layers, then a policy head (logits of the actions) and a value head.

    Args:
        game: the game that it plays.
        layers: sizes of the hidden layers.
        device: where it is. It must not be moved or copied (make another one, and load its `state_dict`).
        values: number of values.

    Attributes:
        vector: all parameters, one after another. The parameters are views of it.
        sizes: number of inputs, units of each hidden layer, number of actions.
    """

    scale: Tensor

    def __init__(
        self,
        game: Game,
        layers: tuple[int, ...],
        device: torch.device | str = "cpu",
        values: int = 1,
    ) -> None:
        super().__init__()
        self.sizes = np.array([game.observations.size, *layers, game.actions.size])
        sizes = [game.observations.size, *layers]
        self.register_buffer("scale", torch.as_tensor(game.observations.scale))
        self.first = sparse.Inputs(sizes[0], sizes[1])
        others = [nn.Linear(*each) for each in pairwise(sizes[1:])]
        self.others = nn.Sequential(*(module for layer in others for module in (layer, nn.ReLU(inplace=True))))
        self.policy = nn.Linear(sizes[-1], game.actions.size)
        self.value = nn.Linear(sizes[-1], values)
        for layer, gain in {self.policy: 0.01, self.value: 1.0, **dict.fromkeys(others, 2**0.5)}.items():
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)
        self.to(device)
        self.vector = passes.one_vector(self.parameters())

    @property
    def compiles(self) -> bool:
        """Whether the passes of `polytrix.learning.passes` are for this network."""
        return self.value.out_features == 1 and not sparse.computes_densely(self.vector)

    def forward(
        self, observation: Tensor | sparse.Entries, legal: Tensor, count: Tensor
    ) -> tuple[Tensor, Tensor]:
        """What both heads answer.

        Args:
            observation: (n, O) int8, or their entries.
            legal, count: (n, W) int16 and (n,) int32, the legal actions and their number.

        Returns:
            Logits of the legal actions (n, W), very low where no action is, and all values (n, V).
        """
        x = self.features(observation)
        return sparse.legal_logits(x, self.policy, legal, count), self.value(x)

    def features(self, observation: Tensor | sparse.Entries) -> Tensor:
        """Inputs of the heads (n, H)."""
        x = sparse.first_layer(observation, self.scale, self.first.weight, self.first.bias)
        hidden: Tensor = self.others(x.relu_())
        return hidden

    @torch.no_grad()
    def log_probabilities(self, observation: Tensor, legal: Tensor, count: Tensor) -> Tensor:
        """Log-probabilities of the legal actions of n decisions, (n, W); 0 where no action is.

        Args:
            observation, legal, count: (n, O), (n, W) and (n,).
        """
        logarithms = torch.log_softmax(self(observation, legal, count)[0], 1)
        beyond = torch.arange(legal.shape[1], device=legal.device) >= count[:, None]
        filled: Tensor = logarithms.masked_fill(beyond, 0.0)
        return filled

    def exported(self) -> list[tuple[FloatArray, FloatArray]]:
        """The layers from observation to logits, for `NetworkPolicy` and `save_network`."""
        linear = [layer for layer in (*self.others, self.policy) if isinstance(layer, nn.Linear)]
        first = array_of(self.first.weight), array_of(self.first.bias)
        return [first, *((array_of(layer.weight).T, array_of(layer.bias)) for layer in linear)]

    def exported_values(self) -> tuple[FloatArray, FloatArray]:
        """The value head, for `NetworkPolicy` and `save_network`, if the values are those of all seats."""
        return array_of(self.value.weight).T, array_of(self.value.bias)

    def load(self, policy: NetworkPolicy) -> None:
        """Take the weights of a policy with the same layers, and its values if it has them.

        Raises:
            SystemExit: it has other layers, or another activation.
        """
        linear = [layer for layer in (*self.others, self.policy) if isinstance(layer, nn.Linear)]
        layers = [(self.first.weight, self.first.bias), *((layer.weight.T, layer.bias) for layer in linear)]
        given = [tuple(weight.shape) for weight, _ in policy.layers]
        if policy.activation != "relu" or given != [tuple(weight.shape) for weight, _ in layers]:
            raise SystemExit(
                f"{policy.name} has {policy.activation} layers {given}; expected relu layers {self.sizes}"
            )
        if policy.values is not None:
            layers.append((self.value.weight.T, self.value.bias))
        values = [] if policy.values is None else [policy.values]
        with torch.no_grad():
            for (weight, bias), (its_weight, its_bias) in zip(layers, [*policy.layers, *values], strict=True):
                weight.copy_(torch.from_numpy(its_weight))
                bias.copy_(torch.from_numpy(its_bias))


def array_of(tensor: Tensor) -> FloatArray:
    """A tensor as a NumPy array."""
    return np.asarray(tensor.detach().cpu().numpy())


@torch.no_grad()
def act(
    network: Network,
    observation: Tensor,
    legal: Tensor,
    count: Tensor,
    drawn: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """Sample an action for each of n decisions, as `passes.decide` does for networks that compile.

    Args:
        network: the policy.
        observation, legal, count: (n, O), (n, W) and (n,), on the network's device.
        drawn: (n,) uniformly random numbers from 0 to 1.

    Returns:
        Indices into the legal actions (n,) int64, their log-probabilities (n,), values (n,).
    """
    x = network.features(observation)
    place, log_probability = sparse.draw(x, network.policy, legal, count, drawn)
    return place, log_probability, network.value(x).squeeze(1)
