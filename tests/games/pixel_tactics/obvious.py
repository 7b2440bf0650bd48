"""A slow, obvious model of strength, reach and observations, from the words of the card file.

It shares only the record and the layout with the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.state import CHANCE, OVER
from polytrix.games import pixel_tactics
from polytrix.games.pixel_tactics import GAME
from tests.games.fields import Fields

CARDS: list[dict[str, Any]] = json.loads(
    (Path(pixel_tactics.__file__).parent / "cards.json").read_text(encoding="utf-8")
)["cards"]
ROWS = ("vanguard", "flank", "rear")
SLOTS = ("Va", "Vb", "Vc", "Fa", "L", "Fc", "Ra", "Rb", "Rc")
DOPPELGANGER = next(i for i, card in enumerate(CARDS) if card["name"] == "Doppelganger")
LEADER = 4
Place = tuple[int, int]
"""Unit and slot."""


def members_of(cards: int) -> list[int]:
    """The members of a set."""
    return [i for i in range(32) if int(cards) >> i & 1]


def has(cards: int, member: int) -> bool:
    return bool(int(cards) >> member & 1)


class Field:
    """Both units of a state after the reveal."""

    def __init__(self, s: Any) -> None:
        self.s = s
        self.heroes = {(u, slot) for u in (0, 1) for slot in members_of(s.heroes[u])}
        self.corpses = {(u, slot) for u in (0, 1) for slot in members_of(s.corpses[u])}
        self.members = self.heroes | {(0, LEADER), (1, LEADER)}

    def ability(self, u: int) -> int | None:
        """PT-13."""
        mine, other = int(self.s.leader[u]), int(self.s.leader[1 - u])
        if mine != DOPPELGANGER:
            return mine
        return None if other == DOPPELGANGER else other

    def leader_card(self, u: int) -> dict[str, Any]:
        """The card whose numbers the leader has."""
        kind = self.ability(u)
        found: dict[str, Any] = CARDS[DOPPELGANGER if kind is None else kind]["leader"]
        return found

    def words(self, u: int) -> Iterator[tuple[Place, list[str]]]:
        """Every phrase of an effect at work in a unit, with its bearer."""
        for place in self.heroes:
            if place[0] == u:
                for word in CARDS[self.s.card[place]][ROWS[place[1] // 3]][0].split(";"):
                    yield place, word.split()
        if self.ability(u) is not None:
            for word in self.leader_card(u)["ability"][0].split(";"):
                yield (u, LEADER), word.split()

    def words_for(self, place: Place) -> Iterator[tuple[Place, list[str]]]:
        """The same, with the phrases of a hero in its last strike."""
        yield from self.words(place[0])
        if place == self.last_striker():
            for word in CARDS[self.s.card[place]][ROWS[place[1] // 3]][0].split(";"):
                yield place, word.split()

    def last_striker(self) -> Place | None:
        """PT-74: the corpse in its last strike, or none."""
        for f in self.s.stack[: int(self.s.depth)]:
            attacker = (int(f.seat), int(f.slot))
            berserk = any(word == ["LAST_STRIKE"] for _, word in self.words(attacker[0]))
            if FRAMES[f.kind] == "ATTACK" and attacker in self.corpses and berserk:
                return attacker
        return None

    def reaches(self, bearer: Place, who: str, place: Place) -> bool:
        """Whether `who`, in a phrase of this bearer, includes this member, or this hero in its last strike."""
        if bearer[0] != place[0] or place not in self.members | {self.last_striker()}:
            return False
        if who == "self":
            return bearer == place
        if who == "fore":
            return place[1] == bearer[1] - 3 != LEADER
        if who == "supp":
            return place[1] == bearer[1] + 3 != LEADER
        if who == "leader":
            return place[1] == LEADER
        return place[1] != LEADER or who == "unit"

    def gives(self, name: str, place: Place) -> bool:
        """Whether the member has INTERCEPT or RANGED."""
        return any(
            word[0] == name and self.reaches(bearer, word[1], place) for bearer, word in self.words(place[0])
        )

    def front(self, place: Place) -> bool:
        """PT-08."""
        u, slot = place
        return place in self.members and not any(
            (u, before) in self.members for before in range(slot - 3, -1, -3)
        )

    def melee_strength(self, place: Place) -> int:
        """PT-46 without a target."""
        u, slot = place
        if slot == LEADER:
            return int(self.leader_card(u)["strength"])
        if place in self.corpses and place != self.last_striker():
            return 3 if any(word == ["CORPSES_ATTACK"] for _, word in self.words(u)) else 0
        printed = int(CARDS[self.s.card[place]]["strength"])
        total = printed + int(self.s.boost[place])
        for bearer, word in self.words_for(place):
            if word[0] != "STR" or not self.reaches(bearer, word[2], place):
                continue
            condition = " ".join(word[3:])
            holds = {
                "": True,
                "melee": True,
                "vs hero": False,
                "vs intercept": False,
                "if first": self.s.first == u,
                "if second": self.s.first != u,
                "if hurt": has(self.s.hurt[u], slot),
                "if corpse_in_front": (u, slot - 3) in self.corpses,
            }[condition]
            amount = {
                "printed": printed,
                "damage": int(self.s.damage[place]),
                "corpses": len(self.corpses - {place}),
                "level": int(self.s.level[u]),
            }
            if holds:
                total += amount[word[1]] if word[1] in amount else int(word[1])
        return total

    def life(self, place: Place) -> int:
        """PT-13, PT-76."""
        u, slot = place
        if slot == LEADER:
            return int(self.leader_card(u)["life"])
        return 1 if has(self.s.captives[u], slot) else int(CARDS[self.s.card[place]]["life"])


# -- a turn ---------------------------------------------------------------------------------------


def turn_actions(s: Any) -> set[str]:
    """PT-27, PT-30 to PT-45: what the active seat may do, in notation; but for the powers that can begin."""
    field, u, wave = Field(s), int(s.active), int(s.wave)
    own = [word for bearer, word in field.words(u) if bearer == (u, LEADER)]
    foe = [word for bearer, word in field.words(1 - u) if bearer == (1 - u, LEADER)]
    slots = range(3 * wave, 3 * wave + 3)
    columns = ["abc"[i % 3] for i in slots if i != LEADER and (u, i) not in field.heroes | field.corpses]
    hand = [CARDS[card]["name"].replace(" ", "") for card in members_of(s.hand[u])]

    def can(what: str) -> bool:
        return s.actions > 0 or ["FREE", what] in own

    actions = {"pass"} | ({"draw"} if s.actions > 0 and s.deck[u] else set())
    if can("recruit"):
        actions |= {f"recruit {card} {column}" for card in hand for column in columns}
    if can("order") and (s.round_number > 1 or s.options.orders_in_ceasefire):
        actions |= {f"order {card}" for card in hand}
    if can("clear") and ["NO_CLEAR"] not in foe:
        actions |= {f"clear {SLOTS[slot]}" for v, slot in field.corpses if v == u}
    if can("restructure"):
        movable = [SLOTS[slot] for v, slot in field.heroes if v == u and not has(s.moved[u], slot)]
        actions |= {f"move {slot} {column}" for slot in movable for column in columns}
    if s.actions > 0 and s.round_number > 1:
        for slot in slots:
            if not any(has(mark[u], slot) for mark in (s.acted, s.fresh, s.moved)):
                actions |= {
                    f"{kind} {SLOTS[slot]}" for kind in attacks(field, (u, slot), ["CORPSES_ATTACK"] in own)
                }
    return actions


def attacks(field: Field, place: Place, corpses_attack: bool) -> set[str]:
    """PT-40 to PT-45: the kinds of attacks of a card in the wave's row; any power of a hero is among them."""
    u, slot = place
    covered = any((u, before) in field.members for before in range(slot - 3, -1, -3))
    fights = place in field.members or (corpses_attack and place in field.corpses)
    kinds = {"melee"} if fights and not covered else set()
    if place in field.members and (
        field.gives("RANGED", place) or (slot == LEADER and field.leader_card(u).get("ranged"))
    ):
        kinds.add("ranged")
    return kinds | ({"power"} if place in field.heroes else set())


# -- the observation ------------------------------------------------------------------------------


def observation(s: Any, me: int) -> Any:
    """The observation of a seat, block by block."""
    s = Fields(s)
    out = np.zeros(GAME.observations.size, np.int8)
    seen = GAME.observations.view(out)
    foe = 1 - me
    for side, u in (("own", me), ("foe", foe)):
        show_unit(s, u, side, seen)
        seen[f"{side}_hand" if side == "own" else "foe_known"][
            members_of(s.hand[me] if u == me else s.known[foe])
        ] = 1
        for zone in ("discard", "out", "in_play"):
            seen[f"{side}_{zone}"][members_of(s[zone][u])] = 1
    seen["own_hand"][members_of(s.hand[me])] = 1
    seen["foe_known"][members_of(s.known[foe])] = 1
    if s.leader[me] >= 0:
        seen["own_leader"][s.leader[me]] = 1
    if s.revealed:
        show_leaders(s, me, seen)
    seen["own_known"][members_of(s.known[me])] = 1
    seen["own_deck"][members_of(s.deck[me])] = 1
    seen["own_aside"][members_of(s.aside[me])] = 1
    hidden = set(members_of(s.hand[foe])) - set(members_of(s.known[foe]))
    seen["foe_unseen"][[*hidden, *members_of(s.deck[foe]), *members_of(s.aside[foe])]] = 1
    for place in range(s.fixed[me]):
        seen["own_top"][place, s.top[me, place]] = 1
    seen["counts"][:] = [len(members_of(zone[u])) for zone in (s.hand, s.deck) for u in (me, foe)]
    seen["fixed"][:] = s.fixed[me], s.fixed[foe]
    show_match(s, me, seen)
    show_effect(s, me, seen)
    return out


def show_unit(s: Any, u: int, side: str, seen: Any) -> None:
    """The heroes and corpses of a unit."""
    if not s.revealed:
        return
    field = Field(s)
    for place, slot in enumerate((0, 1, 2, 3, 5, 6, 7, 8)):
        at = (u, slot)
        if at not in field.heroes | field.corpses:
            continue
        seen[f"{side}_card"][place, s.card[at]] = 1
        alive = at in field.heroes
        seen[f"{side}_marks"][place] = [
            alive,
            not alive,
            alive and has(s.captives[u], slot),
            has(s.acted[u], slot),
            has(s.fresh[u], slot),
            has(s.moved[u], slot),
            has(s.hurt[u], slot),
            has(s.struck[u], slot),
            alive and field.gives("RANGED", at),
            alive and field.gives("INTERCEPT", at),
            alive and field.front(at),
            alive and s.damage[at] >= field.life(at),
        ]
        seen[f"{side}_strength"][place] = min(30, field.melee_strength(at))
        if alive:
            seen[f"{side}_life"][place] = field.life(at)
            seen[f"{side}_left"][place] = max(0, field.life(at) - s.damage[at])
        seen[f"{side}_damage"][place] = min(40, s.damage[at])
        seen[f"{side}_boost"][place] = min(20, s.boost[at])


def show_leaders(s: Any, me: int, seen: Any) -> None:
    """Both leaders, revealed."""
    field = Field(s)
    for side, u in (("own", me), ("foe", 1 - me)):
        at = (u, LEADER)
        seen[f"{side}_leader"][s.leader[u]] = 1
        if field.ability(u) is not None:
            seen[f"{side}_ability"][field.ability(u)] = 1
        shoots = field.leader_card(u).get("ranged") or field.gives("RANGED", at)
        seen[f"{side}_leader_marks"][:] = has(s.acted[u], LEADER), shoots, field.front(at)
        seen[f"{side}_leader_life"][:] = field.life(at), max(0, field.life(at) - s.damage[at])
        seen[f"{side}_leader_damage"][0] = min(40, s.damage[at])
        seen[f"{side}_leader_strength"][0] = field.melee_strength(at)
        seen[f"{side}_level"][0] = min(30, s.level[u])


def show_match(s: Any, me: int, seen: Any) -> None:
    """Round, turn, trophies, options."""
    foe = 1 - me
    if s.round_number:
        seen["wave"][s.wave] = 1
        seen["actions"][0] = min(12, s.actions)
    elif s.last_winner >= 0:
        seen["wave"][0] = 1
    seen["turn"][:] = [
        (s.first if s.round_number else s.last_winner) == me,
        s.round_number > 0 and s.active == me,
        s.mover == me,
        s.round_number == 1,
    ]
    rounds = int(s.options.max_rounds)
    seen["rounds"][:] = s.round_number, rounds - s.round_number, rounds
    lost = (s.lose_next[me], s.lose_next[foe], s.lose_now[me], s.lose_now[foe])
    seen["lost"][:] = [min(9, int(n)) for n in lost]
    seen["ward"][:] = s.ward[me], s.ward[foe]
    seen["played"][:] = min(9, s.played[me]), min(9, s.played[foe])
    seen["match"][0] = s.match
    needed = {1: 1, 3: 2, 5: 3}[int(s.options.best_of)]
    seen["trophies"][:] = s.trophies[me], s.trophies[foe], needed
    seen["options"][:3] = [needed == n for n in (1, 2, 3)]
    seen["options"][3:] = s.options.orders_in_ceasefire, s.options.payoff
    seen["clock"][0] = 127 * int(s.decisions) // int(s.options.max_decisions)
    seen["chain"][[f.card for f in s.stack[: s.depth] if FRAMES[f.kind] == "ORDER"]] = 1


FRAMES = ("PLAY", "ORDER", "POWER", "RECRUIT", "STRIKE", "ATTACK", "HIT", "DEFEAT", "WAVE_END", "DRAW")


def show_effect(s: Any, me: int, seen: Any) -> None:
    """The decision, and its effect."""
    seen["decision"][0 if s.mover in (CHANCE, OVER) else s.decision] = 1
    if s.drawn >= 0 and s.active == me:
        seen["subject_card"][s.drawn] = 1
    frames = [s.stack[i] for i in range(s.depth)]
    if not frames:
        return
    show_subject(s, me, frames[-1], seen)
    for f in reversed(frames):
        name = FRAMES[f.kind]
        asks = name == "DEFEAT" or (name == "STRIKE" and f.flag)
        if asks or name in ("ATTACK", "POWER", "ORDER", "PLAY", "WAVE_END"):
            break
    else:
        return
    actor = int(f.seat)
    kinds = {"ATTACK": 0, "POWER": 1 + int(f.row), "ORDER": 4}
    seen["effect_kind"][kinds.get(name, 5)] = 1
    card = int(f.card)
    if name == "ATTACK":
        card = int(s.leader[actor] if f.slot == LEADER else s.card[actor, f.slot])
        seen["attack_kind"][f.attack] = 1
    elif name not in kinds:
        actor = 1 - actor if name == "DEFEAT" else actor
        ability = Field(s).ability(actor)
        card = -1 if ability is None else ability
    if card >= 0:
        seen["effect_card"][card] = 1
    seen["effect_mine"][0] = actor == me
    if name in ("ATTACK", "POWER"):
        seen["effect_slot"][int(actor != me), f.slot] = 1
    if name in ("POWER", "ORDER"):
        if f.chosen_row in (0, 1, 2):
            seen["chosen_row"][f.chosen_row] = 1
        if f.column >= 0:
            seen["chosen_column"][f.column] = 1
    shown = [f] if name in ("POWER", "ORDER", "ATTACK") else []
    if name not in ("POWER", "ORDER") and FRAMES[frames[0].kind] == "WAVE_END":
        shown.append(frames[0])
    for f in shown:
        for place in members_of(f.picked):
            seen["picked"][int((f.seat if place < 9 else 1 - f.seat) != me), place % 9] = 1


def show_subject(s: Any, me: int, f: Any, seen: Any) -> None:
    """The hero and the number of the top frame."""
    name = FRAMES[f.kind]
    if name in ("HIT", "DEFEAT", "STRIKE"):
        seen["subject"][int(f.seat != me), f.slot] = 1
    if name in ("ORDER", "POWER") and f.first >= 0:
        seen["subject"][int((f.seat if f.first < 9 else 1 - f.seat) != me), f.first % 9] = 1
    if name in ("HIT", "ORDER", "POWER"):
        seen["number"][0] = min(20, max(0, f.left))
    if name == "PLAY":
        seen["number"][0] = 3 if Field(s).ability(f.seat) == 6 else 0
