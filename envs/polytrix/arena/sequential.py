"""A sequential test of two agents, which plays only as many deals as a verdict needs.

The generalised sequential probability ratio test, with which chess engines are tested on pairs of games (Van
den Bergh, *A practical introduction to the GSPRT*). Here the sample is the deal, whatever the number of its
seats. Its mean score is compared with what two differences in Elo lead one to expect.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from polytrix.core.errors import OptionError, PolicyError

from .ratings import ELO
from .records import Records
from .statistics import Doubles, shares_of_the_top
from .tournament import Tournament, play_all

ERROR = 0.05
"""Probability of the wrong verdict if the true difference is one of the two that are tested."""

BOUND = math.log((1 - ERROR) / ERROR)
"""Absolute log-likelihood ratio that ends a test (Wald 1945)."""

PRIOR = 4
"""Deals of the largest variance that are added to the others, so that a few equal ones do not look certain."""

WIDEST = 1000
"""The largest difference in Elo that can be tested."""


@dataclass(frozen=True)
class Verdict:
    """How far a test has come.

    Args:
        new, old: names of the agents; `old` has all seats but one.
        elo: the two differences in Elo between which the test decides.
        deals: number of deals.
        score: mean share of the win that `new` has, draws split; 0 without deals.
        ratio: log-likelihood ratio of the higher difference to the lower one.
    """

    new: str
    old: str
    elo: tuple[float, float]
    deals: int = 0
    score: float = 0.0
    ratio: float = 0.0

    @property
    def passed(self) -> bool | None:
        """Whether the games fit the higher difference (True) or the lower one (False); None: not known yet."""
        return None if abs(self.ratio) < BOUND else self.ratio > 0

    def __str__(self) -> str:
        low, high = self.elo
        found = {
            True: f"passed: {self.new} is {high:g} Elo or more above {self.old}, rather than {low:g} or less",
            False: f"failed: {self.new} is {low:g} Elo or less above {self.old}, rather than {high:g} or more",
            None: f"undecided whether {self.new} is {low:g} or {high:g} Elo above {self.old}",
        }
        played = f"{self.deals} deals, log-likelihood ratio {self.ratio:+.2f} of ±{BOUND:.2f}"
        return f"{found[self.passed]} ({played})"


def sprt(
    tournament: Tournament,
    records: Records,
    elo: tuple[float, float] = (0.0, 20.0),
    threads: int = 1,
    tick: Callable[[int], None] = lambda finished: None,
    tell: Callable[[Verdict], None] = lambda verdict: None,
) -> Verdict:
    """Play the deals of two agents until one of two differences in Elo fits their games far better.

    If the true difference is the lower one or less, or the higher one or more, the verdict is wrong in at most
    5% of all tests. Blocks count in the order of the tournament, so the number of threads does not matter.

    Args:
        tournament: of two agents, whose `deals` are the most that are played. The second one, or the table, is
            the one with whom the other is compared.
        records: finished blocks; those of the tournament count first.
        elo: the two differences in Elo, on the scale of the ratings.
        threads, tick: as for `play_all`.
        tell: called with what is known, after each block.

    Raises:
        PolicyError: there are other line-ups.
        OptionError: the first difference is not the lower one, or one is too large.
    """
    if len(tournament.line_ups) != 1:
        names = ", ".join(tournament.names)
        raise PolicyError(f"a sequential test compares two agents, one of them at the table; given: {names}")
    if not -WIDEST <= elo[0] < elo[1] <= WIDEST:
        raise OptionError(
            f"the Elo of the test is {elo[0]:g} and {elo[1]:g}; expected a lower and a higher number, both "
            f"from -{WIDEST} to {WIDEST}"
        )
    ((new, old),) = tournament.line_ups
    verdict, scores, coming = Verdict(new, old, elo), np.zeros(0), list(tournament.blocks())

    def decided() -> bool:
        nonlocal verdict, scores
        while coming and verdict.passed is None and coming[0] in records:
            wins = shares_of_the_top(records[coming.pop(0)].payoffs)  # (deals, rotations, seats)
            scores = np.append(scores, np.einsum("drr->d", wins) / tournament.players)
            sums = len(scores), scores.sum(), (scores * scores).sum()
            ratio = float(log_ratio(*sums, elo, tournament.players))
            verdict = Verdict(new, old, elo, len(scores), float(scores.mean()), ratio)
            tell(verdict)
        return verdict.passed is not None

    if not decided():
        play_all(tournament, records, threads, tick, enough=decided)
    return verdict


def log_ratio(
    deals: Doubles | int,
    total: Doubles | float,
    squares: Doubles | float,
    elo: tuple[float, float],
    players: int,
) -> Doubles:
    """Log-likelihood ratio of two differences in Elo, of normal distributions with the variance of the deals.

    Args:
        deals: number of deals.
        total, squares: sum of their scores, and of the squares of these.
        elo: the differences, the lower one first.
        players: number of seats.
    """
    low, high = (expected_score(each, players) for each in elo)
    middle, mean = (low + high) / 2, total / deals
    apart = np.maximum(squares - total * mean, 0) + PRIOR * middle * (1 - middle)
    variance = apart / (deals + PRIOR)
    return np.asarray(deals * (high - low) * (mean - middle) / variance)


def expected_score(elo: float, players: int) -> float:
    """Mean share of the win of a seat so much stronger than each of the others.

    >>> expected_score(0, 4), round(expected_score(100, 2), 2)
    (0.25, 0.64)
    """
    odds = math.exp(elo / ELO)
    return odds / (odds + players - 1)
