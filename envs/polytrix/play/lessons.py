"""Guided first games: all moves are fixed, and the learner is told the reason for each of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from polytrix.core.game import Game
from polytrix.core.options import Value
from polytrix.core.pages import beside

from .session import Session

LEARNER = 0
"""The seat of the person who learns."""


class Step(NamedTuple):
    """A move, in notation, and what the learner is told before it; "" before moves of other seats."""

    move: str
    told: str = ""


class Lesson(NamedTuple):
    """A guided game.

    Args:
        seed, options: of the game; options that are not given have their defaults.
        turn: how a turn goes, a sentence or two each.
        steps: all moves, in the order of play.
        end: what the learner is told after them, when it is to move again.
    """

    seed: int
    options: Mapping[str, Value]
    turn: tuple[str, ...]
    steps: tuple[Step, ...]
    end: str


@cache
def lesson_of(game: Game) -> Lesson | None:
    """The guided game of a game, in `lesson.json` beside its rules; None if there is none."""
    path = beside(game, "lesson.json")
    if path is None:
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    steps = tuple(Step(*step) for step in content.pop("steps"))
    return Lesson(turn=tuple(content.pop("turn")), steps=steps, **content)


def steps_made(lesson: Lesson, session: Session) -> int | None:
    """How many steps of a lesson a game has made; None if it has made another move, or more than all."""
    if len(session.actions) > len(lesson.steps):
        return None
    made = [session.turn(number, None).move for number in range(len(session.actions))]
    return len(made) if made == [step.move for step in lesson.steps[: len(made)]] else None


def action_of(step: Step, session: Session) -> int:
    """The action of the next step."""
    return session.game.parse_action(session.state, step.move)
