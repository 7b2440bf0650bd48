"""Heuristic policies: their choices and their strength."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.estimatrix import GAME, greedy
from polytrix.games.estimatrix.lexicon import COUNT
from polytrix.games.estimatrix.observation import Obs
from polytrix.games.estimatrix.state import Act
from tests.games.ratings import rated

from .obvious import Table as Obvious
from .obvious import obvious_table
from .random_positions import random_states

NAMES = ("greedy", *greedy.NAMES)


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
                scores = np.array(rated(GAME, name, simulator.observation[0], ids))
                found = set(ids[scores >= scores.max() - 1e-6].tolist())
                wanted = Thinker(game, seat, memory).choices()
                assert found == wanted, (name, game.stage, found, wanted)
                chosen[name] = ids[scores == scores.max()]
            scores = np.array(rated(GAME, "chooser", simulator.observation[0], ids))
            like = "plain" if game.stage == "DIE" else "greedy"
            assert ids[scores == scores.max()].tolist() == chosen[like].tolist()
            action = int(rng.choice(chosen["greedy"] if rng.random() < 0.8 else ids))
            simulator.step([action])
            game.play(action)
            if game.turn.rolling and not game.over:
                game.rolled(int(s.banned))
        simulator.restart()


# -- single choices ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hints", ["symbols", "none"])
def test_without_readings_all_is_random(name: str, hints: str) -> None:
    for simulator in random_states({"hints": hints}, 20, seed=1, games=2):
        for row in np.flatnonzero(~simulator.over):
            ids = simulator.legal_ids[row, : simulator.num_legal[row]]
            assert rated(GAME, name, simulator.observation[row], ids) == [0.0] * len(ids)


# -- habits -----------------------------------------------------------------------------------------


def expected(habit: str, seen: np.ndarray, ids: np.ndarray, like_greedy: list[float]) -> set[int]:
    """What a habit makes of a decision in which greedy rates the actions so: those that it likes best."""

    def highest(ratings: Any) -> set[int]:
        listed = np.asarray(ratings, float)
        return {*ids[listed == listed.max()].tolist()}

    reading, banned = seen[Obs.READING : Obs.READING + 48], int(seen[Obs.BANNED : Obs.BANNED + 6].argmax())
    allowed = [i for i in ids.tolist() if Act.HINT <= i < Act.SET and reading[i - Act.HINT] != banned + 1]
    clear = {i: int(COUNT[i - Act.HINT, reading[i - Act.HINT] - 1]) for i in allowed}
    kvanter, negater = bool(seen[Obs.KVANTER]), bool(seen[Obs.NEGATER])
    if habit == "contrary":
        return highest([-rating for rating in like_greedy])
    if allowed and habit in ("clear-hints", "unseen-obscure-hints"):
        sign = 1 if habit == "clear-hints" else -1
        return {i for i in allowed if sign * clear[i] == max(sign * each for each in clear.values())}
    if allowed and habit == "unseen-introduced":
        return highest(
            [rating + 50 * ((i - Act.HINT) % 8 == 7) for i, rating in zip(ids, like_greedy, strict=True)]
        )
    if allowed and habit == "unseen-by-number":
        return {i for i in allowed if (i - Act.HINT) % 6 != banned}
    if seen[Obs.HINT : Obs.HINT + 48].any():
        word = int(seen[Obs.HINT : Obs.HINT + 48].argmax())
        colours = [int(i) - Act.SET if i != Act.WAIT else -1 for i in ids]
        if habit == "unseen-waits" and Act.WAIT in ids:
            return {Act.WAIT}
        if (kvanter and habit == "sets-most-faces") or (not kvanter and habit == "most-faces"):
            return highest([COUNT[word, c] if c >= 0 else -1 for c in colours])
        if kvanter and habit == "unseen-by-number":
            return highest([float(c == word % 6) - (c < 0) for c in colours])
        if not kvanter and habit == "own-reading":
            return highest([c == reading[word] - 1 for c in colours])
        if negater and habit == "idle-negater":
            return highest([-rating for rating in like_greedy])
    return highest(like_greedy)


@pytest.mark.parametrize("habit", greedy.HABITS)
def test_a_habit_is_what_its_name_says_and_else_greedy(habit: str) -> None:
    differing = 0
    for simulator in random_states({}, 60, seed=2, games=6):
        for row in np.flatnonzero(~simulator.over):
            ids, seen = simulator.legal_ids[row, : simulator.num_legal[row]], simulator.observation[row]
            like_greedy = np.array(rated(GAME, "greedy", seen, ids))
            ratings = np.array(rated(GAME, habit, seen, ids))
            found = {*ids[ratings == ratings.max()].tolist()}
            assert found == expected(habit, seen, ids, like_greedy.tolist())
            differing += found != {*ids[like_greedy == like_greedy.max()].tolist()}
    assert differing > 5


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
    ("random", "greedy", (-0.44, -0.24)),
    ("greedy", "literal", (0.45, 0.53)),
    ("chooser", "plain", (0.19, 0.18)),
    ("greedy", "random", (0.0, 0.0)),
    ("literal", "greedy", (-0.07, -0.10)),
]


@pytest.mark.parametrize(("one", "others", "means"), STRENGTH)
def test_strength(one: str, others: str, means: tuple[float, ...]) -> None:
    """Within four standard errors of what larger runs gave (each error is below 0.02 there)."""
    for players, mean in zip((3, 5), means, strict=True):
        found = payoffs(one, others, players, 400)
        error = max(0.01, float(found.std()) / 20)
        assert abs(found.mean() - mean) < 4 * error + 0.02, (players, found.mean())
