"""What the log says of moves: who acts, whom it hits, who falls; hidden cards without their names."""

from __future__ import annotations

import re

import pytest

from polytrix.core.viewers import SPECTATOR, Viewer
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.board.passives import life
from polytrix.games.pixel_tactics.notation import NAMES
from polytrix.games.pixel_tactics.state import LEADER_SLOT
from tests.games.telling import random_log, told

from .positions import Table

POSITION = (
    "R2 V / 0: L=Knight Va=Fighter Rb=Mascot Fc=x.Oracle hand=Witch,Knight / 1: L=Witch Vb=Vampire Vc=Gunner"
)


@pytest.mark.parametrize(
    ("move", "viewer", "first"),
    [
        ("draw", 1, "draws a card"),
        (
            "recruit Witch c",
            1,
            'recruits Witch into column c of the vanguard: "1 stronger for each corpse on both sides"',
        ),
        ("melee Va", 0, "strikes in melee with your Fighter on Va"),
        ("melee Va", 1, "strikes in melee with South's Fighter on Va"),
        (
            "power Rb",
            SPECTATOR,
            'uses the power of South\'s Mascot on Rb: "Power: another rear hero of yours shoots"',
        ),
        ("order Witch", None, 'plays Witch as an order: "the corpses of one row go back to hands"'),
        ("clear Fc", 1, "discards the corpse of South's Oracle on Fc"),
        ("pass", 1, "ends the turn"),
    ],
)
def test_an_action(move: str, viewer: Viewer, first: str) -> None:
    assert told(GAME, Table(POSITION).s, NAMES.index(move), viewer)[0] == first


def test_an_attack_and_what_came_of_it() -> None:
    table = Table(POSITION)
    table.play("melee Va")
    lines = told(GAME, table.s, NAMES.index("foe Vb"), 1)
    assert lines[0] == "attacks your Vampire on Vb"
    assert re.fullmatch(r"your Vampire on Vb takes \d+ damage: \d of \d lives left.*", lines[1])


@pytest.mark.clause("PT-110")
@pytest.mark.parametrize(("best_of", "end"), [(1, "North wins"), (3, "North wins match 1")])
def test_the_damage_that_decides_a_match_is_told_and_who_has_won_it(best_of: int, end: str) -> None:
    table = Table(
        f"R3 R seat=1 actions=1 best_of={best_of} / 0: L=Knight*17 Va=Fighter / "
        "1: L=Healer Ra=Gunner hand=- deck=-"
    )
    table.play("ranged Ra")
    assert told(GAME, table.s, NAMES.index("foe L"), 0) == [
        "attacks your leader Knight",
        "your leader Knight takes 4 damage: 0 of 20 lives left, so it falls when the wave ends",
        end,
    ]


@pytest.mark.clause("PT-69")
def test_a_recruit_that_is_hit_at_the_end_of_the_wave_is_told() -> None:
    """Its turn was the last of the wave."""
    table = Table("R3 V seat=1 actions=1 / 0: L=Alchemist / 1: L=Witch hand=Knight deck=-")
    assert told(GAME, table.s, NAMES.index("recruit Knight a"), 0)[1:] == [
        "North's Knight on Va takes 1 damage: 9 of 10 lives left",
        "round 3, wave of the flank",
    ]


def test_a_corpse_that_is_cleared_is_told_once() -> None:
    assert len(told(GAME, Table(POSITION).s, NAMES.index("clear Fc"), 0)) == 1


def test_a_leader_is_chosen_face_down_and_then_shown() -> None:
    (first, _), (second, s) = random_log(GAME, 3, 1, 2)
    assert first == ("chooses a leader, face down",)
    assert any(line.startswith("the leaders are shown: South has ") for line in second)
    assert s.revealed


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_the_log_of_a_game_tells_the_lives_of_leaders(seed: int, viewer: Viewer) -> None:
    left: dict[int, int] = {}
    for lines, s in random_log(GAME, seed, viewer, 150):
        if not s.revealed:
            continue
        for u, name in enumerate(("South's", "North's")):
            name = "your" if u == viewer else name
            for line in lines:
                if found := re.match(
                    rf"{name} leader \w+ (?:takes|heals) \d+.*: (\d+) of (\d+) lives left", line
                ):
                    left[u] = int(found[1])
            full = int(life(s, u, LEADER_SLOT))
            assert left.get(u, full) == max(0, full - int(s.damage[u, LEADER_SLOT]))


def test_the_names_of_hidden_cards_are_not_told() -> None:
    """The opponent's draws, as chance, and the cards that it picks from its hand."""
    for lines, _ in random_log(GAME, 4, 1, 60):
        for line in lines:
            assert not re.match(r"South draws (?!a card)", line)
