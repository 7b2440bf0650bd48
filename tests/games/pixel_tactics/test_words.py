"""Actions in words, with the effects of their cards."""

from __future__ import annotations

import pytest

from polytrix.core.viewers import SPECTATOR
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.notation import NAMES
from polytrix.play.session import Session

from .positions import Table

POSITION = (
    "R2 V / 0: L=Knight Va=Fighter Rb=Mascot Fc=x.Oracle hand=Witch,Knight / 1: L=Witch Vb=Vampire Vc=Gunner"
)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (
            "recruit Witch c",
            "recruit Witch into column c of the vanguard: 1 stronger for each corpse on both sides",
        ),
        ("melee Va", "your Fighter on Va strikes in melee"),
        ("power Rb", "use the power of your Mascot on Rb: Power: another rear hero of yours shoots"),
        ("order Witch", "play Witch as an order: the corpses of one row go back to hands"),
        ("move Rb c", "move your Mascot on Rb to column c of the vanguard"),
        ("foe Vb", "pick the opposing Vampire on Vb"),
        ("clear Fc", "discard your corpse of Oracle on Fc"),
    ],
)
def test_words(move: str, words: str) -> None:
    assert GAME.explain(Table(POSITION).s, NAMES.index(move)) == words


def test_a_leader_is_chosen_by_its_strength_and_lives() -> None:
    words = GAME.explain(Session(GAME, GAME.options.defaults, 2).state, NAMES.index("card Fighter"))
    assert words == "make Fighter your leader (strength 4, 23 lives): your heroes strike 2 stronger in melee"


def test_notes_tell_the_abilities_in_play_and_the_effect_being_carried_out() -> None:
    table = Table(POSITION)
    lines = GAME.notes(table.s, 0)
    assert lines == [
        "opposing leader Witch (to its player): your corpses strike in melee with strength 3",
        "opposing Vb Vampire: heals by the damage of its attacks",
        "opposing Vc Gunner: shoots; 3 stronger against interceptors",
        "your leader Knight: attacks hurt your members 1 less",
        "your Va Fighter: intercepts",
        "your Rb Mascot: Power: another rear hero of yours shoots",
    ]
    table.run(["> melee Va"])
    assert GAME.notes(table.s, 1)[-1] == (
        "being carried out: attacker or source: the opposing Fighter on Va; attack: melee"
    )


@pytest.mark.clause("PT-103")
def test_a_card_that_is_shown_is_told_to_all() -> None:
    cards = "hand=Scientist,Trapper known=Scientist,Trapper"
    table = Table(f"R2 F / 0: L=Knight Fa=Illusionist / 1: L=Healer {cards}")
    table.run(["> power Fa"])
    s = table.s.copy()
    action = GAME.parse_action(s, "card Scientist")
    for viewer in (0, 1, SPECTATOR):
        assert not GAME.secret(s, action, viewer)
    table.run(["> card Scientist"])
    assert "Scientist" in " ".join(GAME.tell(s, action, table.s, 1 - s.mover))


@pytest.mark.parametrize(
    ("position", "steps", "amount", "words", "told"),
    [
        (
            "R2 V / 0: L=Knight Va=Fighter*6 hand=Alchemist,Healer / 1: L=Trapper Va=Oracle Vb=Witch",
            ["> order Alchemist; foe Vb"],
            2,
            "2 damage to the opposing Witch on Vb",
            "chooses 2 damage to your Witch on Vb",
        ),
        (
            "R2 F / 0: L=Knight Fa=Homunculus*1 Va=Fighter*5 Rc=Witch*4 / 1: L=Healer",
            ["> power Fa; own Va"],
            5,
            "5 damage off your Fighter on Va to your Homunculus on Fa",
            "chooses 5 damage off South's Fighter on Va to South's Homunculus on Fa",
        ),
        (
            "R2 V / 0: L=Knight Va=Fighter*6 Vb=Oracle*4 hand=Healer / 1: L=Trapper",
            ["> order Healer; own Vb"],
            3,
            "3 damage off your Oracle on Vb",
            "chooses 3 damage off South's Oracle on Vb",
        ),
        (
            "R2 R / 0: L=Knight*5 Ra=Vampire / 1: L=Scientist Va=Healer*3 Rb=Knight",
            ["> power Ra; foe Va"],
            2,
            "2 damage off your leader Knight to the opposing Healer on Va",
            "chooses 2 damage off South's leader Knight to your Healer on Va",
        ),
    ],
)
def test_an_amount_says_what_it_does(
    position: str, steps: list[str], amount: int, words: str, told: str
) -> None:
    table = Table(position)
    table.run(steps)
    assert GAME.task(table.s) == "say how much"
    before, action = table.s.copy(), NAMES.index(f"amount {amount}")
    assert GAME.explain(before, action) == words
    table.run([f"> amount {amount}"])
    assert GAME.tell(before, action, table.s, 1)[0] == told


def test_cards_set_aside_in_words() -> None:
    table = Table("R2 R / 0: L=Knight Rb=Summoner deck=Witch,Oracle,Templar / 1: L=Healer")
    table.run(["> power Rb", "~ Witch", "~ Oracle"])
    assert GAME.explain(table.s, NAMES.index("card Oracle")).endswith(", for your hand")
    table.run(["> card Witch"])
    assert GAME.explain(table.s, NAMES.index("card Oracle")).endswith(", for the top of your deck")


def test_the_only_hand_card_that_is_played_by_the_other_seat_is_not_discarded() -> None:
    table = Table("R2 V / 0: L=Knight Va=Fighter*3 hand=Illusionist / 1: L=Healer hand=Healer disc=Witch")
    before = table.s.copy()
    table.run(["> order Illusionist"])
    lines = GAME.tell(before, NAMES.index("order Illusionist"), table.s, None)
    assert lines[1:] == ["Healer of North's hand is played"]


def test_three_common_cells_fit_into_eighty_columns() -> None:
    s = Table("R2 V / 0: L=Knight Va=Pyromancer Vb=DragonMage Vc=Pyromancer / 1: L=Witch Va=Healer").s
    assert max(map(len, (line for line in GAME.text(s, 0).splitlines() if line.startswith("   ")))) <= 80
