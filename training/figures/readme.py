"""What the first screen of the README says in figures: one for speed, one for strength."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polytrix
from polytrix.training.figures.speed import read
from polytrix.training.shared.receipts import read_all

STRONG = "search:200,network=expert"


def in_short(root: Path) -> str:
    """Decisions per second, against the fastest of other libraries; games won by `master` against `greedy`."""
    rates = [game["rates"]["batch"]["median"] / 1e6 for game in read(root, "environments")["games"].values()]
    fastest = read(root, "peers")["cores"]["1"]["polytrix_against_fastest"]
    duels, fours = (
        {
            polytrix.find(receipt["environment"]).title: one["win_rate"]
            for receipt in read_all(root / "benchmarks" / "leaderboard")
            if receipt["players"] == players
            for one in receipt["tables"][0]["meetings"]
            if one["agent"].startswith(STRONG) and one["others"] == "greedy"
        }
        for players in (2, 4)
    )
    faster = f"{fastest['median']:.1f} times as many as [{fastest['peer']}](docs/performance.md)"
    (best, most), *rest = sorted(duels.items(), key=lambda each: -each[1])
    return (
        f"- **Fast**: {min(rates):.1f} to {max(rates):.1f} million decisions a second on one core, "
        f"observations included; in Connect Four\n  {faster}, "
        "the fastest of the libraries compared.\n"
        f"- **Hard to beat**: `master`, a search with a trained network, wins {most:.1%} of its games against "
        f"the built-in heuristic in\n  {best}, {in_words(rest)}; with four players, where 25% is fair,\n  "
        f"{in_words(fours.items())} ([leaderboard](docs/leaderboard.md)).\n"
    )


def in_words(won: Iterable[tuple[str, float]]) -> str:
    """Games won, each with the game."""
    return ", ".join(f"{rate:.1%} in {title}" for title, rate in won)
