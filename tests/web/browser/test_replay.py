"""A game that is over is looked at again: with keys, as another seat, and with what agents think."""

from __future__ import annotations

import random
from pathlib import Path

from .conftest import Open

MOVES = 4


def test_a_game_is_looked_at_again(address: str, window: Open, tmp_path: Path) -> None:
    player, rng = window(), random.Random(1)
    page = player.page
    player.sit_down(address, "resistor", 2)
    for _ in range(MOVES):
        player.move(rng)
        assert player.my_turn()
    page.click("#resign")
    page.click("#sure button[value=yes]")
    page.wait_for_selector("#end", state="visible")
    decisions = player.views[-1]["log"]["count"]
    with page.expect_download() as saved:
        page.click("text=Save the game")
    file = tmp_path / "game.json"
    saved.value.save_as(file)

    page.click("text=Watch the replay")
    page.wait_for_selector("#viewer .board svg")
    slider, board = page.locator("#viewer input[type=range]"), page.locator("#viewer .board")
    assert slider.get_attribute("max") == str(decisions)
    first = board.inner_html()
    page.keyboard.press("ArrowRight")
    assert slider.input_value() == "1" and board.inner_html() != first
    page.keyboard.press("End")
    assert slider.input_value() == str(decisions)
    page.keyboard.press("Home")
    assert board.inner_html() == first
    page.select_option("#viewer select[aria-label='Whose view']", "as blue")
    assert board.inner_html() != first
    page.select_option("#viewer select[aria-label='Whose view']", "all in view")

    page.select_option("#first", "greedy")
    page.wait_for_selector("#progress", state="hidden")
    page.wait_for_selector("#viewer .opinions:has-text('greedy')")
    page.select_option("#second", "ppo")
    page.wait_for_selector("#viewer .opinions:has-text('ppo')")
    page.wait_for_selector("#viewer .chart svg")

    page.set_input_files("#file", file)
    page.wait_for_function("() => document.querySelector('#first').value === 'nobody'")
    assert slider.get_attribute("max") == str(decisions) and board.inner_html() == first
