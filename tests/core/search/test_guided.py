"""The search that a network guides, against a plain version of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import GuidedSearchPolicy, NetworkPolicy
from polytrix.agents.search import Desk
from polytrix.core import drivers, random, rules
from polytrix.core.compile.compiler import Mode, program
from polytrix.core.game import Game
from polytrix.core.search.guided import LIKELIEST, SAMPLED
from polytrix.core.search.tree import DECISIONS, EDGES, FINE, NODES, NONE, SIMULATIONS
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, IdArray, RecordArray
from tests.networks import some_network
from tests.toys import SECRET


def searched(
    root: RecordArray, policy: GuidedSearchPolicy, simulations: int, nodes: int = 0, mode: Mode = Mode.PLAIN
) -> tuple[int, Any]:
    """The action that a search finds best, and its arrays."""
    desk = Desk(policy.game, nodes or simulations, policy.nets, mode)
    plan = policy.plan(int(root[0]["num_players"]))
    return desk.simulate(root, simulations, np.uint64(5), plan, policy.nets), desk


def rule_of(game: Game, rule: Callable[..., Any]) -> Callable[..., Any]:
    made: Callable[..., Any] = program(rule, game.replacements, Mode.PLAIN, rule.__name__)
    return made


def plain_search(
    root: RecordArray, policy: GuidedSearchPolicy, simulations: int, nodes: dict[Any, dict[str, Any]]
) -> None:
    """Add the nodes of the tree to these, by the definition; the root comes first."""
    game, players = policy.game, int(root[0]["num_players"])
    rest = (rules.observe, rules.believe, rules.payoff, drivers.decide, drivers.settle)
    observe, believe, payoff, decide, settle = (rule_of(game, rule) for rule in rest)
    legal, rate = rule_of(game, rules.legal), rule_of(game, drivers.rate_actions)
    seat, plan = int(root[0]["mover"]), policy.plan(players)
    others = plan.others
    ids = np.zeros(game.max_legal, np.int16)
    ids = ids[: legal(root[0], ids)]
    seen = np.zeros(game.observations.size, np.int8)
    observe(root[0], seat, seen)
    first, _ = node_of(seat, seen, ids, policy, players, nodes)
    for wanted in halved(simulations, plan.considered, len(ids)):
        choice = choice_at(first, policy)
        if plan.considered:
            allowed = first["tries"] == wanted
            choice = int(np.where(allowed, scores_of(first, policy), -np.inf).argmax())
            if wanted == -1:
                choice = first["ids"].tolist().index(best_of(first, policy))
        world = root.copy()
        s = world[0]
        random.reseed(s.generator, random.philox(np.uint64(5), np.uint64(first["tries"][choice])))
        believe(s, seat)
        if policy.network.beliefs is not None:
            put_foreseen(s, root, seat, policy)
        path, value, ended = list[Any](), np.zeros(players), False
        while s.mover >= 0 and not ended:
            ids = np.zeros(game.max_legal, np.int16)
            ids = ids[: legal(s, ids)]
            action, mover = int(ids[0]), int(s.mover)
            seen = np.zeros(game.observations.size, np.int8)
            observe(s, mover, seen)
            if len(ids) > 1 and mover != seat and others in (LIKELIEST, SAMPLED):
                assert isinstance(policy.others, NetworkPolicy)
                logits = policy.others.logits(seen[None])[0][ids].astype(float)
                likely = np.cumsum(np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum())
                choice = int(logits.argmax())
                if others == SAMPLED:
                    number = random.draw(s.generator, FINE) / FINE
                    choice = int(np.searchsorted(likely[:-1], number, side="right"))
                action = int(ids[choice])
            elif len(ids) > 1 and mover != seat and others != NONE:
                score = np.zeros(game.max_legal, np.float32)
                if others != drivers.RANDOM:
                    rate(others, seen, ids, len(ids), np.repeat(world, 2), score)
                action = int(ids[drivers.pick_best(score, len(ids), s.generator)])
            elif not path:
                path.append((first, choice, mover))
                action = int(ids[choice])
            elif len(ids) > 1:
                known = len(nodes)
                node, value = node_of(mover, seen, ids, policy, players, nodes)
                ended = len(nodes) > known
                if not ended:
                    path.append((node, choice := choice_at(node, policy), mover))
                    action = int(ids[choice])
            if not ended:
                decide(s, action)
                settle(s)
        if not ended:
            paid = np.zeros(game.max_players, np.float32)
            payoff(s, paid)
            value = paid[:players]
        path[0][0]["tries"][path[0][1]] += 1
        for node, choice, mover in path:
            node["taken"][choice] += 1
            node["sums"][choice] += value[mover]
            node["visits"] += 1
            node["total"] += value[mover]


def node_of(
    mover: int, seen: ByteArray, ids: IdArray, policy: GuidedSearchPolicy, players: int, nodes: dict[Any, Any]
) -> tuple[dict[str, Any], Any]:
    """The node of what a seat sees and may do, and each seat's value; it is added if there is none."""
    logits = policy.network.logits(seen[None])[0][ids] / policy.plan(players).temperature
    prior = np.exp(logits - logits.max())
    value = np.roll(policy.network.payoffs(seen[None])[0][:players], mover)
    new = {
        "ids": ids, "prior": prior / prior.sum(), "taken": np.zeros(len(ids), np.int64),
        "tries": np.zeros(len(ids), np.int64), "sums": np.zeros(len(ids)),
        "visits": 1, "total": float(value[mover]),
    }  # fmt: skip
    return nodes.setdefault((mover, seen.tobytes(), ids.tobytes()), new), value


def choice_at(node: dict[str, Any], policy: GuidedSearchPolicy) -> int:
    """The action with the highest sum of mean value and bonus."""
    mean = node["sums"] / np.maximum(node["taken"], 1)
    mean[node["taken"] == 0] = node["total"] / node["visits"] - policy.reduction
    bonus = node["prior"] * math.sqrt(node["visits"]) / (1 + node["taken"])
    return int(np.argmax(mean + policy.exploration * bonus))


def put_foreseen(s: Any, root: RecordArray, seat: int, policy: GuidedSearchPolicy) -> None:
    """Draw the hidden actions of the other seats from the network's beliefs."""
    game, players = policy.game, int(root[0]["num_players"])
    assert game.hidden_action is not None and game.set_hidden_action is not None
    seen = np.zeros(game.observations.size, np.int8)
    game.observe(root[0], seat, seen)
    for k, foreseen in enumerate(policy.network.foreseen(seen[None])[0][: players - 1]):
        other = (seat + 1 + k) % players
        if game.hidden_action(s, other) != NONE:
            number = random.draw(s.generator, FINE) / FINE
            action = int(np.searchsorted(np.cumsum(foreseen.astype(float))[:-1], number, side="right"))
            game.set_hidden_action(s, other, action)


def halved(simulations: int, considered: int, count: int) -> list[int]:
    """How often the root's action of each simulation was tried before.

    As in Danihelka's mctx (`get_sequence_of_considered_visits`): the tries of all considered actions are
    counted, and each simulation adds one. But a last simulation that cannot be shared equally gets -1: it
    begins with the action that would be played.
    """
    if considered == 0:
        return [0] * simulations
    width = min(considered, count, max(2, simulations // 2))
    parts = max(1, math.ceil(math.log2(width)))
    tries, wanted = [0] * count, list[int]()
    while len(wanted) + width <= simulations:
        for _ in range(max(1, int(simulations / (parts * width)))):
            if len(wanted) + width <= simulations:
                wanted += tries[:width]
                tries[:width] = [each + 1 for each in tries[:width]]
        width = min(max(2, width // 2), count)
    return wanted + [-1] * (simulations - len(wanted))


def scores_of(node: dict[str, Any], policy: GuidedSearchPolicy) -> Any:
    """Logarithms of the improved policy, plus a constant."""
    mean = node["sums"] / np.maximum(node["taken"], 1)
    mean[node["taken"] == 0] = node["total"] / node["visits"]
    weight = policy.scale * (50 + node["taken"].max())
    return np.log(np.maximum(node["prior"], 1e-30)) + weight * mean


def best_of(node: dict[str, Any], policy: GuidedSearchPolicy) -> int:
    """The root's action that is played."""
    tries, score = node["taken"], node["sums"] / np.maximum(node["taken"], 1)
    if policy.considered:
        tries, score = node["tries"], scores_of(node, policy)
    return int(node["ids"][np.where(tries == tries.max(), score, -np.inf).argmax()])


def as_plainly(root: RecordArray, policy: GuidedSearchPolicy, simulations: int) -> tuple[Desk, int]:
    """Search, and hold the search against the plain one; its desk, and the number of nodes."""
    action, desk = searched(root, policy, simulations)
    expected: dict[Any, dict[str, Any]] = {}
    plain_search(root, policy, simulations, expected)
    assert action == best_of(next(iter(expected.values())), policy)
    assert_same(desk, expected)
    return desk, len(expected)


def assert_same(desk: Desk, nodes: dict[Any, dict[str, Any]]) -> None:
    """The tree has these nodes, and the last search tried these actions at its root."""
    assert desk.tree.used[NODES] == len(nodes)
    assert desk.choices()["tries"].tolist() == next(iter(nodes.values()))["tries"].tolist()
    for made, node in zip(desk.tree.nodes, nodes.values(), strict=False):
        edges = desk.tree.edges[made["first"] - made["count"] + 1 : made["first"] + 1][::-1]
        assert edges["action"].tolist() == node["ids"].tolist()
        assert edges["visits"].tolist() == node["taken"].tolist() and made["visits"] == node["visits"]
        assert edges["prior"] == pytest.approx(node["prior"], abs=1e-6)
        assert edges["total"] == pytest.approx(node["sums"], abs=1e-4)
        assert made["total"] == pytest.approx(node["total"], abs=1e-4)


def positions(game: Game, count: int, options: dict[str, Any], steps: int) -> Simulator:
    """Games after some random decisions."""
    sim = Simulator(game, count, options, seed=4, mode=Mode.PLAIN)
    rng = np.random.default_rng(3)
    for _ in range(steps):
        sim.step(sim.legal_ids[np.arange(count), (rng.random(count) * sim.num_legal).astype(int)])
        sim.restart(np.flatnonzero(sim.over))
    return sim


@pytest.mark.parametrize(
    ("name", "options", "others", "layers", "activation", "considered"),
    [
        *(("secret", {}, "search", (24, 7), "relu", considered) for considered in (0, 1, 7, 50)),
        *(("secret", {}, "random", (5,), "tanh", considered) for considered in (0, 7)),
        *(("resistor", {}, "search", (16, 20, 9), "tanh", considered) for considered in (0, 50)),
        ("pressure_matrix", {"players": 4}, "search", (40,), "relu", 50),
        ("pressure_matrix", {"players": 3}, "greedy", (12,), "relu", 1),
        ("estimatrix", {"players": 4}, "literal", (12,), "relu", 50),
    ],
)
def test_the_tree_is_that_of_a_plain_version(
    name: str,
    options: dict[str, Any],
    others: str,
    layers: tuple[int, ...],
    activation: str,
    considered: int,
) -> None:
    game = SECRET if name == "secret" else polytrix.find(name)
    network = some_network(game, layers, activation)
    settings: Any = {"exploration": 1.1, "temperature": 1.7, "reduction": 0.2, "scale": 0.3, "others": others}
    policy = GuidedSearchPolicy(game, network, 40, considered=considered, mode=Mode.PLAIN, **settings)
    sim = positions(game, 3, options, 9)
    deep = 0
    for row in range(3):
        root = sim.states[row : row + 1]
        desk, nodes = as_plainly(root, policy, 40)
        assert desk.tree.used[SIMULATIONS] == 40
        deep += nodes
    assert deep > 30  # of 3 x 41 nodes at most


@pytest.mark.parametrize(
    ("name", "options", "sampled", "considered"),
    [
        ("secret", {}, False, 16),
        ("resistor", {}, True, 0),
        ("pressure_matrix", {"players": 3}, True, 16),
        ("pressure_matrix", {"players": 2}, False, 0),
    ],
)
def test_a_network_plays_the_other_seats(
    name: str, options: dict[str, Any], sampled: bool, considered: int
) -> None:
    game = SECRET if name == "secret" else polytrix.find(name)
    guide, opponent = some_network(game, (12,)), some_network(game, (20, 9), "tanh", seed=2)
    opponent.deterministic = not sampled
    policy = GuidedSearchPolicy(game, guide, 40, others=opponent, considered=considered, mode=Mode.PLAIN)
    other = GuidedSearchPolicy(game, guide, 40, others=guide, considered=considered, mode=Mode.PLAIN)
    sim, differing = positions(game, 2, options, 9), 0
    for row in range(2):
        root = sim.states[row : row + 1]
        desk, _ = as_plainly(root, policy, 40)
        differing += desk.choices().tolist() != searched(root, other, 40)[1].choices().tolist()
    assert differing


@pytest.mark.parametrize(
    ("name", "options", "rows", "steps", "activation"),
    [("estimatrix", {"players": 4}, 40, 30, "relu"), ("pressure_matrix", {"players": 3}, 4, 2, "tanh")],
)
def test_hidden_actions_are_drawn_from_beliefs(
    name: str, options: dict[str, Any], rows: int, steps: int, activation: str
) -> None:
    game = polytrix.find(name)
    network = some_network(game, (12,), activation, beliefs=(20, 9))
    policy = GuidedSearchPolicy(game, network, 30, considered=0, mode=Mode.PLAIN)
    blind = GuidedSearchPolicy(game, some_network(game, (12,), activation), 30, considered=0, mode=Mode.PLAIN)
    sim = positions(game, rows, options, steps)
    hidden = np.flatnonzero((sim.hidden_actions(np.maximum(sim.mover, 0)) != NONE).any(1) & ~sim.over)
    differing = 0
    for row in hidden[:2]:
        root = sim.states[row : row + 1]
        desk, _ = as_plainly(root, policy, 30)
        _, without = searched(root, blind, 30)
        differing += without.choices()["total"].tolist() != desk.choices()["total"].tolist()
    assert len(hidden) >= 4 and differing == 2


def test_a_full_tree_is_searched_on_and_grows_no_more() -> None:
    policy = GuidedSearchPolicy(SECRET, some_network(SECRET), 30, mode=Mode.PLAIN)
    sim = positions(SECRET, 1, {"doubling": False}, 0)
    _, desk = searched(sim.states, policy, 30, nodes=2)
    assert desk.tree.used[[NODES, SIMULATIONS]].tolist() == [3, 30] and desk.tree.used[DECISIONS] >= 30
    root = desk.tree.nodes[0]
    assert root["visits"] == 31 and desk.choices()["visits"].sum() == 30
    assert desk.tree.used[EDGES] == desk.tree.nodes["count"][:3].sum()


@pytest.mark.parametrize("considered", [0, 16])
@pytest.mark.parametrize("others", ["search", "likeliest", "sampled"])
def test_machine_code_searches_as_plain_python_does(considered: int, others: str | NetworkPolicy) -> None:
    network, rows = some_network(SECRET), range(24)
    if others != "search":
        others, sampled = some_network(SECRET, (9,), seed=2), others == "sampled"
        others.deterministic = not sampled
    sim = Simulator(SECRET, len(rows), seed=3)
    sim.step(sim.random_actions(rows))
    sim.restart(np.flatnonzero(sim.over))
    chosen = [
        polytrix.agents.ask_rows(policy, sim, rows, np.random.default_rng(1)).tolist()
        for policy in (
            GuidedSearchPolicy(SECRET, network, 25, others=others, considered=considered, mode=mode)
            for mode in (Mode.PLAIN, Mode.COMPILED, Mode.CHECKED)
        )
    ]
    assert chosen[0] == chosen[1] == chosen[2] and len(set(chosen[0])) > 1
