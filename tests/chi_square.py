"""The chi-square test for counts of outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from scipy.stats import chisquare

Outcome = TypeVar("Outcome")


def is_like(found: Counter[Outcome], expected: Mapping[Outcome, float]) -> bool:
    """Whether exactly the outcomes with a share occur, about as often as these say (one error in a million)."""
    shares = {outcome: share for outcome, share in expected.items() if share}
    if {*found} != {*shares}:
        return False
    each = found.total() / sum(shares.values())
    counts, means = [found[outcome] for outcome in shares], [share * each for share in shares.values()]
    return len(shares) == 1 or bool(chisquare(counts, means).pvalue > 1e-6)
