"""The screenshots of the documentation.

    python -m tests.screenshots

plays at tables in a browser and stores what it shows in `docs/images`, which takes a minute. A game goes as it
did before unless its rules or its network have changed. Names as arguments choose files, like `table_resistor`.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Locator

from tests.pages import ROOT
from tests.web.browser.windows import NAMES, Window, browser_program, open_window, running_browser
from tests.web.running import process

IMAGES = ROOT / "docs" / "images"

AGENT = "ppo"
"""Plays the other seats, and advises ours."""


def lobby(window: Window, address: str) -> None:
    """All games."""
    window.page.goto(address)
    window.page.wait_for_load_state("networkidle")


def table(window: Window, address: str, game: str, seed: int, moves: int) -> None:
    """A game after some moves of ours; the next one is touched and not yet made."""
    window.choose(address, game)
    window.start(seed)
    for _ in range(moves):
        before = window.drawing()
        window.play_listed(advised(window))
        window.next_position(before)
    action = advised(window).get_attribute("data-action")
    window.page.click("text=Close the hint")
    (move,) = (move for move in window.views[-1]["moves"] if str(move["action"]) == action)
    window.select(move)
    window.page.mouse.move(0, 0)
    window.page.evaluate("scrollTo(0, 0)")


def advised(window: Window) -> Locator:
    """The button of the move that the agent would make."""
    assert window.my_turn(), "the game is over before the picture is taken"
    window.page.select_option("#adviser", AGENT)
    window.page.click("#ask")
    window.page.wait_for_selector("#hint", state="visible")
    return window.page.locator("#beside .move").first


def replay(window: Window, address: str, transcript: Path, position: int) -> None:
    """A position of a recorded game, with the thoughts of two agents."""
    page = window.page
    page.goto(address)
    page.click("text=Open a replay")
    page.wait_for_url("**/replay")
    page.set_input_files("#file", transcript)
    page.select_option("#first", "expert")
    page.select_option("#second", "greedy")
    page.wait_for_selector("#viewer .opinions:has-text('greedy')")
    page.wait_for_selector("#progress", state="hidden", timeout=60_000)
    slider = page.locator("#viewer input[type=range]")
    slider.fill(str(position))
    slider.blur()


class Shot(NamedTuple):
    """A screenshot."""

    stage: Callable[[Window, str], None]
    """Brings a window to what is shown, from the address of the lobby."""
    settings: Mapping[str, object] = {}
    """Of the window, see Playwright."""
    whole: bool = False
    """Shows the page to its end, not only what fits into the window."""


NARROW = {"viewport": {"width": 400, "height": 800}, "has_touch": True, "is_mobile": True}
GAME = ROOT / "docs" / "master_games" / "quatrix.json"

SHOTS = {
    "table_lobby": Shot(lobby, whole=True),
    "table_resistor": Shot(partial(table, game="resistor", seed=1, moves=20)),
    "table_pixel_tactics": Shot(partial(table, game="pixel_tactics", seed=2, moves=16)),
    "table_narrow": Shot(partial(table, game="quatrix", seed=1, moves=14), NARROW),
    "replay": Shot(partial(replay, transcript=GAME, position=50), whole=True),
}
"""By the name of the file."""


def png(window: Window, whole: bool) -> bytes:
    """What a window shows, in 256 colours: a third of the bytes, and hardly a difference that can be seen."""
    window.page.evaluate("document.fonts.ready")
    shown = Image.open(io.BytesIO(window.page.screenshot(animations="disabled", full_page=whole)))
    out = io.BytesIO()
    shown.convert("RGB").quantize(kmeans=8, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def take(shot: Shot, browser: Browser) -> bytes:
    """The screenshot, at a server without other tables."""
    with TemporaryDirectory() as folder, process(Path(folder)) as (_, address, key):
        window = open_window(browser, **shot.settings)
        shot.stage(window, f"{address}/#key={key}")
        shown = png(window, shot.whole)
        window.page.context.close()
    assert window.trouble == [], window.trouble
    return shown


def main(names: Iterable[str]) -> None:
    """Make the screenshots of these names."""
    program = browser_program()
    if program is None:
        sys.exit(f"There is no browser; install one of {', '.join(NAMES)}.")
    with running_browser(program) as browser:
        for name in names:
            file = IMAGES / f"{name}.png"
            file.write_bytes(take(SHOTS[name], browser))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:] or [*SHOTS])
