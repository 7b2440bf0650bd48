"""A browser, windows in it, and a server for all tests of a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.table.running import process

from .windows import Window

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Programs that the tests can use, from the system: nothing is downloaded."""

Open = Callable[..., Window]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"there is no browser; the tests look for {', '.join(NAMES)}")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if root else [])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the lobby, with its key."""
    with process(tmp_path_factory.mktemp("tables")) as (_, address, key):
        yield f"{address}/#key={key}"


@pytest.fixture
def window(browser: Browser) -> Iterator[Open]:
    """Opens windows that share nothing. Nothing may go wrong in them, or leave this machine.

    Without motion, so that the moves of others are shown at once.
    """
    opened = []

    def open_window(**settings: Any) -> Window:
        usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        context = browser.new_context(**{**usual, **settings})
        context.set_default_timeout(20_000)
        opened.append(Window(context.new_page()))
        return opened[-1]

    yield open_window
    for each in opened:
        each.page.context.close()
        assert each.trouble == [], each.trouble
