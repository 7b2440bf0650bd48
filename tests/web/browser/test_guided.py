"""The guided first games, as a stranger plays them: do what is said, one lit move at a time."""

from __future__ import annotations

import pytest

from polytrix import find
from polytrix.play.lessons import LEARNER, lesson_of

from .conftest import Open
from .windows import Window


def begin(window: Window, address: str, game: str) -> None:
    window.choose(address, game)
    window.page.click("#guided")


@pytest.mark.parametrize("name", ["quatrix", "estimatrix"])
def test_who_makes_the_only_move_offered_gets_to_the_end(address: str, window: Open, name: str) -> None:
    """The lessons of all games are tested in `tests/play`."""
    lesson, learner = lesson_of(find(name)), window()
    assert lesson is not None
    begin(learner, address, name)
    for told in [step.told for step in lesson.steps if step.told]:
        learner.page.wait_for_selector(f"#lesson p:text-is({told!r})")
        assert learner.page.locator("#list .move").count() == 1
        learner.play_listed(learner.page.locator("#list .move"))
    if not learner.views[-1]["over"]:
        learner.page.wait_for_selector(f"#lesson p:text-is({lesson.end!r})")
        assert learner.page.locator("#list .move").count() == len(learner.views[-1]["moves"])
    seats = {view["seat"] for view in learner.views}
    assert seats == {LEARNER}


def test_a_guided_game_can_be_left_for_a_free_one(address: str, window: Open) -> None:
    learner, game = window(), find("quatrix")
    begin(learner, address, game.name)
    learner.page.click("#lesson button")
    assert learner.page.is_hidden("#lesson")
    assert learner.page.locator("#list .move").count() == len(learner.views[-1]["moves"]) > 1


def test_on_a_phone_the_text_of_a_step_folds_so_that_the_board_has_room(address: str, window: Open) -> None:
    learner = window(viewport={"width": 400, "height": 800})
    begin(learner, address, "resistor")
    page = learner.page
    page.click("#lesson summary")
    assert page.is_hidden("#lesson p") and page.is_visible("#lesson button")
    above, below = page.locator("#lesson").bounding_box(), page.locator("#offer").bounding_box()
    assert above and below and below["y"] - above["y"] - above["height"] > 600
    learner.play_listed(page.locator("#list .move"))
    page.wait_for_selector("#lesson p:has-text('Red now leads')")  # the next step is told in full


def test_a_hint_that_leaves_the_guided_game_is_refused_in_words(address: str, window: Open) -> None:
    learner = window()
    begin(learner, address, "quatrix")
    learner.page.wait_for_selector("#list .move")
    offered = learner.page.get_attribute("#list .move", "data-action")
    learner.page.click("#ask")
    learner.page.locator(f"#hint .move:not([data-action='{offered}'])").first.click()
    assert "Play freely to leave it" in learner.page.inner_text("#refused")
    assert learner.page.locator("#board .chosen").count() == 0


def test_a_move_shows_its_ghost_where_the_card_will_lie(address: str, window: Open) -> None:
    learner = window()
    begin(learner, address, "resistor")
    learner.page.wait_for_selector("#list .move")
    assert learner.page.inner_text("#status") == "Your move: flip, draw or switch."
    learner.page.hover("#list .move")  # switch hand card 1 with position 2
    ghost = learner.page.locator("#board .ghost").bounding_box()
    assert ghost == pytest.approx(
        learner.page.locator('[data-place="row-2"]').bounding_box(), abs=5
    )  # with its outline
    learner.page.hover("#title")
    assert learner.page.locator("#board .ghost").count() == 0
