"""The search agent that a network guides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core import guided as core
from polytrix.core import inference
from polytrix.core import search as plain
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.loaded import mode_for
from polytrix.core.state import GENERATOR, FloatArray, RecordArray, new_records

from .network import NO_VALUES, Layer, NetworkPolicy
from .search import LONGEST_PATH, MOST_NODES, Desk, Sums, TreeSearch, at_least, on_or_off, portions

EXPLORATION = 0.3
REDUCTION = 0.0
SCALE = 1.0
"""Defaults; docs/arena.md tells how they and the following ones were found."""

HALVING = 16, 6.0
PUCT = 0, 3.0
"""Defaults of `considered` and `temperature`: HALVING with two players and no time limit, otherwise PUCT."""

EDGES_PER_NODE = 32
"""Room for edges, on average. When it is used up, the search goes on and its tree grows no more."""

SEARCH = "search"
"""A value of `others`."""

SEARCHES_KEPT = 4
"""Searches for which a kept tree has room. Then a tree is begun anew."""


class GuidedSearchPolicy(TreeSearch):
    """Searches for each decision as a network advises, and plays the action that it finds best.

    The network's probabilities are priors of the actions, and its values replace playouts (see
    `core/guided.py`). Hidden information is resampled as for `SearchPolicy`, and it is asked in the same way.
    If the network has beliefs, hidden actions of other seats are drawn from them.

    Args:
        game: the game that it plays.
        network: a network with a value head.
        simulations: number of simulations per decision; 200 by default, unlimited if `seconds` is given.
        seconds: time limit per decision. With it, choices depend on the machine; without it and `keep`, on the
            position and the random generator only.
        exploration: weight of the priors.
        temperature: of the priors; above 1 they are closer to each other than the network's probabilities. By
            default 6 where simulations are shared by halving, otherwise 3.
        reduction: how much below its position's mean the value of an untried action is assumed to be.
        others: who plays the other seats in simulations: "search" (each searches for its own payoff, as the
            network advises), or "random", "greedy" or another of the game's heuristics; or a feed-forward
            network, which plays its most probable action if it is `deterministic`, and samples otherwise. So
            the search looks for a best response to these. By default "search" with two players, and with more,
            who are not just opponents, "greedy" if the game has it.
        considered: number of actions among which sequential halving shares the simulations. 0: they are shared
            as at later positions. By default 16 with two players, otherwise 0; also 0 with `seconds`, as
            halving needs a known number.
        scale: weight of values in halving.
        trees: as for `SearchPolicy`.
        keep: whether trees are kept between decisions. If a position is in the tree of the same seat's decision
            before, and there is room, the search adds its simulations to what is known there. So a choice
            depends on the earlier decisions. It works for one position at a time, and for several if there are
            as many `threads` as trees of all of them; otherwise each search begins anew.
        threads: number of trees that are searched in parallel.
        mode: how the rules are run.

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
        keep: bool = False,
        threads: int = 1,
        mode: Mode = Mode.COMPILED,
    ) -> None:
        super().__init__(game, simulations, seconds, trees, threads, mode, on_or_off("keep", keep))
        self.network = network
        self.exploration = at_least("exploration", exploration, 0.0)
        self.temperature = None if temperature is None else at_least("temperature", temperature, 0.01)
        self.reduction = at_least("reduction", reduction, 0.0)
        self.others = others
        if not isinstance(others, NetworkPolicy) and others not in (None, SEARCH, *game.built_in_policies):
            allowed = ", ".join((SEARCH, *game.built_in_policies))
            raise PolicyError(f"others is {others!r}; allowed: {allowed}, or a feed-forward network")
        usual = {
            "exploration": EXPLORATION,
            "temperature": None,
            "reduction": REDUCTION,
            "others": None,
            "considered": None,
            "scale": SCALE,
            "trees": 1,
            "keep": False,
        }
        self.considered = None if considered is None else int(at_least("considered", considered, 0))
        self.scale = at_least("scale", scale, 0.0)
        if self.considered and self.seconds is not None:
            raise PolicyError(
                "'considered' goes only without seconds: halving needs a known number of simulations"
            )
        parts = [] if self.simulations is None else [str(self.simulations)]
        parts += [] if self.seconds is None else [f"seconds={self.seconds:g}"]
        parts += [f"network={network.name}"]
        own = {name: getattr(self, name) for name in usual if getattr(self, name) != usual[name]}
        parts += [f"{name}={shown(value)}" for name, value in own.items()]
        self.name = f"search:{','.join(parts)}"
        self.nets = compiled_nets(game, network, others if isinstance(others, NetworkPolicy) else None)

    def plan(self, players: int) -> core.GuidedPlan:
        """How to search with this number of players."""
        policies = self.game.built_in_policies
        others = self.others or (SEARCH if players == 2 or "greedy" not in policies else "greedy")
        if isinstance(others, NetworkPolicy):
            kind = core.LIKELIEST if others.deterministic else core.SAMPLED
        else:
            kind = plain.NONE if others == SEARCH else policies[others]
        considered, temperature = HALVING if players == 2 and self.seconds is None else PUCT
        if self.considered is not None:
            considered, temperature = self.considered, HALVING[1] if self.considered else PUCT[1]
        if self.temperature is not None:
            temperature = self.temperature
        return core.GuidedPlan(self.exploration, self.reduction, temperature, kind, considered, self.scale)

    def new_desk(self) -> Desk:
        searches = SEARCHES_KEPT if self.keep else 1
        nodes = self.tree_limits[0] or MOST_NODES
        return GuidedDesk(self.game, nodes, self.nets, self.mode, searches)


NO_MEMORY = (
    "{network} cannot be part of a search: it needs a feed-forward network, because positions in the search "
    "come without the earlier decisions that a memory would hold"
)

NO_NET = inference.Net(np.zeros(0, np.float32), np.zeros(0, np.int64), inference.RELU)


def shown(value: Any) -> str:
    """The value of a setting in the name of a search."""
    if isinstance(value, NetworkPolicy):
        return value.name
    return value if isinstance(value, str) else f"{value:g}"


def compiled_nets(game: Game, network: NetworkPolicy, others: NetworkPolicy | None = None) -> core.Nets:
    """The networks of a search in the form that compiled code reads.

    Args:
        game: the game.
        network: guides the search.
        others: plays the other seats, or None.

    Raises:
        PolicyError: `network` has no values, has a memory, or one of them has no hidden layer.
    """
    if not isinstance(network, NetworkPolicy):
        raise PolicyError(NO_MEMORY.format(network=repr(network)))
    if network.values is None:
        raise PolicyError(NO_VALUES.format(name=network.name))
    for each in (network, others):
        if each is not None and len(each.layers) == 1:
            raise PolicyError(f"{each.name} has no hidden layer; a search needs a network that has one")
    return core.Nets(
        guide=packed(game, network, network.layers, network.values),
        beliefs=NO_NET if network.beliefs is None else packed(game, network, network.beliefs),
        others=NO_NET if others is None else packed(game, others, others.layers),
    )


def packed(
    game: Game, network: NetworkPolicy, layers: Sequence[Layer], second_head: Layer | None = None
) -> inference.Net:
    """Layers, the last of which is the first head, and the second head, which may have no outputs."""
    *layers, first_head = layers
    if second_head is None:
        second_head = np.zeros((len(first_head[0]), 0), np.float32), np.zeros(0, np.float32)
    sizes, parts = [game.observations.size], list[FloatArray]()
    for number, (weight, bias) in enumerate(layers):
        scaled = weight * game.observations.scale[:, None] if number == 0 else weight
        sizes.append(padded(len(bias)))
        rows = sizes[-2] if number else len(scaled)
        parts += [filled(scaled, (rows, sizes[-1])), filled(bias, (sizes[-1],))]
    for weight, bias in (first_head, second_head):
        parts += [filled(weight.T, (len(bias), sizes[len(layers)])), bias]
        sizes.append(len(bias))
    parameters = np.concatenate([part.ravel() for part in parts]).astype(np.float32)
    activation = inference.RELU if network.activation == "relu" else inference.TANH
    return inference.Net(parameters, np.array(sizes, np.int64), activation)


def padded(units: int) -> int:
    """Units of a layer with those added whose weights are 0."""
    return -(-units // inference.LANES) * inference.LANES


def filled(array: npt.NDArray[Any], shape: tuple[int, ...]) -> FloatArray:
    """The array with zeros after its entries, up to a shape."""
    out = np.zeros(shape, np.float32)
    out[tuple(map(slice, array.shape))] = array
    return out


class GuidedDesk(Desk):
    """The arrays of a tree, for one search at a time.

    Args:
        game: the game.
        simulations: most simulations of a search; beyond them its tree grows no more.
        nets: networks of the sizes with which it will search.
        mode: how the rules are run.
        searches: number of searches for which a kept tree has room.
    """

    def __init__(
        self,
        game: Game,
        simulations: int,
        nets: core.Nets,
        mode: Mode,
        searches: int = 1,
    ) -> None:
        nodes = simulations * searches + 1

        def records(count: int, dtype: np.dtype[Any]) -> RecordArray:
            return as_argument(new_records(count, dtype), mode)

        observation = plain.room_for_observation(game.observations.size)
        units = max(int(size) for net in nets for size in net.sizes[1:-2])
        most = max(len(observation), units)
        foreseen = game.max_players - 1 if len(nets.beliefs.sizes) else 0
        self.game, self.mode = game, mode
        self.run = programs(game, mode)
        self.generator = records(1, GENERATOR)
        self.tree = core.GuidedTree(
            nodes=records(nodes, core.NODE),
            edges=records(nodes * EDGES_PER_NODE + game.max_legal, core.EDGE),
            slots=np.zeros(1 << math.ceil(math.log2(2 * nodes)), np.int32),
            used=np.zeros(5, np.int64),
        )
        self.scratch = core.GuidedScratch(
            world=records(1, game.state),
            work=records(2, game.state),
            observation=observation,
            ids=np.zeros(game.max_legal, np.int16),
            prior=np.zeros(game.max_legal, np.float32),
            score=np.zeros(game.max_legal, np.float32),
            path=np.zeros((LONGEST_PATH, 3), np.int32),
            value=np.zeros(game.max_players, np.float32),
            belief=np.zeros((foreseen, game.actions.size), np.float32),
            inference=inference.InferenceScratch(
                words=np.zeros(len(observation) // plain.WORD, np.int32),
                active=np.zeros(most, np.int32),
                amount=np.zeros(most, np.float32),
                units=np.zeros(units, np.float32),
                lanes=np.zeros(inference.LANES, np.float32),
            ),
        )
        self.decisions = 0
        self._simulations = simulations
        self._kept_for: tuple[int, bytes] | None = None

    def search(self, root: RecordArray, key: Any, policy: Any, keep: bool = False) -> int:
        self.run = programs(self.game, mode_for(root, self.mode))
        # The worlds of a tree agree with what its seat knew, so no other seat may go on with it.
        kept_for = int(root[0]["mover"]), root[0]["options"].tobytes()
        if keep and self._kept_for == kept_for and self._has_room() and self._find(root):
            self._draw_from(key)
        else:
            self.begin(key)
        self._kept_for = kept_for if keep else None
        before = int(self.tree.used[plain.DECISIONS])
        plan = policy.plan(int(root[0]["num_players"]))
        for simulations in portions(*policy.tree_limits):
            action = self.simulate(root, simulations, plan, policy.nets)
        self.decisions += int(self.tree.used[plain.DECISIONS]) - before
        return action

    def begin(self, key: Any) -> None:
        """Forget all searches. The next one draws random numbers from the stream `key`."""
        self.tree.slots[:] = plain.NONE
        self.tree.used[:] = 0
        self._kept_for = None
        self._draw_from(key)

    def _draw_from(self, key: Any) -> None:
        self.generator["key"] = key
        self.generator["counter"] = 0

    def _has_room(self) -> bool:
        """Whether there is as much room for another search as a new tree has without `keep`."""
        nodes, edges = self.tree.used[plain.NODES], self.tree.used[plain.EDGES]
        return bool(
            nodes + self._simulations <= len(self.tree.nodes)
            and edges + self._simulations * EDGES_PER_NODE <= len(self.tree.edges)
        )

    def _find(self, root: RecordArray) -> bool:
        """Whether the tree has a node for the mover of `root[0]`; it becomes the root."""
        return bool(self.run.find_root(root, self.tree, self.scratch) != plain.NONE)

    def simulate(self, root: RecordArray, simulations: int, plan: core.GuidedPlan, nets: core.Nets) -> int:
        """Run more simulations for the mover of `root[0]`; the best action."""
        seat = int(root[0]["mover"])
        return int(
            self.run.guided(root, seat, simulations, self.generator, plan, nets, self.tree, self.scratch)
        )

    def choices(self) -> RecordArray:
        """The edges of the root, one for each legal action in ascending order; changes of priors count."""
        root = self.tree.nodes[self.tree.used[core.ROOT]]
        return self.tree.edges[root["first"] : root["first"] + root["count"]]

    def write_tried(self, seat: int, tried: Sums) -> None:
        edges = self.choices()
        tried.visits[edges["action"]] = edges["visits"]
        tried.total[edges["action"]] = edges["total"]
