"""The picture shows the position, to viewers who may see it."""

from __future__ import annotations

import re

import pytest

from polytrix.drawing import text_width
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.cards.cards import CARDS
from polytrix.games.pixel_tactics.notation import NAMES
from polytrix.games.pixel_tactics.picture import NARROW, SIGNS, TERMS, WIDE, card_in_words
from polytrix.games.pixel_tactics.reading import effect_text
from tests.games.pictures import count

from .obvious import Field, members_of
from .play import positions
from .positions import Table, placed

FIGHT = (
    "R2 V best_of=3 trophies=1:0 / 0: L=Knight*4 Va=Fighter*3+5!h Vb=Paladin Vc=~Witch Fc=x.Oracle Ra=Gunner!m "
    "hand=Trapper,Scientist known=Trapper top=Healer,Alchemist "
    "/ 1: L=Mascot*7 Va=Alchemist Fa=Vampire Rb=Knight hand=Fighter,Gunner,Pyromancer known=Gunner disc=Trapper"
)


def picture(table: Table, seat: int | None) -> str:
    return GAME.draw(table.s, seat).svg()


def test_everything_is_there() -> None:
    for s in positions(60, 8, best_of=3, max_rounds=9):
        svg = GAME.draw(s, None).svg()
        field = Field(s) if s.revealed else None
        heroes = len(field.heroes) if field else 0
        corpses = len(field.corpses) if field else 0
        assert count(svg, "hero") == heroes and count(svg, "corpse") == corpses
        assert count(svg, "leader") == int(s.leader[0] >= 0) + int(s.leader[1] >= 0)
        assert count(svg, "slot") == 18 - heroes - corpses - count(svg, "leader")
        assert count(svg, "card") == sum(len(members_of(hand)) for hand in s.hand) and count(svg, "back") == 0
        assert count(svg, "captive") == sum(len(members_of(cards)) for cards in s.captives)
        assert svg.count("On top: ") == sum(cards > 0 for cards in s.fixed)
        assert count(svg, "won") == s.trophies.sum()
        if field:
            places = [(u, slot) for u, slot in sorted(field.members)]
            assert count(svg, "bow") == sum(field.gives("RANGED", place) for place in places)
            assert count(svg, "shield") == sum(field.gives("INTERCEPT", place) for place in places)
            assert count(svg, "front") == sum(field.front(place) for place in places)


def test_hands_as_each_seat_sees_them() -> None:
    table = Table(FIGHT)
    assert [count(picture(table, seat), "back") for seat in (0, 1, None)] == [2, 1, 0]
    south = picture(table, 0)
    assert 'class="card GUN' in south and "card FIG" not in south
    assert count(south, "eye") == 1
    knight = next(card for card in CARDS if card.name == "Knight")
    assert f">leader: {knight.leader_name} (Knight)<" in south
    assert "On top: 1. Healer, " in south and "On top: 1. ?, " in picture(table, 1)
    assert [names(picture(table, seat)) for seat in (0, 1)] == [
        ["North", "South (you)"],
        ["South", "North (you)"],
    ]


def names(svg: str) -> list[str]:
    """The seats of the upper and the lower unit."""
    return re.findall(r'class="seat">([^<]+)<', svg)


def test_numbers_and_marks() -> None:
    svg = picture(Table(FIGHT), None)
    assert ">9<" in svg and ">5 / 8<" in svg and ">16 / 20<" in svg
    assert count(svg, "damage") == 3 + 4 + 1 and ">x 7<" in svg
    assert count(svg, "moved") == count(svg, "hurt") == 1 and ">+5<" in svg
    assert count(svg, "trophy") == 4 and count(svg, "won") == 1
    assert "as Knight" in picture(Table("R2 V / 0: L=Knight / 1: L=Doppelganger"), None)
    assert "level 2" not in svg


def test_what_is_asked_stands_there() -> None:
    table = Table(FIGHT)
    table.act("melee Va")
    table.act("foe Va")
    assert "North: shield Alchemist from 7 damage, or not" in picture(table, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("START", "Chance: the next card of South"),
        ("R2 V / 0: L=Knight / 1: L=Healer", "South: take an action"),
        ("R2 R / 0: L=Oracle Ra=Mystic / 1: L=Scientist\n> power Ra | ~ Scientist", "just drawn: Scientist"),
        ("R2 V seat=1 / 0: L=Knight / 1: L=Healer*15 Va=Fighter\n> pass", "South wins"),
    ],
)  # fmt: skip
def test_what_is_going_on(text: str, words: str) -> None:
    assert words in picture(placed(text), 0)
    assert words in GAME.text(placed(text).s, 0)


def test_a_drawn_card_is_its_owners_secret() -> None:
    table = placed("R2 R / 0: L=Oracle Ra=Mystic / 1: L=Scientist\n> power Ra | ~ Scientist")
    assert "just drawn" not in picture(table, 1) + GAME.text(table.s, 1)


def test_a_card_tells_all_it_can_do_and_its_name_fits() -> None:
    for kind in range(len(CARDS)):
        assert all(effect_text(kind, which) in card_in_words(kind, now=1) for which in range(5))
        for plan in (WIDE, NARROW):
            assert text_width(CARDS[kind].name, 13) < plan.card[0] - 30
            assert text_width(CARDS[kind].name, 12) < plan.small[0] - 8


def test_cards_in_a_hand_show_what_they_are_needed_for() -> None:
    for position, numbers, words in [
        ("START", ">4 / 23<", ">Leader:"),
        ("R2 V / 0: L=Knight hand=Fighter / 1: L=Healer", ">4 / 8<", ">Vanguard:"),
        ("R2 F / 0: L=Knight hand=Fighter / 1: L=Healer", ">4 / 8<", ">Flank:"),
    ]:
        s = placed(position).s
        s.hand[0] |= 1 << NAMES.index("card Fighter") - NAMES.index("card Alchemist")
        svg = GAME.draw(s, 0).svg()
        assert numbers in svg and words in svg
    assert "Leader, strength 4, 23 lives: your heroes strike 2 stronger in melee." in svg
    recruiting = placed("R1 V / 0: L=Knight hand=Overlord,Fighter / 1: L=Healer\n> order Overlord; row own F")
    assert ">Flank: 2 stronger<" in picture(recruiting, 0)


def test_a_hero_that_can_only_shoot_shows_the_strength_of_its_shot() -> None:
    table = Table("R2 R / 0: L=Fighter Ra=DragonMage Rb=DragonMage Va=Knight Vb=x.Witch / 1: L=Healer")
    svg = picture(table, 0)
    assert "Dragon Mage (South, rear b): strength 6, 3 of 3 lives left." in svg
    assert "DragonMage 6, 3/3 r" in GAME.text(table.s, 0)


def test_signs_are_explained_and_a_defeated_leader_is_crossed_out() -> None:
    svg = picture(Table(FIGHT), 0)
    for sign in ("bow", "bar", "moved", "hurt"):
        assert SIGNS[sign] in svg, sign
    assert count(svg, "cross") == 2  # a corpse
    over = placed("R2 V seat=1 / 0: L=Knight / 1: L=Healer*15 Va=Fighter\n> pass")
    assert count(picture(over, 0), "cross") == 2


def test_what_a_touched_card_says_is_explained_below_it_once() -> None:
    table = Table("R2 V / 0: L=Knight Va=Fighter hand=Paladin / 1: L=Healer Fa=Gunner")
    said = dict(re.findall(r'data-place="([^"]+)"[^>]*data-says="([^"]+)"', picture(table, 0)))
    for name, card in said.items():
        for term, meaning in TERMS.items():
            assert card.count(meaning) == (term in card.replace(meaning, "")), (name, term)
    assert all(TERMS["intercept"] in said[name] for name in ("South-Va", "South-hand-Paladin"))
    assert TERMS["Power:"] in said["South-hand-Paladin"] and TERMS["shoot"] in said["North-Fa"]


def test_touched_slots_tell_numbers_and_place() -> None:
    svg = picture(Table(FIGHT), 0)
    assert (
        'data-place="South-Va"' in svg and "Fighter (South, vanguard a): strength 9, 5 of 8 lives left." in svg
    )
    assert "North, vanguard b: empty." in svg


def test_a_strength_of_two_digits_stands_beside_the_lives_and_nobody_has_fewer_than_none() -> None:
    table = Table("R2 V / 0: L=Fighter Va=Berserker+7 hand=Witch / 1: L=Healer Va=Knight*12 hand=Witch,Gunner")
    svg = picture(table, 0)
    places = {
        kind: re.findall(rf'<text x="([\d.]+)"[^>]*class="{kind}"[^>]*>([^<]+)<', svg)
        for kind in ("strength", "life")
    }
    for (x, force), (beside, _) in zip(places["strength"], places["life"], strict=True):
        assert float(beside) - float(x) >= 9 * len(force) + 8, force
    assert max(len(force) for _, force in places["strength"]) == 2
    assert not any(lives.startswith("-") for _, lives in places["life"])
