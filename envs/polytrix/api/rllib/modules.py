"""RLlib modules: exportable networks that respect action masks, and polytrix policies as fixed opponents.

    from ray.rllib.core.rl_module import MultiRLModuleSpec
    modules = {"learner": network(layers=(128, 128)), "greedy": player("quatrix", "greedy")}
    config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))

A module plays every seat that the `policy_mapping_fn` assigns to it. `policy_of` and `save_module` turn a
trained module into a policy that needs neither Ray nor torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import RLModule, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.numpy import convert_to_numpy
from torch import Tensor, nn

from polytrix.agents import NetworkPolicy, ask, name_of, save_network
from polytrix.agents.policy import needs_states
from polytrix.agents.resolve import PolicySpec
from polytrix.core.catalogue import find
from polytrix.core.drivers import EXTERNAL
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.layout import input_scale
from polytrix.core.state import FloatArray, IntArray
from polytrix.learning import sparse

from ..shared.opponents import opponent
from .env import ACTION_MASK, OBSERVATIONS

LEGAL_ACTIONS = "legal_actions"
"""Key of an observation, in place of the mask: (n, W) integers, each row a list that -1 fills up. Then the
logits are those of the listed actions (`sparse.ILLEGAL` after them), and actions are indices into the list."""

ILLEGAL = float(torch.finfo(torch.float32).min)
"""The logit of an action that the mask forbids: its probability is exactly 0."""


class FrozenNetwork(TorchRLModule):  # type: ignore[misc]  # Any where Ray is not installed
    """A multi-layer perceptron from observation to one logit per action, in the format of saved networks.

    The input is the observation times `core.layout.input_scale`; ReLU follows every layer but the last;
    illegal actions get the lowest possible logit. It is not trained; `LearningNetwork` is. On a CPU it uses
    the sparse layers of `learning/sparse.py`.

    `model_config["layers"]` holds the units of the hidden layers.
    """

    scale: Tensor

    def setup(self) -> None:
        """Build the layers; called by RLlib."""
        space = self.observation_space[OBSERVATIONS]
        sizes = [space.shape[0], *self.model_config["layers"]]
        self.register_buffer("scale", torch.as_tensor(input_scale(space.low, space.high)))
        self.first = sparse.Inputs(*sizes[:2])
        self.others = nn.ModuleList(_layer(*each, gain=2**0.5) for each in pairwise(sizes[1:]))
        self.policy = _layer(sizes[-1], int(self.action_space.n), gain=0.01)

    def features(self, batch: Mapping[str, Any]) -> Tensor:
        """The output of the last hidden layer for a batch, (n, units)."""
        seen = batch[Columns.OBS][OBSERVATIONS].to(torch.int8).contiguous()
        x = sparse.first_layer(seen, self.scale, self.first.weight, self.first.bias).relu_()
        for layer in self.others:
            x = layer(x).relu_()
        return x

    @property
    def compiles(self) -> bool:
        """Whether `learning/passes.py` computes what this module does: on a CPU, unless a subclass differs."""
        return type(self) in (FrozenNetwork, LearningNetwork) and not sparse.computes_densely(self.scale)

    def sizes(self) -> IntArray:
        """Numbers of inputs, of units of each hidden layer, and of actions."""
        return np.array(
            [
                len(self.first.weight),
                *(layer.in_features for layer in self.others),
                *self.policy.weight.shape[::-1],
            ]
        )

    def vector(self) -> Tensor:
        """A copy of the parameters as one vector, in the order of `learning/passes.py`, with a value head."""
        given = nn.utils.parameters_to_vector(self.parameters()).detach()
        missing = 0 if isinstance(self, ValueFunctionAPI) else self.policy.in_features + 1
        return nn.functional.pad(given, (0, missing))

    def logits(self, features: Tensor, batch: Mapping[str, Any]) -> Tensor:
        """The masked logits, (n, A), or (n, W) of the listed actions."""
        listed = batch[Columns.OBS].get(LEGAL_ACTIONS)
        if listed is None:
            logits: Tensor = self.policy(features)
            return logits.masked_fill(batch[Columns.OBS][ACTION_MASK] == 0, ILLEGAL)
        return sparse.legal_logits(features, self.policy, listed, num_listed(listed))

    def _forward(self, batch: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self.logits(self.features(batch), batch)}


class LearningNetwork(FrozenNetwork, ValueFunctionAPI):  # type: ignore[misc]
    """A `FrozenNetwork` plus a value head on the same hidden layers, for PPO and similar algorithms."""

    def setup(self) -> None:
        """Build the layers; called by RLlib."""
        super().setup()
        self.value = _layer(self.policy.in_features, 1, gain=1.0)

    def compute_values(self, batch: Mapping[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """The value of each observation for its seat, (n,)."""
        value: Tensor = self.value(self.features(batch) if embeddings is None else embeddings)
        return value.squeeze(-1)

    def _forward_train(self, batch: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
        features = self.features(batch)
        return {Columns.ACTION_DIST_INPUTS: self.logits(features, batch), Columns.EMBEDDINGS: features}


def num_listed(listed: Tensor) -> Tensor:
    """The number of actions in each list of LEGAL_ACTIONS, (n,) int32."""
    return (listed >= 0).sum(1, dtype=torch.int32)


def _layer(inputs: int, outputs: int, *, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class PolicyModule(RLModule):  # type: ignore[misc]  # Any where Ray is not installed
    """A polytrix policy: random, greedy, a saved network, or a callable. It cannot be trained.

    `player` makes its `model_config`.

    Attributes:
        built_in: its number among the game's built-in policies, or `drivers.EXTERNAL`.
    """

    built_in: int

    def setup(self) -> None:
        """Resolve the policy; called by RLlib."""
        game = find(self.model_config["game"]).with_data(**self.model_config["data"])
        self._policy = opponent(self.model_config["policy"], game)
        self.built_in = getattr(self._policy, "built_in", EXTERNAL)
        name = name_of(self._policy)
        if needs_states(self._policy):
            raise PolicyError(
                f"policy {name!r} looks ahead from positions, but RLlib modules get only "
                "observations; give one that needs only those"
            )
        self._rng = np.random.default_rng()

    def _forward(self, batch: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = convert_to_numpy(batch[Columns.OBS])
        return {Columns.ACTIONS: ask(self._policy, seen[OBSERVATIONS], seen[ACTION_MASK], self._rng)}

    def _forward_train(self, batch: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
        raise PolicyError(
            f"policy {name_of(self._policy)!r} cannot be trained; leave it out of policies_to_train"
        )


def network(layers: tuple[int, ...] = (128, 128)) -> RLModuleSpec:
    """A trainable network with hidden layers of so many units, for `MultiRLModuleSpec`."""
    return RLModuleSpec(module_class=LearningNetwork, model_config={"layers": tuple(layers)})


def player(game: Game | str, policy: PolicySpec) -> RLModuleSpec:
    """A polytrix policy as a module that is not trained, for `MultiRLModuleSpec`.

    Args:
        game: the game it plays.
        policy: anything that `polytrix.agents.resolve` accepts. A path must be valid in every process of
            the cluster, and a callable must be picklable.

    Raises:
        PolicyError: when the module is built, for a policy with memory or one that searches positions.
    """
    found = find(game)
    config = {"game": found.id, "data": dict(found.replaced), "policy": policy}
    return RLModuleSpec(module_class=PolicyModule, model_config=config)


def layers_of(module: FrozenNetwork) -> list[tuple[FloatArray, FloatArray]]:
    """The layers from observation to logits, for `NetworkPolicy` and `save_network` with activation "relu".

    Raises:
        PolicyError: a class derived from `FrozenNetwork`, which may compute something else.
    """
    if type(module) not in (FrozenNetwork, LearningNetwork):
        raise PolicyError(
            f"module is {type(module).__name__}; only FrozenNetwork and LearningNetwork can be saved networks"
        )
    layers = [(module.first.weight, module.first.bias)]
    layers += [(layer.weight.T, layer.bias) for layer in (*module.others, module.policy)]
    return [(convert_to_numpy(weight), convert_to_numpy(bias)) for weight, bias in layers]


def policy_of(
    module: FrozenNetwork, game: Game, name: str = "learner", *, deterministic: bool = False
) -> NetworkPolicy:
    """A frozen copy of a module, such as `algorithm.get_module("learner")`, as a policy."""
    return NetworkPolicy(game, layers_of(module), "relu", name=name, deterministic=deterministic)


def save_module(
    path: str | PathLike[str], module: FrozenNetwork, game: Game, notes: Mapping[str, Any] | None = None
) -> Path:
    """Save a module to a file, `.npz`, that `polytrix.agents.load` and the command `polytrix` read."""
    return save_network(path, game, layers_of(module), "relu", notes)
