"""What has happened, in words: the lines above the board, the log; notation only for those who ask."""

from __future__ import annotations

from typing import Any

from .conftest import Open
from .windows import Window

PHONE = {"viewport": {"width": 400, "height": 800}, "has_touch": True, "is_mobile": True}


def play_some(player: Window, address: str, game: str, moves: int) -> list[dict[str, Any]]:
    """Make some moves; the log."""
    player.sit_down(address, game, 2)
    for _ in range(moves):
        player.make(player.views[-1]["moves"][0])
        assert player.my_turn()
    logs = [view["log"] for view in player.views]
    numbered = {log["first"] + i: entry for log in logs for i, entry in enumerate(log["entries"])}
    return [numbered[number] for number in sorted(numbered)]


def test_each_event_has_a_line_and_the_newest_is_marked(address: str, window: Open) -> None:
    player = window()
    log, seats = play_some(player, address, "pressure_matrix", 4), ("blue", "orange")
    since = player.views[-1]["log"]["since"]
    own, *fresh = log[since - 1 :]
    assert own["seat"] == 0 and [entry["seat"] for entry in fresh] == [1, 1]
    told = [f"chance: {line}" for line in own["chance"]]
    for entry in fresh:
        first, *others = entry["words"]
        told += [f"{seats[entry['seat']]} {first}", *others]
        told += [f"chance: {line}" for line in entry["chance"]]
    lines = player.page.locator("#news > *")
    assert [" ".join(line.split()) for line in lines.all_inner_texts()] == told
    borders = lines.evaluate_all(
        "lines => lines.map((line) => parseFloat(getComputedStyle(line).borderLeftWidth))"
    )
    assert [width > 0 for width in borders] == [False] * (len(told) - 1) + [True]


def test_lines_that_do_not_fit_are_in_the_log(address: str, window: Open) -> None:
    player = window(**PHONE)
    play_some(player, address, "pressure_matrix", 4)
    player.page.click("#tab-rules")
    player.page.click("#more")
    newest = player.page.locator("#log li.fresh").last
    assert newest.is_visible() and newest.bounding_box()["y"] < 800


def test_notation_is_shown_to_those_who_ask(address: str, window: Open) -> None:
    player = window()
    entry = play_some(player, address, "quatrix", 2)[-1]
    move = player.views[-1]["moves"][0]
    row, logged = player.page.locator("#list .move").first, player.page.locator("#log li").last
    assert row.inner_text() == move["meaning"]
    assert player.page.get_by_role("button", name=move["meaning"], exact=True).count()
    assert entry["move"] not in logged.inner_text()

    player.page.keyboard.press("n")
    assert move["notation"] in row.inner_text() and entry["move"] in logged.inner_text()
    player.page.reload()
    assert player.my_turn() and move["notation"] in row.inner_text()
