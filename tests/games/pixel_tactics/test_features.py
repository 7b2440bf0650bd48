"""Features count where they occur, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.games.pixel_tactics import GAME, rules
from polytrix.games.pixel_tactics.features import FEATURES, cover

from .positions import Table


def seen_in(position: str, *actions: str) -> set[str]:
    """The features that the last of these actions shows."""
    s = Table(position).s
    for action in actions:
        before = s.copy()
        rules.apply(s, GAME.parse_action(s, action))
    seen = np.zeros(len(FEATURES), np.int64)
    cover(before, s, seen)
    return {name for name, count in zip(FEATURES, seen, strict=True) if count}


@pytest.mark.parametrize(
    ("position", "actions", "shown", "not_shown"),
    [
        pytest.param(
            "R2 V / 0: L=Fighter Va=Assassin Fa=Mystic / 1: L=Knight Va=Oracle",
            ["melee Va", "foe L"],
            "PT-ASS-V PT-MYS-F PT-FIG-L PT-KNI-L",
            "PT-ASS-F PT-KNI-F",
            id="strength and guard",
        ),
        pytest.param(
            "R2 V / 0: L=Fighter Va=Assassin Fa=Mystic / 1: L=Knight Va=Oracle",
            ["melee Va", "foe Va"],
            "PT-MYS-F PT-KNI-L",
            "PT-ASS-V",
            id="the double strength is for leaders",
        ),
        pytest.param(
            "R2 V / 0: L=Healer Va=Gunner / 1: L=Oracle Fa=Templar Ra=Witch Fc=Knight",
            ["ranged Va", "foe Ra"],
            "PT-TEM-F",
            "PT-KNI-F PT-GUN-V",
            id="immune supporter",
        ),
        pytest.param(
            "R2 V / 0: L=Healer Va=Gunner / 1: L=Oracle Fa=Templar Ra=Witch Fc=Knight",
            ["ranged Va", "foe L"],
            "PT-KNI-F",
            "PT-TEM-F",
            id="immune leader",
        ),
        pytest.param(
            "R2 V / 0: L=Healer Va=Gunner / 1: L=Oracle Va=Fighter Ra=Witch Vb=Overlord Rc=Mystic",
            ["ranged Va"],
            "PT-FIG-V PT-OVE-V",
            "PT-TRA-F",
            id="two who intercept",
        ),
        pytest.param(
            "R2 V / 0: L=Healer Va=Gunner / 1: L=Oracle Va=Fighter Vb=Witch Fc=Mystic",
            ["ranged Va", "foe Va"],
            "PT-GUN-V",
            "PT-FIG-V",
            id="nobody is hidden behind the Fighter, but the Gunner is stronger against it",
        ),
        pytest.param(
            "R2 V / 0: L=Planestalker Va=Gunner / 1: L=DragonMage",
            ["draw"],
            "",
            "PT-DRA-L",
            id="nothing to clear",
        ),
        pytest.param(
            "R2 V seat=1 first=1 / 0: L=Witch Vb=x.Oracle / 1: L=DragonMage",
            ["pass"],
            "PT-DRA-L PT-WIT-L",
            "PT-PLA-L",
            id="clearing is forbidden, a corpse may attack",
        ),
    ],
)
def test_passive_effects(position: str, actions: list[str], shown: str, not_shown: str) -> None:
    seen = seen_in(position, *actions)
    assert seen >= set(shown.split())
    assert not seen & set(not_shown.split())


def test_effects_that_begin() -> None:
    position = "R2 R / 0: L=Gunner Rb=Berserker hand=Scientist / 1: L=Oracle Va=Fighter"
    assert {"PT-SCI-O", "asked PICK", "PT-GUN-L", "within PLAY"} <= seen_in(position, "order Scientist")
    assert "PT-BER-R" in seen_in(position, "order Scientist", "foe Va")


def test_to_see_the_top_card_is_an_effect() -> None:
    """Of the rear Oracle, whenever chance has to say what lies there."""
    position = "R2 V / 0: L=Gunner Rc=Oracle top=Witch / 1: L=Mystic"
    assert "PT-ORA-R" in seen_in(position, "draw")
    assert "PT-ORA-R" not in seen_in(position.replace("Rc", "Fc"), "draw")


def test_ends() -> None:
    assert "a rout" in seen_in("R3 R seat=1 / 0: L=Knight / 1: L=Healer*15", "pass")
    assert "both leaders fall" in seen_in("R3 R seat=1 / 0: L=Knight*20 / 1: L=Healer*15", "pass")
    assert "the round limit" in seen_in("R30 R seat=1 / 0: L=Knight / 1: L=Healer", "pass")
    tie = (
        "R3 R seat=1 best_of=5 trophies=2:1 match=4 / 0: L=Knight*20 out=Witch,Oracle,Mystic / 1: L=Healer*15 "
    )
    seen = seen_in(tie + "out=Witch,Oracle,Mystic", "pass")
    assert {"a tie gives trophies", "a tie gives no winning trophy"} <= seen
