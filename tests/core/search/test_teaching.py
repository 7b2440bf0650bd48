"""What searches teach, against the definition."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.agents.guided import compile_nets
from polytrix.agents.search import Desk
from polytrix.core import random
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument
from polytrix.core.search.teaching import Lesson, Lessons
from polytrix.core.search.tree import FINE, Plan, forget
from polytrix.core.simulator import Simulator
from polytrix.core.state import GENERATOR, new_records
from tests.networks import some_network
from tests.toys import SECRET

ROWS, PLAN, LESSON = 24, Plan(0.8, temperature=2.0), Lesson(60.0, 5.0)
NETWORK = some_network(SECRET)
NETS = compile_nets(SECRET, NETWORK)


def lessons() -> Lessons:
    return Lessons(
        np.full((ROWS, SECRET.max_legal), 9, np.float32),
        np.full(ROWS, 9, np.float32),
        np.full(ROWS, 99, np.int64),
    )


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.COMPILED])
def test_lessons_follow_from_the_searches(mode: Mode) -> None:
    sim = Simulator(SECRET, ROWS, {}, seed=4, mode=mode)
    sim.step(sim.random_actions(np.arange(ROWS)))
    sim.restart(np.flatnonzero(sim.over))
    rng = np.random.default_rng(2)
    keys, simulations = rng.integers(1 << 63, size=ROWS, dtype=np.uint64), np.full(ROWS, 60)
    simulations[5] = 0
    roots, desk = as_argument(sim.states, mode), Desk(SECRET, 60, NETS, mode)
    found = lessons()
    desk.run.teach(
        roots,
        keys,
        simulations,
        PLAN,
        LESSON,
        NETS,
        desk.tree,
        desk.scratch,
        found,
    )
    assert found.policy[5, 0] == 9 and found.value[5] == 9 and found.action[5] == 99
    moved = 0
    for row in set(range(ROWS)) - {5}:
        forget(desk.tree)
        desk.simulate(roots[row : row + 1], int(simulations[row]), keys[row], PLAN, NETS)
        choices, legal = desk.choices(), sim.legal_ids[row, : sim.num_legal[row]]
        assert choices["action"].tolist() == legal.tolist()
        visits, root = choices["visits"], desk.tree.nodes[0]
        mean = root["total"] / root["visits"]
        assert found.value[row] == pytest.approx(mean, abs=1e-6)
        tried = np.where(visits > 0, choices["total"] / np.maximum(visits, 1) - mean, 0.0)
        logits = NETWORK.logits(sim.observation[row : row + 1])[0][legal]
        policy = np.exp(logits + LESSON.gain * tried * visits / (visits + LESSON.doubt))
        policy /= policy.sum()
        assert found.policy[row, : len(legal)] == pytest.approx(policy, abs=1e-5)
        assert not found.policy[row, len(legal) :].any()
        generator = new_records(1, GENERATOR)[0]
        random.reseed(generator, keys[row])
        at = random.draw(generator, FINE) / FINE
        assert found.action[row] == legal[np.searchsorted(np.cumsum(policy)[:-1], at, side="right")]
        own = np.exp(logits) / np.exp(logits).sum()
        moved += np.abs(own - policy).max() > 0.1
    assert moved > 5
