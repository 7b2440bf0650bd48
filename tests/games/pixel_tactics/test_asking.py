"""Both seats observe a question, whatever frame of the stack asks it: decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.state import ROW_NAMES, Decision, FrameKind
from tests.games.by_hand import observed
from tests.games.samples import step_at_random

from .positions import CARD, POSITIONS, SLOT, Table, placed, positions_of
from .random_positions import random_position

CASES = Path(__file__).with_name("asked_positions.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
KINDS = ("attack", "power V", "power F", "power R", "order", "leader")
TOLD = (
    "decision", "effect_kind", "effect_card", "effect_mine", "effect_slot", "picked", "subject", "number",
    "attack_kind", "chosen_row", "chosen_column",
)  # fmt: skip


def told(words: str, seat: int) -> dict[str, Any]:
    """The blocks that these words mean for a seat."""
    seen = GAME.observations.view(np.zeros(GAME.observations.size, np.int8))

    def mark(block: str, places: str) -> None:
        for place in places.split(","):
            u, slot = place.split(".")
            seen[block][int(int(u) != seat), SLOT[slot]] = 1

    decision, effect, *others = words.split("; ")
    seen["decision"][Decision.names().index(decision.split(" of ")[0])] = 1
    kind, who, card, *where = effect.split()
    if kind == "attack":
        seen["attack_kind"][("melee", "ranged").index(where[1])] = 1
    if where:
        mark("effect_slot", f"{who}.{where[0]}")
    seen["effect_kind"][KINDS.index(f"power {where[1]}" if kind == "power" else kind)] = 1
    seen["effect_card"][CARD[card]] = 1
    seen["effect_mine"][0] = int(who) == seat
    for other in others:
        name, _, value = other.partition(" ")
        if name in ("about", "places"):
            mark({"about": "subject", "places": "picked"}[name], value)
        elif name == "number":
            seen["number"][0] = int(value)
        elif name == "row":
            seen["chosen_row"][ROW_NAMES.index(value)] = 1
        else:
            seen["chosen_column"]["abc".index(value)] = 1
    return {name: seen[name] for name in TOLD}


def asked(table: Table) -> tuple[str, ...]:
    """The decision, the frame that asks, and the frames below it down to that of the effect."""
    s = table.s
    frames = [FrameKind.names()[f.kind] for f in s.stack[: int(s.depth)]]
    below = {"HIT": 2, "STRIKE": 1 if s.stack[max(0, int(s.depth) - 1)].flag else 2}.get(frames[-1], 1)
    return (Decision.names()[s.decision], *frames[-below:])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rpartition("= ")[2])
def test_both_seats_are_told_whose_effect_asks(case: str) -> None:
    steps, _, words = case.rpartition("\n= ")
    table = placed(steps)
    assert words.startswith(f"{Decision.names()[table.s.decision]} of {table.s.mover};")
    for seat in (0, 1):
        shown = GAME.observations.view(observed(GAME, table.s, seat))
        for name, wanted in told(words, seat).items():
            assert (shown[name] == wanted).all(), f"{name} of seat {seat}: {shown[name]}"


@pytest.mark.parametrize("games", [15, pytest.param(60, marks=pytest.mark.slow)])
def test_every_question_of_every_frame_is_among_them(games: int) -> None:
    """The questions of the hand-written positions, and of games from random positions."""
    tried = {asked(placed(case.rpartition("\n= ")[0])) for case in CASES}
    met = set()
    for _, _, lines in POSITIONS:
        met |= {asked(table) for table in positions_of(lines) if table.s.mover >= 0 and table.s.depth}
    rng = np.random.default_rng(1)
    for _ in range(games):
        table = Table(random_position(rng))
        for _ in range(40):
            s = table.s
            if s.mover == OVER:
                break
            if s.mover >= 0 and s.depth:
                met.add(asked(table))
            step_at_random(GAME, table.simulator.states, rng)
    assert len(met) > 20
    assert met <= tried, met - tried
