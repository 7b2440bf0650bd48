"""Export MaskablePPO networks as policies that do not need torch."""

from __future__ import annotations

from typing import Any

from polytrix.agents import NetworkPolicy
from polytrix.core.errors import MissingExtraError, PolicyError
from polytrix.core.game import Game
from polytrix.core.layout import input_scale

try:
    import torch
    from gymnasium.spaces import Box
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
except ImportError:
    raise MissingExtraError("polytrix.api.sb3", "sb3") from None


class ScaledInputs(BaseFeaturesExtractor):
    """The observation scaled as saved networks expect it, by one over the square root of each bound.

    Use it as `policy_kwargs=dict(features_extractor_class=ScaledInputs)`.
    """

    scale: torch.Tensor

    def __init__(self, observation_space: Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        scale = input_scale(observation_space.low, observation_space.high)
        self.register_buffer("scale", torch.as_tensor(scale))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        scaled: torch.Tensor = observation * self.scale
        return scaled


def layers_of(model: Any) -> tuple[list[tuple[Any, Any]], str]:
    """The layers and the activation of a MaskablePPO's actor, for `NetworkPolicy` and `save_network`.

    Raises:
        PolicyError: the model does not use ScaledInputs, or its network is not a plain perceptron.
    """
    policy = model.policy
    if not isinstance(policy.features_extractor, ScaledInputs):
        raise PolicyError("the model must use features_extractor_class=ScaledInputs")
    modules = [*policy.mlp_extractor.policy_net, policy.action_net]
    kinds = {torch.nn.Tanh: "tanh", torch.nn.ReLU: "relu"}
    activations = {kinds.get(type(each), type(each).__name__) for each in modules if not _linear(each)}
    if len(activations) > 1 or not activations <= {"tanh", "relu"}:
        raise PolicyError(f"activations are {', '.join(sorted(activations))}; allowed: tanh or relu throughout")
    layers = [
        (each.weight.detach().cpu().numpy().T, each.bias.detach().cpu().numpy())
        for each in modules
        if _linear(each)
    ]
    return layers, activations.pop() if activations else "tanh"


def _linear(module: Any) -> bool:
    return isinstance(module, torch.nn.Linear)


def policy_of(model: Any, game: Game, name: str, *, deterministic: bool = False) -> NetworkPolicy:
    """A frozen copy of a MaskablePPO model as a policy."""
    layers, activation = layers_of(model)
    return NetworkPolicy(game, layers, activation, name=name, deterministic=deterministic)
