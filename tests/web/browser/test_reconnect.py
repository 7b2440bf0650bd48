"""The server is killed, and the page goes on by itself once there is one again."""

from __future__ import annotations

import random
from pathlib import Path
from urllib.parse import urlsplit

from tests.web.running import process

from .conftest import Open


def test_a_page_goes_on_after_kill_9(tmp_path: Path, window: Open) -> None:
    player, rng = window(reduced_motion="no-preference"), random.Random(3)
    with process(tmp_path) as (server, address, key):
        player.sit_down(f"{address}/#key={key}", "quatrix", 5)
        for _ in range(3):
            player.move(rng)
            assert player.my_turn()
        seen, page = player.views[-1], player.page
        server.kill()
        page.wait_for_selector("#offline", state="visible")
        player.play_listed(page.locator("#list .move").first)
        assert page.inner_text("#refused") == "Not sent: there is no connection."
    with process(tmp_path, urlsplit(address).port or 0):
        page.wait_for_selector("#offline", state="hidden")
        assert page.is_hidden("#refused")
        assert player.frames[-1] == {"type": "current", "version": seen["version"]}
        player.move(rng)
        assert player.my_turn()
        assert page.locator("#log li").count() >= seen["log"]["count"]
