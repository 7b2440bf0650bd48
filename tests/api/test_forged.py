"""Forged games in environments: a call that finds one changes nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from polytrix.api.aec import AECGame
from polytrix.api.shared.rendering import Renderer
from polytrix.core import snapshot
from polytrix.core.errors import SnapshotError
from polytrix.core.state import OVER, ByteArray, Record
from tests.api.aec_play import everything as whole
from tests.api.learner_play import batch, everything, wild
from tests.core.test_loaded import TABLE, forged, overrunning_apply, overrunning_potential
from tests.toys import CALL, PILE, apply, broken, observe

# -- a learner's games --------------------------------------------------------------------------


def overrunning_answer(s: Record, action: int) -> None:
    """Goes wrong when seat 1 acts, which is after the learner in seat 0 has."""
    if s.mover == 1:
        s.pile += TABLE[5 * (s.caller + 1)] - 7
    apply(s, action)


LEARNERS: dict[str, dict[str, Any]] = {
    "an action": {"apply": overrunning_apply},
    "an answer": {"apply": overrunning_answer},
    "a potential": {"potential": overrunning_potential},
}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learners_step_changes_all_or_nothing(name: str) -> None:
    game = broken(f"forged_{name.replace(' ', '_')}", **LEARNERS[name])
    games = batch(game, 3, wild, seat=0, shaping=float("potential" in LEARNERS[name]))
    forged(games.simulator, 1, caller=1)
    before = everything(games), games.mask().tolist()
    for rows in (None, np.array([2, 1])):
        with pytest.raises(SnapshotError, match="row 1"):
            games.step(np.zeros(3 if rows is None else 2, np.int64), rows)
        assert (everything(games), games.mask().tolist()) == before
    games.step([0, 0], np.array([0, 2]))
    games.restart(np.array([1]))
    games.step([0, 0, 0])


def overrunning_end(s: Record, seat: int, out: ByteArray) -> None:
    """Cannot show the end to seat 1."""
    observe(s, seat, out)
    out[PILE] = TABLE[5 if s.mover == OVER and seat == 1 else 0]


def test_an_end_that_cannot_be_shown_to_the_learner() -> None:
    """The simulator shows seat 0 the end."""
    games = batch(broken("forged_end", observe=overrunning_end), 2, wild, seat=1)
    copies = games.simulator.copies()
    copies.states["pile"], copies.states["mover"], copies.states["turn"] = 9, 1, 1
    games.simulator.load(snapshot.dump(games.game, copies))
    before = everything(games)
    with pytest.raises(SnapshotError, match="row 0"):
        games.step([CALL, CALL])
    assert everything(games) == before


# -- a game for PettingZoo ------------------------------------------------------------------------


def rate_odd_piles(s: Record, seat: int) -> float:
    return float(TABLE[5 * (s.caller == 1) * (s.pile % 2 == 0)])


def draw_odd_piles(s: Record, seat: int | None) -> Any:
    rate_odd_piles(s, 0)
    return SimpleNamespace(rgb=lambda: np.zeros((1, 1, 3), np.uint8))


@pytest.mark.parametrize("rated", [True, False], ids=["a potential", "a picture"])
def test_an_environment_changes_all_or_nothing(rated: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Renderer, "_new_window", lambda self: SimpleNamespace(show=lambda image: None))
    game = broken("forged_aec", potential=rate_odd_piles, draw=draw_odd_piles)
    env = AECGame(game, **({"shaping": 1.0} if rated else {"render_mode": "human"}), doubling=False)
    env.reset(seed=1)
    env.step(0)
    copies = env._simulator.copies()
    copies.states["caller"], copies.states["pile"] = 1, 2
    before, transcript = whole(env), env.transcript()
    with pytest.raises(SnapshotError, match="cannot be played on"):
        env.load(snapshot.dump(game, copies))
    assert whole(env) == before and env.transcript() == transcript
    copies.states["pile"] = 1
    env.load(snapshot.dump(game, copies))
    before = whole(env)
    with pytest.raises(SnapshotError, match="cannot be played on"):
        env.step(0)
    assert whole(env) == before
    env.step(1)
