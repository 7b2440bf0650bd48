"""Trained recurrent networks as policies, with NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.state import ByteArray, FloatArray, IntArray

from .choice import best, probabilities, sampled
from .network import activation_of, check_layers, float32_array


class Cell(NamedTuple):
    """A GRU cell with I inputs and U units, float32. Columns: reset, update, new, U each."""

    weight: FloatArray  # (I, 3 U), for the input
    bias: FloatArray  # (3 U,)
    recurrent_weight: FloatArray  # (U, 3 U), for the memory
    recurrent_bias: FloatArray  # (3 U,)

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.recurrent_weight)

    def step(self, x: FloatArray, memory: FloatArray) -> FloatArray:
        """The memory (n, U) after an input (n, I), as in PyTorch's `GRUCell`: the reset gate is applied to the
        product of weights and memory, and the update gate is the share of the memory that stays.
        """
        coming = x @ self.weight + self.bias
        known = memory @ self.recurrent_weight + self.recurrent_bias
        gates, new = 2 * self.units, slice(2 * self.units, None)
        reset, update = np.split(_sigmoid(coming[:, :gates] + known[:, :gates]), 2, axis=1)
        fresh = np.tanh(coming[:, new] + reset * known[:, new])
        return np.asarray(fresh + update * (memory - fresh))


def _sigmoid(x: FloatArray) -> FloatArray:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))  # never overflows


class RecurrentNetworkPolicy:
    """Hidden layers, a GRU cell that remembers a seat's earlier decisions, and a last layer to logits.

    Call `polytrix.agents.begin_games`, then `ask_rows`; see `RememberingPolicy`. It can play several seats of
    a game, each with its own memory. Arguments are as for `NetworkPolicy`; the last layer comes after the cell.
    """

    remembers = True

    def __init__(
        self,
        game: Game,
        layers: Sequence[tuple[Any, Any]],
        cell: Cell,
        activation: str = "tanh",
        *,
        deterministic: bool = False,
        name: str = "network",
        notes: dict[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.cell = check_cell(cell)
        self.layers = check_layers(game, layers, (self.cell[:2], self.cell[2:]))
        self.activation = activation
        self._activate = activation_of(activation)
        self.deterministic = deterministic
        self.name = name
        self.notes = dict(notes or {})
        self.begin(0)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, {self.name!r})"

    def begin(self, games: int) -> None:
        """Forget everything, and begin games 0 to `games - 1`."""
        self._memory = np.zeros((games, self.game.max_players, self.cell.units), np.float32)

    def act(
        self,
        rows: IntArray,
        seats: IntArray,
        observation: ByteArray,
        mask: ByteArray,
        rng: np.random.Generator,
    ) -> IntArray:
        """Choose for seats `seats` of games `rows`, (n,) each, and remember; otherwise like `Policy`.

        Raises:
            PolicyError: a game that was not begun by `begin`.
        """
        if len(rows) and np.max(rows) >= len(self._memory):
            raise PolicyError(
                f"policy {self.name!r} remembers {len(self._memory)} games, and is asked in game "
                f"{np.max(rows)}; before the first decision call polytrix.agents.begin_games(policy, games)"
            )
        logits, self._memory[rows, seats] = self.logits(observation, self._memory[rows, seats])
        return best(logits, mask) if self.deterministic else sampled(logits, mask, rng)

    def reasons_in(
        self, rows: IntArray, seats: IntArray, observation: ByteArray, mask: ByteArray
    ) -> dict[str, FloatArray]:
        """The probability of each action, see `polytrix.agents.reasons`; nothing is remembered."""
        logits, _ = self.logits(observation, self._memory[rows, seats])
        return {"probability": probabilities(logits, mask)}

    def logits(self, observation: ByteArray, memory: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Logits of all actions, legal and illegal, (n, A), and the next memory (n, U)."""
        x: FloatArray = observation * self.game.observations.scale
        *hidden, (last_weight, last_bias) = self.layers
        for weight, bias in hidden:
            x = self._activate(x @ weight + bias)
        memory = self.cell.step(x, memory)
        return memory @ last_weight + last_bias, memory

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
        raise PolicyError(
            f"{self.name} remembers its games, but was not told games and seats; ask it with "
            "polytrix.agents.ask_rows(policy, simulator, rows, rng), or ask(..., rows=..., seats=...)"
        )


def check_cell(cell: Cell) -> Cell:
    """A copy with float32 arrays, or PolicyError if they are no valid cell."""
    copy = Cell(*(float32_array(each, "the cell") for each in cell))
    shapes = tuple(each.shape for each in copy)
    inputs, units = (shape[0] if len(shape) == 2 else 0 for shape in (shapes[0], shapes[2]))
    expected = ((inputs, 3 * units), (3 * units,), (units, 3 * units), (3 * units,))
    if shapes != expected or not (inputs and units):
        raise PolicyError(
            f"the cell's arrays have shapes {', '.join(map(str, shapes))}; "
            "expected (I, 3 U), (3 U,), (U, 3 U), (3 U,) for I inputs and U units"
        )
    return copy
