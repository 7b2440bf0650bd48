"""What the first screen of the README says in figures: one for speed, one for strength."""

from __future__ import annotations

from pathlib import Path

import polytrix
from polytrix.training.figures.speed import read
from polytrix.training.shared.receipts import read_all

STRONG = "search:200,network=expert"


def in_short(root: Path) -> str:
    """Decisions per second, against the fastest of other libraries; games won by `master` against `greedy`."""
    rates = [game["rates"]["batch"]["median"] / 1e6 for game in read(root, "environments")["games"].values()]
    fastest = read(root, "peers")["cores"]["1"]["polytrix_against_fastest"]
    won = {
        polytrix.find(receipt["environment"]).title: one["win_rate"]
        for receipt in read_all(root / "benchmarks" / "leaderboard")
        if receipt["players"] == 2
        for one in receipt["tables"][0]["meetings"]
        if (one["agent"], one["others"]) == (STRONG, "greedy")
    }
    faster = f"{fastest['median']:.1f} times as many as [{fastest['peer']}](docs/performance.md)"
    ranked = sorted(won.items(), key=lambda each: -each[1])
    (best, most), *rest = [(title, f"{rate:.0%}") for title, rate in ranked]
    others = ", ".join(f"{rate} in {title}" for title, rate in rest)
    return (
        f"- **Fast**: {min(rates):.1f} to {max(rates):.1f} million decisions a second on one core, "
        f"observations included; in Connect Four\n  {faster}, "
        "the fastest of the libraries compared.\n"
        f"- **Hard to beat**: `master`, a search with a trained network, wins {most} of its games against the "
        f"built-in heuristic in\n  {best}, {others} ([leaderboard](docs/leaderboard.md)).\n"
    )
