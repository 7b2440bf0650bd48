"""From the lobby to moves, hints and back with the keyboard alone."""

from __future__ import annotations

from .conftest import Open
from .windows import Window


def go_to(window: Window, selector: str) -> None:
    """Press Tab until an element has the focus, which must be visible there."""
    for _ in range(80):
        window.page.keyboard.press("Tab")
        if window.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            break
    else:
        raise AssertionError(f"{selector} cannot be reached with Tab")
    outline = window.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", f"the focus on {selector} cannot be seen"


def test_a_game_by_keyboard_alone(address: str, window: Open) -> None:
    player = window()
    page, keys = player.page, player.page.keyboard
    page.goto(address)
    page.wait_for_selector("#game-estimatrix")
    go_to(player, "#game-estimatrix")
    keys.press("Enter")
    go_to(player, "#seat-1")
    keys.type("greedy")
    go_to(player, "#form button[type=submit]")
    keys.press("Enter")
    assert player.my_turn()
    keys.press("m")
    assert page.evaluate("document.activeElement.id") == "filter"

    # A move that is typed in full, one that is chosen in the list, and one that there is not.
    board = player.drawing()
    keys.type(player.views[-1]["moves"][1]["notation"])
    keys.press("Enter")
    player.next_position(board)
    assert player.my_turn()
    board = player.drawing()
    keys.press("ArrowDown")
    keys.press("End")
    assert player.views[-1]["moves"][-1]["meaning"] == page.evaluate("document.activeElement.innerText")
    keys.press("Enter")
    keys.press("Enter")
    player.next_position(board)
    assert player.my_turn()
    page.focus("#filter")
    keys.type("nonsense")
    keys.press("Enter")
    page.wait_for_selector("#refused", state="visible")
    keys.press("Escape")

    # What the keys of letters do, with the focus outside of the field.
    keys.press("ArrowDown")
    for key, shown in (("l", "#panel-log"), ("r", "#panel-rules"), ("w", "#panel-words")):
        keys.press(key)
        assert page.is_visible(shown)
    keys.press("h")
    page.wait_for_selector("#hint", state="visible")
    keys.press("Escape")
    assert page.is_hidden("#hint")
    board = player.drawing()
    keys.press("u")
    player.next_position(board)
    keys.press("/")
    assert page.evaluate("document.activeElement.id") == "filter"
