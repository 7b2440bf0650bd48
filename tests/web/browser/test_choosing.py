"""How a move is chosen at the table before it is played: by touch, in the list, from a hint."""

from __future__ import annotations

from tests.web.browser.conftest import Open
from tests.web.browser.windows import Window


def touch(player: Window, place: str) -> None:
    player.page.locator(f"[data-place='{place}']").click()


def told(player: Window) -> str:
    return player.page.inner_text("#offer .told")


def may_play(player: Window) -> bool:
    return player.page.is_enabled("#offer button.main")


def test_a_move_of_the_list_is_shown_before_it_is_played(address: str, window: Open) -> None:
    player = window()
    player.sit_down(address, "quatrix", 5)
    assert not may_play(player)
    first = player.views[-1]["moves"][0]
    before, row = player.drawing(), player.page.locator("#list .move").first
    row.click()
    chosen = player.page.locator("#board .chosen")
    assert [place.get_attribute("data-place") for place in chosen.all()] == sorted(first["touch"])
    assert told(player).lower() == f"{first['meaning']}." and may_play(player)
    assert not any(message["type"] == "move" for message in player.sent)
    player.page.keyboard.press("Enter")  # Play has the focus
    player.next_position(before)
    assert player.views[-1]["log"]["entries"][0]["words"][0].startswith("moves the ring")


def test_the_order_of_touches_tells_what_goes_where(address: str, window: Open) -> None:
    player = window()
    player.sit_down(address, "quatrix", 5)
    backward = None
    while backward is None:
        pairs = [move for move in player.views[-1]["moves"] if len(move["touch"]) == 2]
        touches = {tuple(move["touch"]): move for move in pairs}
        backward = next((move for move in pairs if tuple(reversed(move["touch"])) in touches), None)
        if backward is None:
            player.make(player.views[-1]["moves"][0])
            assert player.my_turn()
    for move in (backward, touches[tuple(reversed(backward["touch"]))]):
        for place in move["touch"]:
            touch(player, place)
        assert told(player).lower() == f"{move['meaning']}."
        player.page.keyboard.press("Escape")


def test_a_card_that_may_go_elsewhere_is_not_ready_to_be_played_as_an_order(address: str, window: Open) -> None:
    player = window()
    player.sit_down(address, "pixel_tactics", 2)
    while not (orders := [move for move in player.views[-1]["moves"] if "as an order" in move["meaning"]]):
        player.make(player.views[-1]["moves"][0])
        assert player.my_turn()
    touch(player, orders[0]["touch"][0])
    assert not may_play(player) and "or touch another place" in told(player)
    player.page.click(f"#offer .option[data-action='{orders[0]['action']}']")
    assert may_play(player)


def test_a_row_card_alone_is_flipped_although_a_hand_card_may_be_switched_with_it(
    address: str, window: Open
) -> None:
    player = window()
    player.sit_down(address, "resistor", 3)
    while not (
        switches := [move for move in player.views[-1]["moves"] if move["meaning"].startswith("switch")]
    ):
        player.make(player.views[-1]["moves"][0])
        assert player.my_turn()
    switch = switches[0]
    flip = next(move for move in player.views[-1]["moves"] if move["touch"] == switch["touch"][1:])
    touch(player, flip["touch"][0])
    assert may_play(player) and told(player).lower() == f"{flip['meaning']}.".lower()
    touch(player, switch["touch"][0])
    assert not may_play(player) and switch["meaning"] in told(player)


def test_the_tab_in_words_has_the_words_of_the_log(address: str, window: Open) -> None:
    player = window()
    player.sit_down(address, "resistor", 5)
    player.page.keyboard.press("w")
    row = player.page.inner_text("#words li:has(b:text-is('row 1'))")
    assert row.startswith("row 1: This side: ") and " Other side: " in row
    assert player.page.inner_text("#words pre") == player.views[-1]["text"]


def test_the_table_says_that_its_places_can_be_read(address: str, window: Open) -> None:
    player = window()
    player.sit_down(address, "pressure_matrix", 2)
    assert told(player).endswith("Touch anything else to read about it.")
    player.page.get_by_role("button", name="Thaw: with no marker in hand").first.click(force=True)
    assert "take back one more" in player.page.inner_text("#look")


def test_the_log_stands_at_its_newest_line_when_it_is_opened(address: str, window: Open) -> None:
    player = window()
    player.sit_down(address, "resistor", 3)
    player.page.click("#tab-rules")
    for _ in range(6):
        player.make(player.views[-1]["moves"][0])
        assert player.my_turn()
    player.page.click("#tab-log")
    assert below_the_log(player) < 2
    assert player.page.evaluate("document.getElementById('panel-log').scrollTop") > 0


def test_the_log_stays_at_its_end_unless_its_reader_scrolls_away(address: str, window: Open) -> None:
    player = window()
    player.sit_down(address, "resistor", 3)
    for _ in range(8):
        player.make(player.views[-1]["moves"][0])
        assert player.my_turn() and below_the_log(player) < 2
    player.page.evaluate("document.getElementById('panel-log').scrollTop = 0")
    assert below_the_log(player) > 20
    player.make(player.views[-1]["moves"][0])
    assert player.my_turn() and below_the_log(player) > 20


def below_the_log(player: Window) -> float:
    """So much of the log lies below what is shown, in pixels, once the page has taken its new form."""
    script = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const { scrollHeight, scrollTop, clientHeight } = document.getElementById("panel-log");
        done(scrollHeight - scrollTop - clientHeight);
    })))"""
    return float(player.page.evaluate(script))
