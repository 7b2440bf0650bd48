"""The search agent that a network guides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.search import guided, inference, tree
from polytrix.core.state import FloatArray

from .network import NO_VALUES, Layer, NetworkPolicy, scaled
from .search import NO_NET, TreeSearch, within

EXPLORATION = 0.3
REDUCTION = 0.0
SCALE = 1.0
"""Defaults; docs/arena.md tells how they and the following ones were found."""

HALVING = 16, 6.0
PUCT = 0, 3.0
"""Defaults of `considered` and `temperature`: HALVING with two players and no time limit, otherwise PUCT."""

NOTED = "search_temperature"
"""The note of a network that names the temperature at which a search uses it, unless another is given."""

SEARCH = "search"
"""A value of `others`."""


class GuidedSearchPolicy(TreeSearch):
    """Searches for each decision as a network advises, and plays the action that it finds best.

    The network's probabilities are priors of the actions, and its values replace playouts (see
    `core/search/guided.py`). Hidden information is resampled as for `SearchPolicy`, and it is asked in the same
    way. If the network has beliefs, hidden actions of other seats are drawn from them.

    Args:
        game: the game that it plays.
        network: a network with a value head.
        simulations, seconds: as for `SearchPolicy`.
        exploration: weight of the priors.
        temperature: of the priors; above 1 they are closer to each other than the network's probabilities. By
            default what the network notes, or 6 where simulations are shared by halving, otherwise 3.
        reduction: how much below its position's mean the value of an untried action is assumed to be.
        others: who plays the other seats in simulations: "search" (each searches for its own payoff, as the
            network advises), or "random", "greedy" or another of the game's heuristics; or a network,
            which plays its most probable action if it is `deterministic`, and samples otherwise. So
            the search looks for a best response to these. By default "search" with two players, and with more,
            who are not just opponents, "greedy" if the game has it.
        considered: number of actions among which sequential halving shares the simulations. 0: they are shared
            as at later positions. By default 16 with two players, otherwise 0; also 0 with `seconds`, as
            halving needs a known number.
        scale: weight of values in halving.
        trees, threads, mode: as for `SearchPolicy`.

    Raises:
        PolicyError: a setting that is not allowed, or a network of another kind or game, or without values.
    """

    def __init__(
        self,
        game: Game,
        network: NetworkPolicy,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        exploration: float = EXPLORATION,
        temperature: float | None = None,
        reduction: float = REDUCTION,
        others: str | NetworkPolicy | None = None,
        considered: int | None = None,
        scale: float = SCALE,
        trees: int = 1,
        threads: int = 1,
        mode: Mode = Mode.COMPILED,
    ) -> None:
        nets = compile_nets(game, network, others if isinstance(others, NetworkPolicy) else None)
        super().__init__(game, simulations, seconds, trees, threads, mode, nets)
        self.network = network
        self.exploration = within("exploration", exploration, 0.0)
        self.temperature = None if temperature is None else within("temperature", temperature, 0.01)
        self.noted = network.notes.get(NOTED)
        if self.noted is not None:
            within(f"{NOTED} of {network.name}", self.noted, 0.01)
        self.reduction = within("reduction", reduction, 0.0)
        self.others = others
        if not isinstance(others, NetworkPolicy) and others not in (None, SEARCH, *game.built_in_policies):
            allowed = ", ".join((SEARCH, *game.listed_policies))
            raise PolicyError(f"others is {others!r}; allowed: {allowed}, or a network")
        self.considered = None if considered is None else int(within("considered", considered, 0))
        self.scale = within("scale", scale, 0.0)
        if self.considered and self.seconds is not None:
            raise PolicyError(
                "'considered' goes only without seconds: halving needs a known number of simulations"
            )
        own = {
            name: setting_text(getattr(self, name))
            for name, usual in (GuidedSearchPolicy.__init__.__kwdefaults__ or {}).items()
            if name not in ("seconds", "threads", "mode") and getattr(self, name) != usual
        }
        self.name = self.name_with({"network": network.name} | own)

    def plan(self, players: int) -> tree.Plan:
        policies = self.game.built_in_policies
        others = self.others or (SEARCH if players == 2 or "greedy" not in policies else "greedy")
        if isinstance(others, NetworkPolicy):
            kind = guided.LIKELIEST if others.deterministic else guided.SAMPLED
        else:
            kind = tree.NONE if others == SEARCH else policies[others]
        considered, temperature = HALVING if players == 2 and self.seconds is None else PUCT
        if self.considered is not None:
            considered, temperature = self.considered, HALVING[1] if self.considered else PUCT[1]
        usual = temperature if self.noted is None else self.noted
        return tree.Plan(
            self.exploration,
            others=kind,
            reduction=self.reduction,
            temperature=usual if self.temperature is None else self.temperature,
            considered=considered,
            scale=self.scale,
        )


def setting_text(value: Any) -> str:
    """The value of a setting in the name of a search."""
    if isinstance(value, NetworkPolicy):
        return value.name
    return value if isinstance(value, str) else f"{value:g}"


def compile_nets(game: Game, network: NetworkPolicy, others: NetworkPolicy | None = None) -> tree.Nets:
    """The networks of a search in the form that compiled code reads; `others` plays the other seats.

    Raises:
        PolicyError: `network` has no values, or one of them has no hidden layer.
    """
    if network.values is None:
        raise PolicyError(NO_VALUES.format(name=network.name))
    for each in (network, others):
        if each is not None and len(each.layers) == 1:
            raise PolicyError(f"{each.name} has no hidden layer; a search needs a network that has one")
    return tree.Nets(
        guide=pack(game, network, network.layers, network.values),
        beliefs=NO_NET if network.beliefs is None else pack(game, network, network.beliefs),
        others=NO_NET if others is None else pack(game, others, others.layers),
    )


def pack(
    game: Game, network: NetworkPolicy, layers: Sequence[Layer], second_head: Layer | None = None
) -> inference.Net:
    """Layers, the last of which is the first head, and the second head, which may have no outputs."""
    *layers, first_head = layers
    if second_head is None:
        second_head = np.zeros((len(first_head[0]), 0), np.float32), np.zeros(0, np.float32)
    sizes, parts = [game.observations.size], list[FloatArray]()
    for weight, bias in scaled(game, layers):
        rows = sizes[-1] if parts else len(weight)
        sizes.append(pad(len(bias)))
        parts += [fill(weight, (rows, sizes[-1])), fill(bias, (sizes[-1],))]
    for weight, bias in (first_head, second_head):
        parts += [fill(weight.T, (len(bias), sizes[len(layers)])), bias]
        sizes.append(len(bias))
    parameters = np.concatenate([part.ravel() for part in parts]).astype(np.float32)
    activation = inference.RELU if network.activation == "relu" else inference.TANH
    return inference.Net(parameters, np.array(sizes, np.int64), activation)


def pad(units: int) -> int:
    """Units of a layer with those added whose weights are 0."""
    return -(-units // inference.LANES) * inference.LANES


def fill(array: npt.NDArray[Any], shape: tuple[int, ...]) -> FloatArray:
    """The array with zeros after its entries, up to a shape."""
    out = np.zeros(shape, np.float32)
    out[tuple(map(slice, array.shape))] = array
    return out
