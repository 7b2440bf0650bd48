"""Small screens, dark and light colours."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Open
from .windows import Window

PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
"""Functions that look at a page: `unreachable()` and `faint(least)`."""

CUT = """texts => texts
  .filter((text) => text.scrollHeight > text.clientHeight || text.scrollWidth > text.clientWidth)
  .map((text) => text.textContent)"""
"""The texts that do not fit their place."""

READABLE = 4.5
"""The contrast of text that the Web Content Accessibility Guidelines ask for."""


def check_fits(window: Window) -> None:
    """The page scrolls in one direction only, and whatever can be used can be reached."""
    width = window.page.viewport_size["width"]  # type: ignore[index]
    assert window.page.evaluate("document.documentElement.scrollWidth") <= width
    assert window.page.evaluate(f"{PROBE}; unreachable()") == []


@pytest.mark.parametrize("game", ["quatrix", "pixel_tactics"])  # the page knows no game; these boards are large
def test_400_pixels(game: str, address: str, window: Open) -> None:
    player = window(viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    player.choose(address, game)
    check_fits(player)
    player.start(seed=1)
    assert player.my_turn()
    player.page.click("#ask")
    player.page.wait_for_selector("#hint", state="visible")
    for tab in ("log", "rules", "words"):
        player.page.click(f"#tab-{tab}")
        check_fits(player)


@pytest.mark.parametrize("width", [400, 1280])
def test_the_lobby_cuts_no_text(width: int, address: str, window: Open) -> None:
    visitor = window(viewport={"width": width, "height": 800})
    visitor.page.goto(address)
    texts = visitor.page.locator(".game div *")
    texts.first.wait_for()
    assert texts.evaluate_all(CUT) == []
    card = visitor.page.locator("#game-quatrix")
    assert card.locator("p").inner_text().endswith("a pip being a ring on a disc.")
    card.click()
    assert visitor.page.inner_text("#about").startswith(card.locator("p").inner_text() + " They ")


def test_a_long_log_does_not_make_a_wide_page_longer(address: str, window: Open) -> None:
    player = window()
    player.choose(address, "resistor")
    player.page.select_option("#seat-0", "greedy")
    player.start(seed=1, pace="0")
    assert not player.my_turn()
    assert player.page.evaluate("document.querySelector('#panel-log').scrollHeight") > 800
    assert player.page.evaluate("document.documentElement.scrollHeight") == 800


@pytest.mark.parametrize("colours", ["dark", "light"])
def test_text_can_be_read(colours: str, address: str, window: Open) -> None:
    player = window(color_scheme=colours)
    player.choose(address, "estimatrix")
    ground = player.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"dark": "rgb(23, 24, 26)", "light": "rgb(244, 242, 238)"}[colours]
    faint = player.page.evaluate(f"{PROBE}; faint({READABLE})")
    player.start(seed=1)
    assert player.my_turn()
    player.page.locator("#list .move").first.hover()
    player.page.click("#ask")
    player.page.wait_for_selector("#hint", state="visible")
    for tab in ("log", "rules", "words"):
        player.page.click(f"#tab-{tab}")
        faint += player.page.evaluate(f"{PROBE}; faint({READABLE})")
    assert faint == []


def test_the_switch_of_colours_is_remembered(address: str, window: Open) -> None:
    player = window(color_scheme="dark")
    player.page.goto(address)
    player.page.click("[data-switch-theme]")
    assert player.page.get_attribute("html", "data-theme") == "light"
    player.page.reload()
    assert player.page.get_attribute("html", "data-theme") == "light"
