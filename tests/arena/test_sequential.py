"""Sequential tests: their error rates on planted agents, and the games that they play."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.arena import Tournament, Verdict, contestants, sprt, summarise
from polytrix.arena.records import Records
from polytrix.arena.sequential import BOUND, ERROR, expected_score, log_ratio
from polytrix.arena.statistics import Doubles
from polytrix.arena.tournament import BLOCK
from polytrix.core.errors import OptionError, PolicyError
from polytrix.core.game import Game
from tests.high import HIGH
from tests.toys import SECRET

# -- error rates --------------------------------------------------------------------------

TESTS = 2000

EQUAL = {
    "games alone": (2, (0, 1 / 2, 1), (1 / 4, 1 / 2, 1 / 4)),
    "half are draws": (2, (0, 1 / 4, 1 / 2, 3 / 4, 1), (1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16)),
    "the deal decides": (2, (0, 1 / 2, 1), (0.02, 0.96, 0.02)),
    "always the same": (2, (0, 1 / 2, 1), (0, 1, 0)),
    "four seats": (4, (0, 1 / 4, 1 / 2, 3 / 4, 1), tuple(np.array([81, 108, 54, 12, 1]) / 256)),
    "four seats, the deal decides": (4, (0, 1 / 4, 1 / 2), (0.03, 0.94, 0.03)),
}
"""Equal agents: the number of seats, scores of a deal, and how probable they are."""


@cache
def simulated(kind: str, elo: tuple[int, int], true: float, most: int) -> tuple[Doubles, Doubles]:
    """The last log-likelihood ratio and the number of deals of many tests, with a new agent of this Elo.

    The stronger it is, the more deals have the highest score.
    """
    players, scores, equal = EQUAL[kind]
    fair = 1 / players
    more = (expected_score(true, players) - fair) / (scores[-1] - fair)
    shares = (1 - more) * np.array(equal) + more * (np.array(scores) == scores[-1])
    counts = np.random.default_rng(1).multinomial(BLOCK, shares, (TESTS, most // BLOCK))
    counts = counts.cumsum(1, dtype=float)
    deals = np.arange(BLOCK, most + 1, BLOCK)
    ratios = log_ratio(deals, counts @ np.array(scores), counts @ np.square(scores), elo, players)
    ended = np.abs(ratios) >= BOUND
    assert ended.any(1).mean() > 0.99, "nearly all tests come to a verdict"
    last = ended.argmax(1)
    return ratios[np.arange(TESTS), last], deals[last]


@pytest.mark.parametrize(("elo", "most"), [((0, 20), 4000), ((0, 100), 500)])
@pytest.mark.parametrize("kind", EQUAL)
def test_at_most_five_percent_of_the_verdicts_are_wrong(kind: str, elo: tuple[int, int], most: int) -> None:
    """Deals that chance decides, and such as hardly ever differ."""
    allowed = ERROR + 2 * np.sqrt(ERROR * (1 - ERROR) / TESTS)
    equal, _ = simulated(kind, elo, elo[0], most)
    better, _ = simulated(kind, elo, elo[1], most)
    assert (equal > 0).mean() <= allowed
    assert (better < 0).mean() <= allowed


@pytest.mark.parametrize("kind", ["games alone", "half are draws", "four seats"])
def test_it_needs_about_half_the_deals_of_a_test_of_a_fixed_size(kind: str) -> None:
    players, scores, equal = EQUAL[kind]
    variance = np.array(equal) @ np.square(np.array(scores) - 1 / players)
    fixed = (2 * 1.645) ** 2 * variance / (expected_score(20, players) - 1 / players) ** 2
    for true, at_most in [(0, 0.6), (20, 0.75)]:
        _, deals = simulated(kind, (0, 20), true, 4000)
        assert deals.mean() < at_most * fixed


# -- games --------------------------------------------------------------------------------


def tournament(
    specs: Sequence[str] = ("greedy", "shy"), deals: int = 400, game: Game = SECRET, **settings: Any
) -> Tournament:
    options = game.options.validate(settings.pop("options", {}))
    return Tournament(game, options, contestants(game, specs), deals, **settings)


def verdict(one: Tournament, path: Path | None = None, **settings: Any) -> Verdict:
    with closing(Records(one.game, one.options, one.seed, path)) as records:
        return sprt(one, records, **settings)


def test_it_ends_with_the_first_block_that_decides() -> None:
    one, told = tournament(), list[Verdict]()
    records = Records(one.game, one.options, one.seed)
    found = sprt(one, records, tell=told.append)
    assert found == told[-1] and found.passed is False and 100 < found.deals < one.deals
    assert [each.deals for each in told] == [*range(BLOCK, found.deals + 1, BLOCK)]
    assert all(each.passed is None for each in told[:-1])
    assert [block in records for block in one.blocks()].count(True) == len(told)
    assert sprt(one, records) == found, "from the records"


def test_threads_do_not_matter() -> None:
    """A later block may end first, and does not count."""
    assert verdict(tournament(), threads=3) == verdict(tournament())


def test_it_can_be_stopped_and_continued(tmp_path: Path) -> None:
    def stop(known: Verdict) -> None:
        if known.deals == 2 * BLOCK:
            raise KeyboardInterrupt

    one, stopped, whole = tournament(), tmp_path / "stopped.jsonl", tmp_path / "whole.jsonl"
    with pytest.raises(KeyboardInterrupt):
        verdict(one, stopped, tell=stop)
    found = verdict(one, whole)
    assert verdict(one, stopped) == found
    assert stopped.read_bytes() == whole.read_bytes()


def test_without_a_verdict_it_plays_all_deals_and_more_continue_it(tmp_path: Path) -> None:
    few = verdict(tournament(deals=50), tmp_path / "games.jsonl")
    assert few.passed is None and few.deals == 50 and str(few).startswith("undecided whether greedy is 0 or 20")
    more = verdict(tournament(), tmp_path / "games.jsonl")
    assert more == verdict(tournament())


@pytest.mark.parametrize("players", [2, 3])
def test_the_scale_is_that_of_the_ratings(players: int) -> None:
    """Whoever has the table's rating and the difference gets the score."""
    game, options = (SECRET, {}) if players == 2 else (HIGH, {"players": players})
    one = tournament(("random", "first=tests.arena.test_arena:first_legal"), 100, game, options=options)
    one = replace(one, tables=["first"])
    records = Records(one.game, one.options, one.seed)
    found = sprt(one, records, (-1000, 1000))
    one = replace(one, deals=found.deals)
    agent = next(each for each in summarise(one, records)["agents"] if each["name"] == "random")
    assert agent["rating"] != 1000
    assert expected_score(agent["rating"] - 1000, players) == pytest.approx(found.score, abs=0.02)


@pytest.mark.parametrize(
    ("agents", "elo", "error", "message"),
    [
        (("greedy", "shy"), (20, 0), OptionError, "is 20 and 0; expected a lower and a higher number"),
        (("greedy", "shy"), (0, 1001), OptionError, "both from -1000 to 1000"),
        (("greedy", "shy"), (0, float("nan")), OptionError, "expected a lower and a higher"),
        (
            ("greedy", "shy", "random"),
            (0, 20),
            PolicyError,
            "two agents, .* given: greedy, shy, random",
        ),
    ],
)
def test_what_is_refused(agents, elo, error, message) -> None:
    with pytest.raises(error, match=message):
        verdict(tournament(agents), elo=elo)
