"""The search agent: Monte-Carlo tree search over the positions that a seat cannot distinguish."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.loaded import mode_for, refusing
from polytrix.core.search import inference, tree
from polytrix.core.search.hashing import WORD, room_for_observation
from polytrix.core.state import ByteArray, FloatArray, IntArray, RecordArray, new_records

SIMULATIONS = 200
EXPLORATION = 0.7
"""Defaults; docs/arena.md tells how they were found."""

TO_THE_END = 1 << 30
MOST_SIMULATIONS = 1 << 24  # so that the numbers of nodes and edges fit into 32 bits
MOST_NODES = 1 << 16  # of a tree with a time limit
LONGEST_PATH = 512
_SHARE = 16  # simulations between checks of the time

EDGES_PER_NODE = 32
"""Room for edges, on average, where a node gets all at once. When it is used up, the tree grows no more."""

NO_NET = inference.Net(np.zeros(0, np.float32), np.zeros(0, np.int64), inference.RELU)
NO_NETS = tree.Nets((), (), ())  # type: ignore[arg-type]
"""For a search without any. Empty tuples are no arguments of its program, which so compiles in less time."""


class TreeSearch(ABC):
    """What the search agents share: they search each position with one tree or more, on several threads.

    Args:
        game, simulations, seconds, trees, threads, mode: as for `SearchPolicy`.
        nets: the networks of a `GuidedSearchPolicy`.

    Attributes:
        game: the game that it plays.
        name: a name that `resolve` understands.
        tree_limits: simulations and seconds of each tree. Trees that wait for a thread share the time.
        decisions: number of decisions made in simulations so far.
    """

    needs_states = True
    name: str

    def __init__(
        self,
        game: Game,
        simulations: int | None,
        seconds: float | None,
        trees: int,
        threads: int,
        mode: Mode,
        nets: tree.Nets = NO_NETS,
    ) -> None:
        if simulations is None and seconds is None:
            simulations = SIMULATIONS
        self.game = game
        if simulations is not None:
            simulations = int(within("simulations", simulations, 1, MOST_SIMULATIONS))
        self.simulations = simulations
        self.seconds = None if seconds is None else within("seconds", seconds, 0.0)
        self.trees = int(within("trees", trees, 1))
        self.threads = int(within("threads", threads, 1))
        self.nets = nets
        self.mode = mode
        self.tree_limits = (
            None if self.simulations is None else math.ceil(self.simulations / self.trees),
            None if self.seconds is None else self.seconds / math.ceil(self.trees / self.threads),
        )
        self.decisions = 0
        self._spare: list[Sequence[Desk]] = []  # the desks of calls that have ended, so nobody works at them
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    @abstractmethod
    def plan(self, players: int) -> tree.Plan:
        """How to search with this number of players."""

    def name_with(self, settings: Mapping[str, str]) -> str:
        """The name of a search with these limits and settings."""
        parts = [] if self.simulations is None else [str(self.simulations)]
        parts += [] if self.seconds is None else [f"seconds={self.seconds:g}"]
        return "search:" + ",".join([*parts, *(f"{name}={value}" for name, value in settings.items())])

    def new_desk(self) -> Desk:
        """The arrays of a tree within `tree_limits`."""
        return Desk(self.game, self.tree_limits[0] or MOST_NODES, self.nets, self.mode)

    @contextmanager
    def _desks(self) -> Iterator[Sequence[Desk]]:
        """A desk for each thread: those of the last call, or new ones if a call has them that has not ended."""
        try:
            desks = self._spare.pop()
        except IndexError:
            desks = [self.new_desk() for _ in range(self.threads)]
        yield desks
        self._spare.append(desks)  # not after an interrupt: threads may still be at work

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.id}, {self.name!r})"

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator) -> IntArray:
        raise PolicyError(
            f"{self.name} needs positions, but was given observations; ask it with "
            "polytrix.agents.ask_rows(policy, simulator, rows, rng), or ask(..., states=...)"
        )

    def choose(self, states: RecordArray, rng: np.random.Generator) -> IntArray:
        """Legal actions (n,) int64 for the movers of positions in which what they cannot know is resampled.

        `rng` draws the worlds of each tree.
        """
        with self._desks() as desks:
            if self.trees == 1:
                return self._search(states, rng, desks)[:, 0]
            visits, total = self._tried(states, rng, desks)
        most = visits == visits.max(axis=1, keepdims=True)
        actions: IntArray = np.where(most, total, -np.inf).argmax(axis=1)
        return actions

    def reasons_at(self, states: RecordArray, rng: np.random.Generator) -> dict[str, FloatArray]:
        """Visits and mean value of each action in a search, see `polytrix.agents.reasons`."""
        with self._desks() as desks:
            visits, total = self._tried(states, rng, desks)
        value = np.divide(total, visits, out=np.full_like(total, np.nan), where=visits > 0)
        return {"visits": visits.astype(np.float32), "value": value.astype(np.float32)}

    def _tried(self, states: RecordArray, rng: np.random.Generator, desks: Sequence[Desk]) -> Sums:
        """Visits and total value of each action, (n, A), summed over the trees of a search."""
        shape = len(states), self.trees, self.game.actions.size
        tried = Sums(np.zeros(shape, np.int64), np.zeros(shape))
        self._search(states, rng, desks, tried)
        return Sums(*(each.sum(axis=1) for each in tried))

    def _search(
        self,
        states: RecordArray,
        rng: np.random.Generator,
        desks: Sequence[Desk],
        tried: Sums | None = None,
    ) -> IntArray:
        """The action that each tree finds best, (n, trees), and what it tried, if asked for."""
        keys = rng.integers(0, 1 << 63, (len(states), self.trees), dtype=np.uint64)
        roots = as_argument(states, self.mode)
        actions = np.zeros(keys.shape, np.int64)
        jobs = list(product(range(len(states)), range(self.trees)))
        left = iter(jobs)  # next() on it is atomic under the GIL
        before = sum(each.decisions for each in desks)

        def work(thread: int) -> None:
            for row, number in left:
                desk, root = desks[thread], roots[row : row + 1]
                with refusing(root[0], row):
                    actions[row, number] = desk.search(root, keys[row, number], self)
                    if tried is not None:
                        edges = desk.choices()
                        tried.visits[row, number, edges["action"]] = edges["visits"]
                        tried.total[row, number, edges["action"]] = edges["total"]

        try:
            others = [self._pool.submit(work, each) for each in range(1, self.threads)] if self._pool else []
            work(0)
        finally:
            del jobs[:]  # after an interrupt nobody takes another job
        for other in others:
            other.result()
        self.decisions += sum(each.decisions for each in desks) - before
        return actions


class Sums(NamedTuple):
    """Number of visits and total value of each action, the last axis of both."""

    visits: IntArray
    total: npt.NDArray[np.float64]


class Desk:
    """The arrays of a tree, for one search at a time.

    Args:
        game, mode: as for `SearchPolicy`.
        simulations: most simulations of a search; beyond them its tree grows no more.
        nets: networks of the sizes with which it will search, or `NO_NETS`.
    """

    def __init__(self, game: Game, simulations: int, nets: tree.Nets, mode: Mode) -> None:
        nodes = simulations + 1

        def records(count: int, dtype: np.dtype[Any]) -> RecordArray:
            return as_argument(new_records(count, dtype), mode)

        observation = room_for_observation(game.observations.size)
        units = max((int(size) for net in nets if net for size in net.sizes[1:-2]), default=0)
        most = max(len(observation), units)
        foreseen = game.max_players - 1 if nets.beliefs and len(nets.beliefs.sizes) else 0
        self.game, self.mode = game, mode
        self.run = programs(game, mode)
        self._guided = bool(nets.guide)
        edges = EDGES_PER_NODE if self._guided else 1
        self.tree = tree.Tree(
            nodes=records(nodes, tree.NODE),
            edges=records(nodes * edges + game.max_legal * self._guided, tree.EDGE),
            slots=np.zeros(1 << math.ceil(math.log2(2 * nodes)), np.int32),
            used=np.zeros(4, np.int64),
            payoffs=np.zeros((0 if self._guided else game.max_players, 3)),
        )
        self.scratch = tree.Scratch(
            world=records(1, game.state),
            work=records(2, game.state),
            observation=observation,
            ids=np.zeros(game.max_legal, np.int16),
            score=np.zeros(game.max_legal, np.float32),
            edge_of=np.full(game.actions.size, tree.NONE, np.int32),
            path=np.zeros((LONGEST_PATH, 3), np.int32),
            value=np.zeros(game.max_players, np.float32),
            inference=inference.InferenceScratch(
                words=np.zeros(len(observation) // WORD, np.int32),
                active=np.zeros(most, np.int32),
                amount=np.zeros(most, np.float32),
                units=np.zeros(units, np.float32),
                sums=np.zeros(units // 4, np.float32),
                prior=np.zeros(game.max_legal, np.float32),
                belief=np.zeros((foreseen, game.actions.size), np.float32),
            )
            if self._guided
            else (),  # type: ignore[arg-type]  # as in NO_NETS
        )
        tree.forget(self.tree)

    @property
    def decisions(self) -> int:
        """Number of decisions made in simulations so far."""
        return int(self.tree.used[tree.DECISIONS])

    def search(self, root: RecordArray, key: Any, policy: TreeSearch) -> int:
        """The action that a new tree finds best in one position.

        Args:
            root: (1,) the position.
            key: of the worlds.
            policy: how it searches.
        """
        self.run = programs(self.game, mode_for(root, self.mode))
        tree.forget(self.tree)
        plan = policy.plan(int(root[0]["num_players"]))
        for simulations in portions(*policy.tree_limits):
            action = self.simulate(root, simulations, key, plan, policy.nets)
        return action

    def simulate(self, root: RecordArray, simulations: int, key: Any, plan: tree.Plan, nets: tree.Nets) -> int:
        """Run more simulations for the mover of `root[0]`; the best action."""
        run = self.run.guided if self._guided else self.run.search
        seat = int(root[0]["mover"])
        return int(run(root, seat, simulations, key, plan, nets, self.tree, self.scratch))

    def choices(self) -> RecordArray:
        """The edges of the root, as a copy; none before the first search."""
        edges, numbers = self.tree.edges, list[int]()
        at = int(self.tree.nodes[tree.ROOT]["first"]) if self.tree.used[tree.NODES] else tree.NONE
        while at != tree.NONE:
            numbers.append(at)
            at = int(edges[at]["next"])
        return edges[numbers]


class SearchPolicy(TreeSearch):
    """Searches for each decision with new trees, and plays the most visited action.

    It needs positions: ask it by `polytrix.agents.ask_rows`, or `ask` with `states`. Everything hidden from the
    seat is resampled before it gets a position, and again for each simulation (see `core/search/tree.py`).

    Args:
        game: the game that it plays.
        simulations: number of simulations per decision; 200 by default, unlimited if `seconds` is given.
        seconds: time limit per decision. With it, choices depend on the machine; without it, on the position
            and the random generator only.
        exploration: weight of the exploration bonus, in standard deviations of the values.
        rollout: policy in the playouts: "random", "greedy" or another of the game's heuristics. A heuristic
            also orders the actions that are tried first. By default "greedy" if the game has it.
        depth: decisions of a playout after which the game's potential replaces the payoff; by default
            `game.playout`, or to the end of the game if it has no potential.
        trees: number of independent trees per decision, which share its simulations. Their visits are added.
        threads: number of trees that are searched in parallel. Without `seconds`, no choice depends on it.
        mode: how the rules are run.

    Attributes:
        name: a name that `resolve` understands, for example "search:200,rollout=random".

    Raises:
        PolicyError: a setting that is not allowed.

    >>> import polytrix
    >>> from polytrix.agents import ask_rows
    >>> sim = polytrix.Simulator(polytrix.find("resistor"), num_envs=2, seed=1)
    >>> policy = SearchPolicy(sim.game, simulations=20)
    >>> sim.step(ask_rows(policy, sim, [0, 1], np.random.default_rng(0)))
    """

    def __init__(
        self,
        game: Game,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        exploration: float = EXPLORATION,
        rollout: str | None = None,
        depth: int | None = None,
        trees: int = 1,
        threads: int = 1,
        mode: Mode = Mode.COMPILED,
    ) -> None:
        super().__init__(game, simulations, seconds, trees, threads, mode)
        usual: dict[str, Any] = {
            "exploration": EXPLORATION,
            "rollout": "random" if game.greedy is None else "greedy",
            "depth": TO_THE_END if game.potential is None else game.playout,
            "trees": 1,
        }
        self.exploration = within("exploration", exploration, 0.0)
        self.rollout = usual["rollout"] if rollout is None else rollout
        if self.rollout not in game.built_in_policies:
            raise PolicyError(f"rollout is {rollout!r}; allowed: {', '.join(game.listed_policies)}")
        if depth is not None and game.potential is None:
            raise PolicyError(f"{game.id} has no potential, so playouts go to the end; leave out depth")
        self.depth = usual["depth"] if depth is None else int(within("depth", depth, 0))
        own = {name: str(getattr(self, name)) for name in usual if getattr(self, name) != usual[name]}
        self.name = self.name_with(own)

    def plan(self, players: int) -> tree.Plan:
        return tree.Plan(self.exploration, self.game.built_in_policies[self.rollout], self.depth)


def portions(simulations: int | None, seconds: float | None) -> Iterator[int]:
    """Numbers of simulations to run, at least one, until the simulations or the time are used up."""
    if seconds is None:
        yield simulations or 0
        return
    end = time.perf_counter() + seconds
    left = simulations or TO_THE_END
    while left > 0:
        yield min(left, _SHARE)
        left -= _SHARE
        if time.perf_counter() >= end:
            return


def within(name: str, value: Any, least: float, most: float = math.inf) -> float:
    """A finite number from `least` to `most`, or PolicyError."""
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not number or not least <= value <= most or value == math.inf:
        limit = "" if most == math.inf else f" to {most:,}"
        raise PolicyError(f"{name} is {value!r}; allowed: a number from {least:g}{limit}")
    found: float = value.item() if isinstance(value, np.generic) else value
    return found


_WITHOUT_NETWORK: dict[str, Any] = {"rollout": str, "depth": int}
_WITH_NETWORK: dict[str, Any] = {
    "network": str, "temperature": float, "reduction": float, "others": str, "considered": int, "scale": float,
}  # fmt: skip
_ALWAYS: dict[str, Any] = {
    "simulations": int, "seconds": float, "exploration": float, "trees": int, "threads": int,
}  # fmt: skip


def is_search(spec: object) -> bool:
    """Whether this is a spec for `search_settings`."""
    return isinstance(spec, str) and (spec == "search" or spec.startswith("search:"))


def search_settings(spec: str) -> dict[str, Any]:
    """The settings in a spec `search:SIMULATIONS,SETTING=VALUE,...`.

    They are those of `SearchPolicy` or, if `network` is one of them, of `GuidedSearchPolicy`.

    Raises:
        PolicyError: an unknown setting, or a value that is not a number where one is needed.

    >>> search_settings("search:50,depth=4")
    {'simulations': 50, 'depth': 4}
    """
    _, _, text = spec.partition(":")
    items = [item.partition("=") for item in text.split(",")] if text else []
    pairs = [(name, value) if sign else ("simulations", name) for name, sign, value in items]
    guided = "network" in dict(pairs)
    kinds = _ALWAYS | (_WITH_NETWORK if guided else _WITHOUT_NETWORK)
    given: dict[str, Any] = {}
    for name, value in pairs:
        if name not in kinds or name in given:
            fault = "is given twice" if name in given else "does not exist"
            if name in (_WITHOUT_NETWORK if guided else _WITH_NETWORK):
                fault = "goes only " + ("without" if guided else "with") + " a network"
            raise PolicyError(f"{spec!r}: setting {name!r} {fault}; allowed: {', '.join(kinds)}")
        try:
            given[name] = kinds[name](value)
        except ValueError:
            raise PolicyError(f"{spec!r}: {name} is {value!r}; allowed: a number") from None
    return given
