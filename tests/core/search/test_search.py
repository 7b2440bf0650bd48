"""The results of the search driver, on games small enough to know them in advance."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polytrix.agents.search import NO_NETS, TO_THE_END, Desk, SearchPolicy
from polytrix.core.compile.compiler import Mode
from polytrix.core.drivers import GREEDY, RANDOM
from polytrix.core.game import Game
from polytrix.core.search import playouts, tree
from polytrix.core.search.hashing import hashed, room_for_observation
from polytrix.core.search.tree import (
    DECISIONS,
    DEVIATION,
    DOUBT,
    EDGES,
    NODES,
    NONE,
    SIMULATIONS,
    SQUARES,
    SUM,
    Plan,
    most_visited,
)
from polytrix.core.simulator import Simulator
from polytrix.core.state import IdArray, Record, RecordArray
from tests.toys import CALL, LIMIT, SECRET, legal


def position(game: Game, pile: int, own: int, **options: Any) -> RecordArray:
    """Seat 0 is to move and holds `own`."""
    sim = Simulator(game, 1, {"doubling": False, **options}, seed=1, mode=Mode.PLAIN)
    sim.states["pile"] = pile
    sim.states["secret"][:, 0] = own
    return sim.states


def searched(root: RecordArray, game: Game, simulations: int, nodes: int = 0, **plan: Any) -> tuple[int, Desk]:
    """The action that a search finds best, and its arrays."""
    desk = desk_of(game, nodes or simulations)
    settings = Plan(**({"exploration": 0.7, "depth": TO_THE_END} | plan))
    return desk.simulate(root, simulations, np.uint64(5), settings, NO_NETS), desk


def desk_of(game: Game, nodes: int) -> Desk:
    return Desk(game, nodes, NO_NETS, Mode.PLAIN)


def edges_of(desk: Desk, node: int = 0) -> dict[int, Any]:
    """The edges of a node by action, one each."""
    found: dict[int, Any] = {}
    edge = int(desk.tree.nodes[node].first)
    while edge != NONE:
        made = desk.tree.edges[edge]
        assert int(made.action) not in found
        found[int(made.action)] = made
        edge = int(made.next)
    return found


# -- statistics ---------------------------------------------------------------------------


def test_visits_and_values_of_a_search_add_up() -> None:
    """One decision ends the game: +1 to +3 pay nothing, and the highest number never loses."""
    action, desk = searched(position(SECRET, LIMIT - 1, own=5), SECRET, 60)
    made, edges = desk.tree, edges_of(desk)
    assert action == CALL and sorted(edges) == [0, 1, 2, CALL]
    assert made.used.tolist() == [1, 4, 60, 60] and made.nodes[0].visits == 60
    assert sum(int(edge.visits) for edge in edges.values()) == 60
    assert all(edge.tries == edge.visits for edge in edges.values())  # every simulation has begun here
    # each of the first four simulations adds an edge; from then on all of them are available
    assert sorted(int(edge.available) for edge in edges.values()) == [57, 58, 59, 60]
    won = float(edges[CALL].total)
    assert 0 < won < edges[CALL].visits  # a tie pays nothing
    assert made.nodes[0].total == won and not any(edges[added].total for added in range(3))
    assert made.payoffs[:, SUM].tolist() == [won, -won] and made.payoffs[:, SQUARES].tolist() == [won, won]
    spread = math.sqrt(won / 60 - (won / 60) ** 2 + DOUBT / 60)
    assert made.payoffs[:, DEVIATION].tolist() == pytest.approx([spread, spread])
    assert (desk.scratch.edge_of == NONE).all()


# -- descent ------------------------------------------------------------------------------


def adding_only(s: Record, ids: IdArray) -> int:
    legal(s, ids)
    return 3


def test_there_is_a_node_for_all_that_a_seat_can_know_and_no_other() -> None:
    """Four stones before the end: seat 1 decides with 1 to 3 left and any number, seat 0 again with 1 or 2."""
    game = replace(SECRET, name="adding", legal=adding_only)
    root = position(game, LIMIT - 4, own=2, top=4)
    _, desk = searched(root, game, 250, exploration=5.0)
    observe = game.observe
    known = set()
    for mover, stones, numbers in ((1, (1, 2, 3), range(4)), (0, (1, 2), (2,))):
        for left in stones:
            for number in numbers:
                s = position(game, LIMIT - left, own=2, top=4)[0]
                s.turn = s.mover = mover
                s.secret[mover] = number
                seen = room_for_observation(game.observations.size)
                observe(s, mover, seen)
                known.add(int(hashed(seen, mover)))
    count = int(desk.tree.used[NODES])
    assert {int(key) for key in desk.tree.nodes.key[1:count]} == known and count == 1 + len(known)
    for node in range(count):
        edges = edges_of(desk, node).values()
        assert sum(int(edge.visits) for edge in edges) == desk.tree.nodes[node].visits
        assert sum(int(edge.tries) for edge in edges) == (250 if node == 0 else 0)


def weak(s: Record, seat: int) -> None:
    s.secret[1 - seat] = 0


def cornered(s: Record, ids: IdArray) -> int:
    """One stone before the end, adding one is the only action."""
    count = legal(s, ids)
    return 1 if s.pile == LIMIT - 1 else count


def test_a_forced_move_is_made_and_has_no_node() -> None:
    game = replace(SECRET, name="cornered", legal=cornered, believe=weak)
    _, desk = searched(position(game, LIMIT - 2, own=5), game, 40, exploration=5.0)
    edges = edges_of(desk)
    assert edges[0].visits > 1 and edges[0].total == 0.0  # nobody has called
    assert desk.tree.used.tolist() == [1, 4, 40, 40 + int(edges[0].visits)]


def steady(s: Record, seat: int) -> float:
    return 0.25 if seat == 0 else -0.25


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_playout_makes_as_many_decisions_as_it_may_and_takes_the_potential(depth: int) -> None:
    game = replace(SECRET, name="steady", legal=adding_only, potential=steady)
    _, desk = searched(position(game, 0, own=5), game, 1, nodes=4, depth=depth)
    assert desk.tree.used.tolist() == [2, 1, 1, 1 + depth]
    (edge,) = edges_of(desk).values()
    assert desk.tree.payoffs[:, SUM].tolist() == [0.25, -0.25] and edge.total == 0.25


def strong(s: Record, seat: int) -> None:
    s.secret[1 - seat] = 5


@pytest.mark.parametrize(("believe", "calls"), [(weak, True), (strong, False)])
def test_worlds_are_those_that_the_game_believes_in(believe: Any, calls: bool) -> None:
    game = replace(SECRET, name="believing", believe=believe)
    action, desk = searched(position(game, LIMIT - 1, own=3), game, 20)
    call = edges_of(desk)[CALL]
    assert call.total == (call.visits if calls else -call.visits)
    assert (action == CALL) == calls


def calling_only(s: Record, ids: IdArray) -> int:
    ids[0] = CALL
    return 1


@pytest.mark.parametrize("own", [2, 3, 4])
def test_an_action_meets_the_same_worlds_whatever_else_is_tried(own: int) -> None:
    game = replace(SECRET, name="calling", legal=calling_only)
    root = position(SECRET, LIMIT - 1, own=own)
    one = edges_of(searched(root, SECRET, 60, exploration=5.0)[1])[CALL]
    _, alone = searched(position(game, LIMIT - 1, own=own), game, int(one.visits))
    assert 5 < one.visits < 55 and -one.visits < one.total < one.visits
    assert edges_of(alone)[CALL].total == one.total


def test_chance_is_met_on_the_way_and_belongs_to_no_node() -> None:
    """Two stones before the end, +1 ends the game if doubled; seat 1 moves only if it is not."""
    root = position(SECRET, LIMIT - 2, own=0, doubling=True)
    _, desk = searched(root, SECRET, 80, exploration=5.0)
    first = int(edges_of(desk)[0].visits)
    answers = int(desk.tree.used[DECISIONS]) - 80
    assert 0 < answers < first and desk.tree.used[SIMULATIONS] == 80


# -- one node -----------------------------------------------------------------------------


def bound_of(visits: int, available: int, total: float, deviation: float, exploration: float) -> float:
    return total / visits + exploration * deviation * math.sqrt(math.log(available) / visits)


def test_the_upper_bound_is_the_movers_mean_and_its_width() -> None:
    desk = desk_of(SECRET, 2)
    edge = desk.tree.edges[tree.add_edge(desk.tree, 0, 0)]
    edge.visits, edge.available = 3, 20
    desk.tree.payoffs[:, DEVIATION] = [0.25, 0.5]
    for mover, total, deviation in ((0, -1.0, 0.25), (1, 2.0, 0.5)):
        edge.total = total
        expected = bound_of(3, 20, total, deviation, 0.7)
        assert playouts.upper_bound(edge, mover, Plan(0.7), desk.tree) == pytest.approx(expected)


def node_with(*edges: tuple[int, int, float]) -> Desk:
    """A root with these edges (action, visits, total), each available 10 times."""
    desk = desk_of(SECRET, 8)
    tree.add_node(desk.tree, np.uint64(0))
    for action, visits, total in edges:
        edge = desk.tree.edges[tree.add_edge(desk.tree, 0, action)]
        edge.visits, edge.available = visits, 10
        edge.total = total
    desk.tree.nodes[0].visits = 10
    desk.tree.payoffs[:, DEVIATION] = 1.0
    desk.scratch.ids[:] = range(4)
    return desk


def test_the_highest_bound_of_those_to_be_had_is_taken() -> None:
    desk = node_with((0, 5, 4.0), (2, 2, 0.0), (CALL, 2, 2.0))
    exploiting, exploring = Plan(0.1), Plan(9.0)
    desk.scratch.ids[:2] = [0, 2]  # CALL is not available
    assert selected(desk, 2, exploiting) == 0
    assert selected(desk, 2, exploring) == 1
    assert desk.tree.edges.available[:3].tolist() == [12, 12, 10]
    assert (desk.scratch.edge_of == NONE).all()


def selected(desk: Desk, count: int, plan: Plan) -> int:
    return playouts.select(0, 0, count, NONE, plan, desk.tree, desk.scratch)


def test_a_node_widens_at_once_without_a_heuristic_and_slowly_with_one() -> None:
    desk = node_with((0, 5, 4.0), (2, 2, 0.0), (CALL, 2, 2.0))
    assert selected(desk, 4, Plan(0.1, RANDOM)) == NONE
    desk.tree.nodes[0].visits = 8
    assert selected(desk, 4, Plan(0.1, GREEDY)) == 2  # with this one 9 visits, for which three edges are enough
    desk.tree.nodes[0].visits = 9
    assert selected(desk, 4, Plan(0.1, GREEDY)) == NONE


def test_only_what_has_not_been_tried_is_rated() -> None:
    desk = node_with((0, 5, 4.0), (CALL, 2, 2.0))
    desk.scratch.score[:] = 1.0
    playouts.leave_out_tried(0, 4, desk.tree, desk.scratch)
    assert desk.scratch.score.tolist() == [-np.inf, 1.0, 1.0, -np.inf]
    assert (desk.scratch.edge_of == NONE).all()


@pytest.mark.parametrize(
    ("edges", "best"),
    [
        ([(0, 3, 0.0), (1, 5, -2.0), (2, 4, 4.0)], 1),
        ([(0, 5, 1.0), (1, 5, 2.0), (2, 4, 4.0)], 1),
        ([(0, 5, 2.0), (1, 5, 1.0), (2, 4, 4.0)], 0),
    ],
)
def test_of_actions_with_equal_visits_the_one_with_the_highest_value_counts_as_most_visited(
    edges: Any, best: int
) -> None:
    assert most_visited(node_with(*edges).tree) == best


def test_the_most_visited_is_an_edge_of_the_root() -> None:
    desk = node_with((0, 3, 0.0), (1, 5, 0.0))
    tree.add_node(desk.tree, np.uint64(1))
    while desk.tree.used[EDGES] < len(desk.tree.edges):
        desk.tree.edges[tree.add_edge(desk.tree, 1, CALL)].visits = 9
    assert most_visited(desk.tree) == 1


# -- storage ------------------------------------------------------------------------------


def test_a_node_is_found_again_by_what_its_mover_sees() -> None:
    desk, s = node_with(), position(SECRET, 0, own=2)[0]
    seen = desk.scratch.observation
    for node, (pile, mover) in enumerate([(3, 0), (3, 1), (4, 0)], 1):
        seen[6], s.mover = pile, mover
        assert playouts.enter(s, 4, desk.tree, desk.scratch) == NONE  # added for next time
        assert desk.tree.used[NODES] == node + 1
        assert playouts.enter(s, 4, desk.tree, desk.scratch) == node
    seen[6], s.mover = 3, 0
    assert playouts.enter(s, 4, desk.tree, desk.scratch) == 1 and desk.tree.used[NODES] == 4


def test_keys_that_begin_at_the_same_slot_are_kept_apart() -> None:
    desk = node_with()
    size = desk.tree.slots.shape[0]
    keys = [np.uint64(size - 1 + i * size) for i in range(4)]  # around the end of the table
    for key in keys:
        assert tree.find(desk.tree, key) == NONE
        tree.add_node(desk.tree, key)
    assert [tree.find(desk.tree, key) for key in keys] == [1, 2, 3, 4]


def test_a_full_table_takes_no_node_and_forgets_none() -> None:
    desk = desk_of(SECRET, 2)
    for key in range(5):
        tree.add_node(desk.tree, np.uint64(key))
    assert desk.tree.used[NODES] == 3
    assert [tree.find(desk.tree, np.uint64(key)) for key in range(5)] == [0, 1, 2, NONE, NONE]


def test_a_search_finds_nothing_of_the_one_before_it() -> None:
    policy = SearchPolicy(SECRET, 25, rollout="greedy", mode=Mode.PLAIN)
    root, another = position(SECRET, LIMIT - 7, own=3), position(SECRET, LIMIT - 4, own=0)
    used, new = desk_of(SECRET, 25), desk_of(SECRET, 25)
    used.search(another, np.uint64(4), policy)
    assert used.search(root, np.uint64(5), policy) == new.search(root, np.uint64(5), policy)
    nodes, edges = (int(new.tree.used[kind]) for kind in (NODES, EDGES))
    assert used.tree.used[:DECISIONS].tolist() == new.tree.used[:DECISIONS].tolist()
    assert used.tree.nodes[:nodes].tobytes() == new.tree.nodes[:nodes].tobytes()
    assert used.tree.edges[:edges].tobytes() == new.tree.edges[:edges].tobytes()
    assert used.tree.payoffs.tobytes() == new.tree.payoffs.tobytes()
