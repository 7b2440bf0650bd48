"""A browser, windows in it, and a server for all tests of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.running import process

from .windows import NAMES, Window, browser_program, open_window, running_browser

Open = Callable[..., Window]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = browser_program()
    if program is None:
        pytest.skip(f"there is no browser; the tests look for {', '.join(NAMES)}")
    with running_browser(program) as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the lobby, with its key."""
    with process(tmp_path_factory.mktemp("tables")) as (_, address, key):
        yield f"{address}/#key={key}"


@pytest.fixture
def window(browser: Browser) -> Iterator[Open]:
    """Opens windows. Nothing may go wrong in them, or leave this machine."""
    opened = []

    def another(**settings: Any) -> Window:
        opened.append(open_window(browser, **settings))
        return opened[-1]

    yield another
    for each in opened:
        each.page.context.close()
        assert each.trouble == [], each.trouble
