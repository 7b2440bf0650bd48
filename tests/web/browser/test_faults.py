"""What has gone wrong for people at the table, one test for each."""

from __future__ import annotations

import random
from pathlib import Path

import polytrix
from polytrix.core.baselines import baseline_files

from .conftest import Open


def test_keys_at_the_table(address: str, window: Open) -> None:
    player = window()
    page, keys = player.page, player.page.keyboard
    player.sit_down(address, "quatrix", 1, "greedy")

    # Escape closes what is open.
    for button, dialog in (("#keys", "#key-help"), ("#resign", "#sure")):
        page.click(button)
        assert page.is_visible(dialog)
        keys.press("Escape")
        assert page.is_hidden(dialog)
    assert player.my_turn()

    # Letters are keys until one goes to the field, and again after Escape; the field keeps what it had.
    assert page.evaluate("document.activeElement.id") != "filter"
    keys.press("m")
    keys.type("b")
    assert page.input_value("#filter") == "b"
    keys.press("Escape")
    assert page.input_value("#filter") == "" and page.evaluate("document.activeElement.id") == "filter"
    keys.press("Escape")
    keys.press("b")
    assert page.evaluate("document.activeElement.dataset.place") is not None
    assert page.input_value("#filter") == ""

    # A hint marks its move on the board, and takes the marks away with it.
    keys.press("h")
    page.wait_for_selector("#hint", state="visible")
    best = next(frame for frame in reversed(player.frames) if frame["type"] == "hint")["moves"][0]["action"]
    touched = next(move["touch"] for move in player.views[-1]["moves"] if move["action"] == best)
    marked = "[...document.querySelectorAll('.hinted')].map(shape => shape.dataset.place).sort()"
    assert touched and page.evaluate(marked) == sorted(touched)
    page.click("text=Close the hint")
    assert page.evaluate(marked) == []


def test_a_field_that_is_wrong_shows_itself(address: str, window: Open) -> None:
    player = window()
    page = player.page
    player.choose(address, "quatrix")
    page.click("summary:text-is('More')")
    page.fill("#seed", "seven")
    page.click("summary:text-is('More')")
    assert page.is_hidden("#seed")
    page.click("#form button[type=submit]")
    assert page.is_visible("#seed") and page.evaluate("document.activeElement.id") == "seed"


def test_a_network_that_is_wrong_stays_wrong_until_another_takes_its_place(
    address: str, window: Open, tmp_path: Path
) -> None:
    broken, network = tmp_path / "broken.npz", tmp_path / "my run.npz"
    broken.write_bytes(b"no network")
    network.write_bytes(baseline_files(polytrix.find("resistor"))["ppo"].read_bytes())
    player = window()
    page = player.page
    player.choose(address, "resistor")
    page.select_option("#seat-1", "network")
    chooser = page.locator("input[type=file][accept='.npz']:visible")
    chooser.set_input_files(broken)
    damaged = "#form .wrong:has-text('broken.npz is damaged or not a saved network')"
    page.wait_for_selector(damaged)
    page.click("#form button[type=submit]")
    page.wait_for_selector(damaged)

    # Another agent, and back: the file is forgotten, and the page does not say otherwise.
    page.select_option("#seat-1", "greedy")
    page.select_option("#seat-1", "network")
    assert chooser.evaluate("chooser => chooser.files.length") == 0
    page.click("#form button[type=submit]")
    page.wait_for_selector("#form .wrong:has-text('Choose the file of the saved network')")

    chooser.set_input_files(network)
    player.start(seed=1)
    assert player.my_turn()
    assert "my_run.npz" in page.inner_text("#seats")


def test_the_lobby(address: str, window: Open) -> None:
    player = window()
    page = player.page
    player.sit_down(address, "resistor", 1, "greedy")
    page.go_back()
    page.wait_for_selector("#tables .table")
    own = page.locator("#tables .table").first
    assert own.locator(".status").inner_text() == "Your move: flip, draw or switch."

    # The easiest game comes first; a card is called by its title, and the form says what a game is.
    cards = page.locator(".game")
    assert [card.get_attribute("id") for card in cards.all()] == [
        f"game-{name}" for name in ("quatrix", "resistor", "estimatrix", "pressure_matrix", "pixel_tactics")
    ]
    assert cards.first.get_attribute("aria-label") == "Quatrix, 2 players · about 20 minutes · easy"
    cards.nth(2).click()
    assert page.inner_text("#about").endswith("and the Negater does not.")
    agents = [text.partition(":")[0] for text in page.locator("#seat-1 option").all_inner_texts()[2:-2]]
    assert agents == ["random", "literal", "plain", "chooser", "greedy", "ppo", "expert", "master"]

    # Links of this computer lead nowhere from others, and the page says so.
    own.get_by_text("Links").click()
    assert "on this computer only" in page.inner_text("#here-only")
    page.keyboard.press("Escape")

    # A table is deleted only if one is sure.
    count = page.locator("#tables .table").count()
    for answer, left in (("Keep", count), ("Delete", count - 1)):
        page.locator("#tables .table").first.get_by_role("button", name="Delete").click()
        page.click(f"#sure button:text-is('{answer}')")
        page.wait_for_function("count => document.querySelectorAll('.table').length === count", arg=left)


def test_there_is_always_a_way_home(address: str, window: Open) -> None:
    for width in (400, 1280):
        player = window(viewport={"width": width, "height": 800})
        player.sit_down(address, "quatrix", 1, "greedy")
        player.page.get_by_role("link", name="All games").click()
        player.page.wait_for_selector("#games .game")


def test_a_new_game_of_others_does_not_take_the_old_one_away(address: str, window: Open) -> None:
    host = window()
    host.choose(address, "resistor")
    host.page.select_option("#seat-1", "person")
    host.start(seed=1)
    links = host.links()[:2]
    red, blue = people = [window(), window()]
    for each, link in zip(people, links, strict=True):
        each.page.goto(link)
        each.page.wait_for_selector("#board svg")
    red.page.click("#resign")
    red.page.click("#sure button[value=yes]")
    for each in people:
        each.page.wait_for_selector("#end", state="visible")
    end = blue.drawing()
    red.page.click("text=New game")
    blue.page.wait_for_selector("#end :text('A new game has begun.')")
    assert end.evaluate("drawing => drawing.isConnected") and "has resigned" in blue.page.inner_text("#status")
    if red.page.is_visible("#status.mine"):  # moves that are made meanwhile come along
        red.move(random.Random(1))
    blue.page.click("text=Go to the new game")
    blue.page.wait_for_selector("#end", state="hidden")
    count = red.page.locator("#log li").count()
    blue.page.wait_for_function("count => document.querySelectorAll('#log li').length === count", arg=count)


def test_the_board_stays_where_it_is(address: str, window: Open) -> None:
    place = """() => {
      const { x, y, width, height } = document.getElementById("board").getBoundingClientRect();
      return [x, y + scrollY, width, height].map(Math.round);
    }"""
    for width in (400, 1280):
        player, rng = window(viewport={"width": width, "height": 800}), random.Random(1)
        player.sit_down(address, "pressure_matrix", 1, "greedy")
        places = set()
        for _ in range(8):
            move = rng.choice(player.views[-1]["moves"])
            player.select(move)
            places.add(tuple(player.page.evaluate(place)))
            before = player.drawing()
            player.page.click("#offer button.main")
            player.next_position(before)
            assert player.my_turn()
            player.page.evaluate("document.getElementById('offline').hidden = false")
            places.add(tuple(player.page.evaluate(place)))
            player.page.evaluate("document.getElementById('offline').hidden = true")
        assert len(places) == 1, places
