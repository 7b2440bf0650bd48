"""Trained networks as policies, with NumPy only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.state import ByteArray, FloatArray, IntArray

from .choice import best, probabilities, sampled


def _relu(x: FloatArray) -> FloatArray:
    return np.maximum(x, 0.0, out=x)


def _tanh(x: FloatArray) -> FloatArray:
    return np.tanh(x, out=x)


ACTIVATIONS: dict[str, Callable[[FloatArray], FloatArray]] = {"relu": _relu, "tanh": _tanh}

Layer = tuple[FloatArray, FloatArray]
"""Weight (inputs, outputs) and bias (outputs,), float32."""


class NetworkPolicy:
    """A multi-layer perceptron from observation to one logit per action.

    The inputs are the observation times `game.observations.scale`; the activation follows
    every layer but the last.

    Args:
        game: the game that it plays.
        layers: weight (inputs, outputs) and bias (outputs,) of each layer, first to last.
        activation: "relu" or "tanh".
        deterministic: play the action with the highest logit instead of sampling from the softmax.
        name: for tables and logs.
        notes: from the file of the network.
        values: weight (units, seats) and bias (seats,) of the value head, which has the inputs of the last
            layer, or None. The hyperbolic tangents of its outputs are the expected payoffs, undiscounted, of
            the seat that observes, the next seat, and so on; for all of `game.max_players`.
        beliefs: the layers of a second network with the same input and activation, or None. It tells what
            other seats have done unseen (`Game.hidden_action`): one logit for each action of the next seat,
            then of the one after it, and so on, for all of `game.max_players`. A search that the network
            guides draws hidden actions from it.

    Raises:
        PolicyError: sizes that do not match the game or each other, or numbers that are not finite.
    """

    def __init__(
        self,
        game: Game,
        layers: Sequence[tuple[Any, Any]],
        activation: str = "tanh",
        *,
        deterministic: bool = False,
        name: str = "network",
        notes: dict[str, Any] | None = None,
        values: tuple[Any, Any] | None = None,
        beliefs: Sequence[tuple[Any, Any]] | None = None,
    ) -> None:
        self.game = game
        self.layers = check_layers(game, layers)
        self.values = None if values is None else check_values(game, values, self.layers)
        self.beliefs = None if beliefs is None else check_beliefs(game, beliefs)
        self.activation = activation
        self._activate = activation_of(activation)
        self.deterministic = deterministic
        self.name = name
        self.notes = dict(notes or {})
        self._scaled = scaled(game, self.layers)
        self._believing = None if self.beliefs is None else scaled(game, self.beliefs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, {self.name!r})"

    def logits(self, observation: ByteArray) -> FloatArray:
        """Logits of all actions, legal and illegal, (n, A) float32."""
        weight, bias = self._scaled[-1]
        return np.asarray(self.features(observation) @ weight + bias)

    def features(self, observation: ByteArray) -> FloatArray:
        """Inputs of the last layer, (n, units) float32."""
        return self._forward(observation, self._scaled[:-1])

    def _forward(self, observation: ByteArray, layers: Sequence[Layer]) -> FloatArray:
        """Outputs of hidden layers, (n, units) float32."""
        x = np.asarray(observation, np.float32)
        for weight, bias in layers:
            x = x @ weight
            x += bias
            x = self._activate(x)
        return x

    def foreseen(self, observation: ByteArray) -> FloatArray:
        """The probability of each action of the next seat, the one after it, ..., (n, seats - 1, A) float32.

        They say something about a seat that has a hidden action only.

        Raises:
            PolicyError: the network has no beliefs.
        """
        if self._believing is None:
            raise PolicyError(f"{self.name} has no beliefs: training/beliefs.py adds them")
        weight, bias = self._believing[-1]
        logits = self._forward(observation, self._believing[:-1]) @ weight + bias
        each = probabilities(logits.reshape(-1, self.game.actions.size), np.ones((), np.int8))
        return each.reshape(len(logits), -1, self.game.actions.size)

    def payoffs(self, observation: ByteArray) -> FloatArray:
        """Expected payoffs of the seat that observes, the next seat, and so on, (n, seats) float32.

        Raises:
            PolicyError: the network has no value head.
        """
        if self.values is None:
            raise PolicyError(NO_VALUES.format(name=self.name))
        weight, bias = self.values
        return np.asarray(np.tanh(self.features(observation) @ weight + bias))

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
        logits = self.logits(observation)
        return best(logits, mask) if self.deterministic else sampled(logits, mask, rng)

    def reasons(self, observation: ByteArray, mask: ByteArray) -> dict[str, FloatArray]:
        """The probability of each action, see `polytrix.agents.reasons`."""
        return {"probability": probabilities(self.logits(observation), mask)}


NO_VALUES = "{name} has no value head: its file was saved without `values`; training/values.py adds one"


def check_values(game: Game, values: tuple[Any, Any], layers: Sequence[Layer]) -> Layer:
    """Copies of weight and bias of a value head, which has the inputs of the last layer, or PolicyError."""
    try:
        *_, head = check_layers(game, [*layers[:-1], values], outputs=game.max_players)
    except PolicyError as error:
        raise PolicyError(f"the value head: {error}") from None
    return head


def check_beliefs(game: Game, layers: Sequence[tuple[Any, Any]]) -> list[Layer]:
    """Copies of the layers of beliefs, or PolicyError if they do not fit."""
    if game.hidden_action is None:
        raise PolicyError(f"{game.id} has no hidden actions, so there is nothing for beliefs to tell")
    try:
        return check_layers(game, layers, outputs=(game.max_players - 1) * game.actions.size)
    except PolicyError as error:
        raise PolicyError(f"beliefs: {error}") from None


def scaled(game: Game, layers: Sequence[Layer]) -> list[Layer]:
    """The layers, the first of them for an input that is not scaled."""
    first, bias = layers[0]
    return [(first * game.observations.scale[:, None], bias), *layers[1:]]


def activation_of(name: str) -> Callable[[FloatArray], FloatArray]:
    """The activation function of this name, which may overwrite its argument, or PolicyError."""
    if name not in ACTIVATIONS:
        raise PolicyError(f"activation is {name!r}; allowed: {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[name]


LARGEST = float(np.finfo(np.float32).max) / 16
"""Largest possible value that is allowed anywhere in the forward pass."""


def check_layers(game: Game, layers: Sequence[tuple[Any, Any]], outputs: int | None = None) -> list[Layer]:
    """Copies of the layers as float32 arrays, or PolicyError if they are no network for the game.

    Args:
        game, layers: as for `NetworkPolicy`.
        outputs: number of outputs; by default the number of actions.
    """
    if not layers:
        raise PolicyError("the network has no layers")
    checked = []
    size = game.observations.size
    seen = game.observations
    bound = np.maximum(-seen.low.astype(float), seen.high.astype(float)) * seen.scale
    for number, (weight, bias) in enumerate(layers):
        what = f"layer {number}"
        weight, bias = float32_array(weight, what), float32_array(bias, what)
        if weight.ndim != 2 or weight.shape[0] != size or bias.shape != weight.shape[1:]:
            mend = ": give torch's weight.T" if weight.shape == (*bias.shape, size) else ""
            raise PolicyError(
                f"{what} has weight {weight.shape} and bias {bias.shape}; "
                f"expected ({size}, outputs) and (outputs,){mend}"
            )
        bound = largest(bound, weight, bias, what)
        checked.append((weight, bias))
        size = weight.shape[1]
    if outputs is None and size != game.actions.size:
        raise PolicyError(f"the network has {size} outputs; {game.id} has {game.actions.size} actions")
    if outputs is not None and size != outputs:
        raise PolicyError(f"the network has {size} outputs; expected {outputs}")
    return checked


def float32_array(values: Any, what: str) -> FloatArray:
    """A copy in float32, or PolicyError, which says `what` it is, if it is no array of finite numbers."""
    given = np.asarray(values)
    if given.dtype.kind not in "fiu":
        raise PolicyError(f"{what} holds numbers of dtype {given.dtype}; expected real ones")
    with np.errstate(over="ignore"):  # numbers too large for float32 become infinite, and are refused
        copy = np.array(given, np.float32, order="C")
    if not np.isfinite(copy).all():
        raise PolicyError(f"{what} holds numbers that are not finite")
    return copy


def largest(bound: npt.NDArray[Any], weight: FloatArray, bias: FloatArray, what: str) -> npt.NDArray[Any]:
    """Bounds of a layer's absolute outputs, (outputs,), from those of its inputs.

    Raises:
        PolicyError: they may overflow; it says `what` the layer is.
    """
    outputs = bound @ np.abs(weight.astype(float)) + np.abs(bias.astype(float))
    if outputs.max(initial=0.0) > LARGEST:
        raise PolicyError(f"{what} has such large weights that its outputs may not be finite")
    return np.asarray(outputs)
