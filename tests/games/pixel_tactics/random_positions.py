"""Random positions that are rare in play: crowded fields, corpses, captives, big hands."""

from __future__ import annotations

import numpy as np

from polytrix.games.pixel_tactics.cards.cards import TOKENS
from polytrix.games.pixel_tactics.state import SLOT_NAMES

CHAINED = [
    "Mascot", "Mascot", "Mascot", "Mascot", "Doppelganger", "Overlord", "Summoner", "Mystic", "Paladin",
    "Scientist", "Berserker", "Assassin",
]  # fmt: skip
"""Leaders of long turns: attacks of recruits, last strikes, free actions, more actions, captures."""
LINKS = ["Illusionist", "Doppelganger", "Summoner", "Overlord", "Scientist", "Witch", "Mystic", "Mascot"]
"""Cards that let others act again; they are in hand more often than not."""
HEROES = [name for name in SLOT_NAMES if name != "L"]


class Dealer:
    """The cards of a seat that have no place yet."""

    def __init__(self, rng: np.random.Generator) -> None:
        names = list(TOKENS)
        first = CHAINED[rng.integers(len(CHAINED))] if rng.random() < 0.7 else names[rng.integers(25)]
        names.remove(first)
        self.leader = first
        late = rng.random()
        self.rest = sorted(names, key=lambda name: rng.random() + (late if name in LINKS else 0))

    def some(self, count: int) -> list[str]:
        """At most `count` cards, for the field or the deck."""
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def hand(self, count: int) -> list[str]:
        """At most `count` cards, more often LINKS."""
        keep = max(0, len(self.rest) - count)
        self.rest, taken = self.rest[:keep], self.rest[keep:]
        return taken


def chained_position(rng: np.random.Generator) -> str:
    """A position with recruits that attack at once, call each other back, use orders and get more actions."""
    links = [str(name) for name in rng.permutation([*LINKS[:6], "Paladin", "Oracle"])]
    own, foe = links[: rng.integers(3, 9)], [*LINKS[:6], "Assassin", "Fighter", "Homunculus", "Berserker"]
    field = [f"{rng.choice(['V', 'F', 'R'])}{rng.choice(['a', 'c'])}", rng.choice(foe)]
    other = f" {field[0]}={field[1]}"
    if rng.random() < 0.5:
        other += (
            f" {'Vb' if rng.random() < 0.5 else 'Rb'}={rng.choice([name for name in foe if name != field[1]])}"
        )
    laid = [word.split("=")[1] for word in other.split()]
    shown = [name for name in foe if name not in laid and rng.random() < 0.8]
    leader = rng.choice(["Overlord", "Assassin", "Trapper", "Knight"])
    shown = [name for name in shown if name != leader]
    laid_own = f" {rng.choice(['Va', 'Vb', 'Rc'])}=Fighter" if rng.random() < 0.5 else ""
    words = f"first=1 actions={rng.integers(2, 4)} ward=0:{rng.integers(2)}"
    return (
        f"R2 {rng.choice(['V', 'F', 'F', 'F', 'R'])} {words} / "
        f"0: L=Mascot{laid_own} hand={','.join(own)} deck=- / "
        f"1: L={leader}{other if leader not in laid else ''} hand={','.join(shown) or '-'}"
    )


def random_position(rng: np.random.Generator) -> str:
    """A position in the turn of a seat."""
    dealers = [Dealer(rng), Dealer(rng)]
    crowd, corpses, captives = rng.random(), rng.random(), rng.choice([0, 0, 0.2])
    fields = [unit(rng, dealers, u, crowd, corpses, captives) for u in (0, 1)]
    hands = [dealer.hand(int(rng.choice([0, 1, 2, 4, 6, 8, 16]))) for dealer in dealers]
    decks = [dealer.some(int(rng.choice([0, 1, 3, 25]))) for dealer in dealers]
    units = []
    for u in (0, 1):
        hand, deck = (",".join(cards) or "-" for cards in (hands[u], decks[u]))
        open_hand = "Oracle" in (dealers[1 - u].leader, dealers[u].leader)
        known = f" known={hand}" if open_hand and hands[u] else ""
        units.append(f"{u}: L={dealers[u].leader}{fields[u]} hand={hand} deck={deck}{known}")
    words = [f"seat={rng.integers(2)}", f"first={rng.integers(2)}", f"actions={rng.choice([1, 2, 3, 6])}"]
    words += [f"ward={rng.integers(2)}:{rng.integers(2)}"]
    return " / ".join([f"R2 {'VFR'[rng.integers(3)]} {' '.join(words)}", *units])


def unit(
    rng: np.random.Generator, dealers: list[Dealer], u: int, crowd: float, corpses: float, captives: float
) -> str:
    """The damage of the leader, and the contents of the hero slots."""
    words = f"*{rng.integers(15)}"
    for slot in HEROES:
        if rng.random() > crowd:
            continue
        captive = rng.random() < captives
        card = dealers[1 - u if captive else u].some(1)
        if not card:
            continue
        dead = not captive and rng.random() < corpses
        marks = "".join(mark for mark in ("afm" if dead else "afmhs") if rng.random() < 0.2)
        damage = "" if dead or rng.random() < 0.5 else f"*{rng.integers(8)}"
        words += f" {slot}={'x.' if dead else '~' if captive else ''}{card[0]}{damage}" + (
            f"!{marks}" if marks else ""
        )
    return words


def random_positions(seed: int, count: int = 3) -> list[str]:
    """Positions as `random_position` makes them."""
    rng = np.random.default_rng(seed)
    return [random_position(rng) for _ in range(count)]
