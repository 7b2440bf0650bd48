"""Stones: the toy game Secret, with two data files that users may replace.

`steps` says how much each of the three adding actions adds, and what it is called; `prizes`
at which sizes of the pile a light goes on in the observation. `big.json` is a second shipped file of steps.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.data import DataFile, Replacement
from polytrix.core.errors import DataError
from polytrix.core.layout import Block, Layout
from polytrix.core.state import CHANCE, OVER, ByteArray, FloatArray, IdArray, Record, RecordArray
from polytrix.drawing import Picture
from polytrix.drawing import text as words
from tests import toys
from tests.toys import CALL, SECRET, add, happen
from tests.toys import observe as observe_secret

HERE = Path(__file__).parent
LIGHTS = 15
SHIPPED_STEPS = json.loads((HERE / "steps.json").read_text(encoding="utf-8"))
SHIPPED_PRIZES = json.loads((HERE / "prizes.json").read_text(encoding="utf-8"))

STEPS = np.array(SHIPPED_STEPS["steps"], np.int64)
NAMES = np.array(SHIPPED_STEPS["names"], "<U8")
PRIZES = np.array(SHIPPED_PRIZES, np.int64)


def observations(prizes: int) -> Layout:
    return Layout(*toys.OBSERVATIONS.blocks, Block("lights", (prizes,), "prizes that the pile has reached"))


# -- rules --------------------------------------------------------------------------------


def step_size(action: int) -> int:
    return int(STEPS[action])


def apply(s: Record, action: int) -> None:
    if s.mover == CHANCE:
        happen(s, action)
    elif action == CALL:
        s.caller = s.turn
        s.mover = OVER
    else:
        s.added = step_size(action)
        if s.options.doubling:
            s.mover = CHANCE
        else:
            add(s, 1)


def observe(s: Record, seat: int, out: ByteArray) -> None:
    observe_secret(s, seat, out)
    for i in range(len(PRIZES)):
        out[LIGHTS + i] = s.pile >= PRIZES[i]


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    for i in range(count):
        score[i] = 100 if ids[i] == CALL else step_size(ids[i])


# -- for people ---------------------------------------------------------------------------


def format_action(s: Record, action: int) -> str:
    if not 0 <= action <= CALL:
        raise IndexError(action)
    return "call" if action == CALL else f"{NAMES[action]}+{step_size(action)}"


def text(s: Record, seat: int | None) -> str:
    return toys.text(s, seat) + " of " + " ".join(str(prize) for prize in PRIZES if prize > s.pile)


def picture(s: Record, seat: int | None) -> Picture:
    return Picture(300, 20, (words(5, 15, text(s, seat), size=10),))


# -- data files ---------------------------------------------------------------------------


def build_steps(content: Any) -> Replacement:
    if not isinstance(content, dict) or set(content) != {"steps", "names"}:
        raise DataError('steps: expected a JSON object with "steps" and "names"')
    for number, step in enumerate(content["steps"]):
        if step not in (1, 2, 3):
            raise DataError(f"steps: step {number} is {step!r}; allowed: 1, 2 or 3")
    names = np.array(content["names"], NAMES.dtype)
    return Replacement([(STEPS, np.array(content["steps"], np.int64)), (NAMES, names)])


def build_prizes(content: Any) -> Replacement:
    if not isinstance(content, list):
        raise DataError("prizes: expected a JSON list")
    return Replacement([(PRIZES, np.array(content, np.int64))], {"observations": observations(len(content))})


STONES = replace(
    SECRET,
    name="stones",
    title="Stones",
    observations=observations(len(PRIZES)),
    apply=apply,
    observe=observe,
    greedy=greedy,
    format_action=format_action,
    text=text,
    draw=picture,
    data=(
        DataFile("steps", "how much the actions add", HERE / "steps.json", build_steps, (HERE / "big.json",)),
        DataFile("prizes", "where lights go on", HERE / "prizes.json", build_prizes),
    ),
)

BIG: dict[str, Any] = json.loads((HERE / "big.json").read_text())
"""Other steps."""

MANY = [1, 2, 3, 4]
"""Other prizes, and more of them."""
