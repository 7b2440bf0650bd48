"""Heuristic policies: their choices and their strength."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from polytrix.agents import HeuristicPolicy
from polytrix.core.compile.compiler import Mode
from polytrix.core.simulator import Simulator
from polytrix.core.state import new_records
from polytrix.games.estimatrix import GAME, greedy
from polytrix.games.estimatrix.greedy import desire
from polytrix.games.estimatrix.lexicon import COUNT, WORD
from polytrix.games.estimatrix.notation import legal_ids
from polytrix.games.estimatrix.state import own_reading

from .obvious import Table as Obvious
from .obvious import obvious_table
from .play import observed, word
from .positions import Table
from .random_positions import random_states

NAMES = ("greedy", *greedy.HEURISTICS)


def rated(name: str, observation: np.ndarray, ids: np.ndarray, stale: float = 0.0) -> list[float]:
    """The score of each action. The buffer holds `stale` before."""
    score, work = np.full(GAME.max_legal, stale, np.float32), new_records(2, GAME.state)
    if name == "greedy":
        greedy.greedy(observation, ids, len(ids), work, score)
    else:
        greedy.rate(greedy.HEURISTICS.index(name), observation, ids, len(ids), work, score)
    return score[: len(ids)].tolist()


def ratings(name: str, s: Any) -> dict[str, float]:
    """A heuristic's score of each of the mover's legal actions, by notation."""
    ids = np.array(legal_ids(s), np.int16)
    scores = rated(name, observed(s, int(s.mover)), ids)
    return {GAME.format_action(s, int(i)): score for i, score in zip(ids, scores, strict=True)}


def best(name: str, s: Any) -> set[str]:
    """The actions that a heuristic rates highest."""
    found = ratings(name, s)
    return {action for action, score in found.items() if score == max(found.values())}


def table(header: str, *readings: str, played: str = "") -> Any:
    made = Table(header, list(readings), Mode.PLAIN)
    made.play(played)
    return made.state


# -- greedy, by an exact and independent calculation ------------------------------------------------


class Thinker:
    """Greedy's choices computed from the obvious model in fractions, with or without memory."""

    def __init__(self, game: Obvious, seat: int, memory: bool) -> None:
        self.game, self.seat, self.memory = game, seat, memory

    def shares(self, other: int, domain: int) -> Fraction:
        echo, clash = self.game.evidence(self.seat, other, domain) if self.memory else (0, 0)
        return Fraction(4 + echo, 4 * self.game.options["wavelengths"] + echo + 8 * clash)

    def desire(self, one: int, other: int) -> int:
        game, n = self.game, self.game.n
        advanced = game.options["advanced"]
        if frozenset({one, other}) in game.pairs:
            return -1 if advanced else 0
        near = {p for p in range(n) if len(game.partners(p)) == n - 2}
        if other in near and one not in near:
            lacking = set(range(n)) - {one} - game.partners(one)
            return 1 if not advanced and lacking <= near else -1
        return 1

    def own(self, v: int) -> int:
        assert self.game.reading is not None
        return self.game.reading[self.seat, v]

    def answers(self, other: int, v: int) -> Fraction:
        use = self.game.latest.get(v)
        if self.memory and use and use.dice[use.kvanter] == self.own(v):
            return Fraction(1)
        if self.memory and self.game.introduced(v):
            return Fraction(other == self.game.turn.negater or self.game.known(other, v) == self.own(v))
        q = self.shares(other, v // 8)
        return q + (1 - q) * Fraction(int(COUNT[v, self.own(v)]), 6)

    def value(self, v: int) -> Fraction:
        t = self.game.turn
        wishes = {p: self.desire(self.seat, p) for p in range(self.game.n) if p not in (self.seat, t.negater)}
        blocked = self.answers(t.negater, v)
        if all(wish <= 0 for wish in wishes.values()):
            return blocked
        return (1 - blocked) * sum((wish * self.answers(p, v) for p, wish in wishes.items()), Fraction(0))

    def belief(self, colour: int) -> Fraction:
        t, v = self.game.turn, self.game.turn.hint
        assert v is not None
        q = self.shares(t.kvanter, v // 8)
        total = (1 - q) * Fraction(int(COUNT[v, colour]), 6) + q * (colour == self.own(v))
        if self.memory:
            use = self.game.latest.get(v)
            if use and use.kvanter == t.kvanter:
                total += use.dice[use.kvanter] == colour
            elif self.game.introduced(v):
                total += self.game.known(t.kvanter, v) == colour
        return total

    def choices(self) -> set[int]:
        """The best actions, up to rounding."""
        game = self.game
        legal, t = game.legal(), game.turn
        if game.stage == "BAN":
            words = [v for v in range(48) if game.options["domains"] >> (v // 8) & 1]
            top = max(words, key=lambda v: (self.value(v), -v))
            return {c for c in range(6) if not COUNT[top, c]}
        if game.stage == "HINT":
            scores = {a: self.value(a - 7) if self.own(a - 7) != t.ban else Fraction(-100) for a in legal}
        elif self.seat == t.kvanter:
            assert t.hint is not None
            own = 55 + self.own(t.hint)
            return {own} if own in legal else set(legal) - {61}
        else:
            estimators = set(range(game.n)) - {t.kvanter, t.negater}
            misses = (
                bool(game.options["advanced"]) and estimators <= game.partners(t.kvanter)
                if self.seat == t.negater
                else self.desire(self.seat, t.kvanter) < 0
            )
            scores = {a: self.belief(a - 55) * (-1 if misses else 1) for a in legal}
        return {a for a, score in scores.items() if score > max(scores.values()) - Fraction(1, 10**6)}


@pytest.mark.parametrize("options", [
    {"players": 4}, {"players": 3, "advanced": True, "acquaintance": 2}, {"players": 6, "wavelengths": 2},
    {"players": 5, "acquaintance": 0, "domains": 9}, {"players": 4, "advanced": True, "max_turns": 60},
], ids=str)  # fmt: skip
def test_it_chooses_as_reckoned_by_hand(options: dict[str, Any]) -> None:
    """Greedy, plain and chooser at every decision of games with mostly greedy actions."""
    simulator = Simulator(GAME, options=options, seed=5)
    rng = np.random.default_rng(5)
    for _ in range(2):
        s = simulator.states[0]
        game = obvious_table(s)
        while not game.over:
            seat = int(s.mover)
            ids = simulator.legal_ids[0, : simulator.num_legal[0]]
            chosen = {}
            for name, memory in (("greedy", True), ("plain", False)):
                scores = np.array(rated(name, simulator.observation[0], ids))
                found = set(ids[scores >= scores.max() - 1e-6].tolist())
                wanted = Thinker(game, seat, memory).choices()
                assert found == wanted, (name, game.stage, found, wanted)
                chosen[name] = ids[scores == scores.max()]
            scores = np.array(rated("chooser", simulator.observation[0], ids))
            like = "plain" if game.stage == "DIE" else "greedy"
            assert ids[scores == scores.max()].tolist() == chosen[like].tolist()
            action = int(rng.choice(chosen["greedy"] if rng.random() < 0.8 else ids))
            simulator.step([action])
            game.play(action)
            if game.turn.rolling and not game.over:
                game.rolled(int(s.banned))
        simulator.restart()


# -- single choices ---------------------------------------------------------------------------------


def test_a_word_that_the_partner_shares_and_the_negater_does_not() -> None:
    """Introduced words: all read alike, but for neon-sign, where the Negater differs from the other two."""
    alike = "candy=R flower=W butterfly=P balloon=P surprise=Y"
    s = table(
        "n=3 own=each K=0 N=2",
        f"reads 0: neon-sign=P {alike}",
        f"reads 1: neon-sign=P {alike}",
        f"reads 2: neon-sign=R {alike}",
        played="ban white",
    )
    hints = {word(hint.split()[1]) for hint in best("greedy", s)}
    assert hints <= set(range(24, 31))  # of that domain, but not the word itself: the Negater knows it, too
    assert not best("plain", s) <= {f"hint {name}" for name in WORD[24:32]}
    assert len(best("literal", s)) == sum(own_reading(s, 0, v) != 1 for v in range(48))


def test_literal() -> None:
    s = table("n=3 own=each K=0 N=2", "reads 0: apple=R", "reads 1: apple=G", "reads 2: apple=R")
    assert best("literal", s) == {f"ban {c}" for c in ("white", "yellow", "red", "green", "blue", "purple")}
    s = table("n=3 own=each K=0 N=2", "reads 0: apple=R", "reads 1: apple=G", played="ban red")
    assert "hint apple" not in best("literal", s)
    s = table(
        "n=3 own=each K=0 N=2", "reads 0: apple=R", "reads 1: apple=G", "reads 2: apple=R",
        played="ban green; hint apple",
    )  # fmt: skip
    assert best("literal", s) == {"set red"}
    s = table(
        "n=3 own=each K=0 N=2", "reads 0: apple=R", "reads 1: apple=G", played="ban green; hint apple; set red"
    )
    assert best("literal", s) == {"set red"}  # green is banned, and red is on most faces


# Apple has one yellow, three red and two green faces; candy, which is introduced, two red of six. Seat 1
# reads candy like the Kvanter, seat 0: an echo of 6 - 2 = 4. The Negater, seat 2, does not: a clash. So seat 1
# seems to share one of three wavelengths with seat 0 with (4 + 4) / (12 + 4) = 1/2, seat 2 with 4 / (12 + 8) =
# 1/5, and without any memory each with 4 / 12 = 1/3.
APPLE = ("reads 0: apple=R candy=R", "reads 1: apple=G candy=R", "reads 2: apple=R candy=Y")
HALF, THIRD, FIFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)
BY_HAND = [
    # unless the Negater sets red, seat 1 does: each with its share, or by chance, three faces of six
    ("greedy", "", "", {"hint apple": (1 - (FIFTH + (1 - FIFTH) / 2)) * (HALF + HALF / 2)}),
    ("chooser", "", "", {"hint apple": (1 - (FIFTH + (1 - FIFTH) / 2)) * (HALF + HALF / 2)}),
    ("plain", "", "", {"hint apple": (1 - (THIRD + (1 - THIRD) / 2)) * (THIRD + (1 - THIRD) / 2)}),
    # the Negater knows introduced readings; whoever has no memory thinks of two faces of six
    ("greedy", "", "", {"hint candy": Fraction(0)}),
    ("plain", "", "", {"hint candy": (1 - (THIRD + (1 - THIRD) / 3)) * (THIRD + (1 - THIRD) / 3)}),
    ("literal", "", "", {"hint apple": Fraction(1), "hint candy": Fraction(1)}),
    # the Kvanter sets what it reads, and does not wait
    *((name, "", "hint apple", {"set red": Fraction(1), "set green": Fraction(0), "wait": Fraction(-100)})
      for name in ("greedy", "plain", "chooser")),
    ("literal", "", "hint apple",
     {"set red": Fraction(7), "set green": Fraction(2), "set yellow": Fraction(1), "wait": Fraction(-100)}),
    # seat 1 reads green
    ("greedy", "", "hint apple; set red",
     {"set green": HALF + HALF / 3, "set red": HALF / 2, "set yellow": HALF / 6, "set blue": Fraction(0)}),
    *((name, "", "hint apple; set red",
      {"set green": THIRD + (1 - THIRD) / 3, "set red": (1 - THIRD) / 2, "set yellow": (1 - THIRD) / 6})
      for name in ("plain", "chooser")),
    ("literal", "", "hint apple; set red",
     {"set green": Fraction(7), "set red": Fraction(3), "set yellow": Fraction(1), "set blue": Fraction(0)}),
    # the Negater reads red
    ("greedy", "", "hint apple; set red; set green",
     {"set red": FIFTH + (1 - FIFTH) / 2, "set green": (1 - FIFTH) / 3, "set yellow": (1 - FIFTH) / 6}),
    # of candy everybody knows that the Kvanter reads red
    ("greedy", "", "hint candy; set red", {"set red": HALF + HALF / 3 + 1, "set green": HALF / 6}),
    # in the advanced game a hit would undo the exchange of seats 0 and 1
    ("greedy", "advanced=True pairs=01", "hint apple; set red",
     {"set green": -HALF - HALF / 3, "set red": -HALF / 2, "set yellow": -HALF / 6}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "header", "played", "expected"), BY_HAND)
def test_ratings_by_hand(name: str, header: str, played: str, expected: dict[str, Fraction]) -> None:
    s = table(f"n=3 own=each K=0 N=2 {header}", *APPLE, played=f"ban white; {played}")
    found = ratings(name, s)
    assert {action: found[action] for action in expected} == pytest.approx(
        {action: float(rate) for action, rate in expected.items()}
    )


def test_bans_by_hand() -> None:
    """Colours that are on no face of the best hint, which is the first of the best; never the roll."""
    header = "n=3 own=each K=0 N=2 domains=1"
    hints: dict[str, float] = {}
    for banned in ("white", "yellow"):  # what the one ban hides the other shows
        rates = ratings("greedy", table(header, *APPLE, played=f"ban {banned}"))
        hints |= {hint: rate for hint, rate in rates.items() if rate > -100}
    top = min(word(hint.split()[1]) for hint, rate in hints.items() if rate == max(hints.values()))
    s = table(header, *APPLE)
    colours = ("white", "yellow", "red", "green", "blue", "purple")
    expected = {f"ban {colour}": float(COUNT[top, c] == 0) for c, colour in enumerate(colours)} | {"roll": 0.0}
    assert ratings("greedy", s) == expected
    assert ratings("literal", s) == dict.fromkeys(expected, 1.0) | {"roll": 0.0}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hints", ["symbols", "none"])
def test_without_readings_all_is_random(name: str, hints: str) -> None:
    for simulator in random_states({"hints": hints}, 20, seed=1, games=2):
        for row in np.flatnonzero(~simulator.over):
            ids = simulator.legal_ids[row, : simulator.num_legal[row]]
            assert rated(name, simulator.observation[row], ids) == [0.0] * len(ids)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hints", ["lexicon", "symbols"])
def test_ratings_of_before_are_forgotten(name: str, hints: str) -> None:
    """Whatever stands in the scores that are to be filled."""
    s = table(f"n=3 K=0 N=2 hints={hints}")
    ids, observation = np.array(legal_ids(s), np.int16), observed(s, 0)
    assert rated(name, observation, ids, stale=-7.0) == rated(name, observation, ids, stale=7.0)


def seen_letters(n: int, pairs: str, advanced: bool = False) -> np.ndarray:
    return observed(table(f"n={n} K=1 N=2 advanced={advanced}" + (f" pairs={pairs}" if pairs else "")), 0)


@pytest.mark.parametrize(
    ("n", "pairs", "advanced", "other", "expected"),
    [
        (4, "", False, 1, 1),
        (4, "01", False, 1, 0),
        (4, "01", True, 1, -1),
        (4, "12,13", False, 1, -1),  # would complete the word, the viewer not
        (4, "12,13,02,03", False, 1, 1),  # both would
        (4, "12,13,02", False, 1, -1),  # seat 3 is another way
        (3, "12", False, 1, 1),  # whoever the viewer exchanges with completes the word
        (3, "12", True, 1, -1),
    ],
)
def test_desires(n: int, pairs: str, advanced: bool, other: int, expected: int) -> None:
    assert desire(seen_letters(n, pairs, advanced), 0, other) == expected


# -- strength -------------------------------------------------------------------------------------


def payoffs(one: str, others: str, players: int, games: int, **options: Any) -> np.ndarray:
    """Of the single seat, which changes from game to game."""
    simulator = Simulator(GAME, games, {"players": players, **options}, seed=11)
    simulator.policy[:, :players] = GAME.built_in_policies[others]
    seats = np.arange(games) % players
    simulator.policy[np.arange(games), seats] = GAME.built_in_policies[one]
    simulator.seed(11)
    assert simulator.over.all()
    return simulator.reward[np.arange(games), seats]


STRENGTH = [
    ("random", "greedy", (-0.44, -0.32, -0.24, -0.19)),
    ("greedy", "literal", (0.45, 0.51, 0.53, 0.46)),
    ("chooser", "plain", (0.19, 0.16, 0.18, 0.15)),
    ("greedy", "random", (0.0, 0.0, 0.0, 0.0)),
    ("literal", "greedy", (-0.07, -0.18, -0.10, -0.10)),
]


@pytest.mark.parametrize(("one", "others", "means"), STRENGTH)
def test_strength(one: str, others: str, means: tuple[float, ...]) -> None:
    """Within four standard errors of what larger runs gave (each error is below 0.02 there)."""
    for players, mean in zip((3, 4, 5, 6), means, strict=True):
        found = payoffs(one, others, players, 400)
        error = max(0.01, float(found.std()) / 20)
        assert abs(found.mean() - mean) < 4 * error + 0.02, (players, found.mean())


def test_the_policies_are_known_by_name() -> None:
    assert list(GAME.built_in_policies) == ["random", *NAMES]
    rng = np.random.default_rng(0)
    simulator = Simulator(GAME, 5, seed=2)
    for name in NAMES:
        actions = HeuristicPolicy(GAME, name)(simulator.observation, simulator.mask, rng)
        assert simulator.mask[np.arange(5), actions].all()
