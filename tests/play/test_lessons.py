"""The guided first games can be played to their ends, and say something before every move of the learner."""

from __future__ import annotations

import pytest

from polytrix import Game, find
from polytrix.core.catalogue import all_games
from polytrix.play.known import HIDDEN
from polytrix.play.lessons import LEARNER, Lesson, action_of, lesson_of, steps_made
from polytrix.play.session import Session

LONGEST = 300
"""Characters: what fits beside a board on a phone."""
GUIDED = [game for game in all_games() if lesson_of(game) is not None]


def guided(game: Game) -> tuple[Lesson, Session]:
    lesson = lesson_of(game)
    assert lesson is not None
    configured, options = game.configured(lesson.options)
    return lesson, Session(configured, options, lesson.seed)


@pytest.mark.parametrize("game", GUIDED, ids=lambda game: game.name)
def test_every_step_is_legal_and_the_learner_is_told_why(game: Game) -> None:
    lesson, session = guided(game)
    for made, step in enumerate(lesson.steps):
        assert steps_made(lesson, session) == made
        assert bool(step.told) == (session.state.mover == LEARNER), (made, step)
        session.play(action_of(step, session))
    assert session.state.mover == LEARNER or session.over
    assert 5 <= sum(bool(step.told) for step in lesson.steps) <= 14
    assert all(0 < len(told) <= LONGEST for told in (*(s.told for s in lesson.steps if s.told), lesson.end))
    assert 3 <= len(lesson.turn) <= 6


@pytest.mark.parametrize("game", GUIDED, ids=lambda game: game.name)
def test_the_first_text_says_what_others_have_done_before_it(game: Game) -> None:
    lesson, session = guided(game)
    first = next(step for step in lesson.steps if step.told)
    while session.state.mover != LEARNER:
        move = session.play(action_of(lesson.steps[len(session.actions)], session)).move
        turn = session.turn(len(session.actions) - 1, LEARNER)
        assert turn.move == HIDDEN or move.split()[-1] in first.told


def test_another_move_ends_the_guiding_until_it_is_taken_back() -> None:
    lesson, session = guided(find("quatrix"))
    first = action_of(lesson.steps[0], session)
    session.play(next(action for action in session.legal() if action != first))
    assert steps_made(lesson, session) is None
    session.back_to(0)
    assert steps_made(lesson, session) == 0
