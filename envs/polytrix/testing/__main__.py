"""`python -m polytrix.testing`: a long campaign of random play with every invariant asserted."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

import polytrix
from polytrix.core.compiler import Mode

from .random_play import PlayReport, check_random_play
from .variants import option_combinations


def main(arguments: Sequence[str] | None = None) -> dict[str, object]:
    """Play, show how far it is, and print a summary as one line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m polytrix.testing", description=__doc__)
    parser.add_argument("--game", default="quatrix", help="id or name of a registered game")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="in all option combinations together")
    parser.add_argument("--mode", type=Mode, default=Mode.CHECKED, help="checked, compiled or plain")
    parser.add_argument("--policy", choices=("random", "greedy"), default="random")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    game = polytrix.find(given.game)
    combinations = option_combinations(game)
    share = -(-given.decisions // len(combinations))
    total, start = PlayReport(), time.monotonic()
    for number, options in enumerate(combinations):
        progress = Progress(f"{game.name} {given.mode.value}", total.decisions, given.decisions, start)
        total.add(
            check_random_play(
                game,
                options,
                share,
                given.mode,
                seed=given.seed + (number << 32),
                policy=given.policy,
                progress=progress,
            )
        )
    sys.stderr.write("\n")
    summary = {
        "game": game.id,
        "polytrix": polytrix.__version__,
        "mode": given.mode.value,
        "policy": given.policy,
        "seed": given.seed,
        "option_combinations": len(combinations),
        "decisions": total.decisions,
        "games_terminated": total.terminated,
        "games_truncated": total.truncated,
        "mean_legal": round(total.mean_legal, 2),
        "most_legal": total.most_legal,
        "seconds": round(time.monotonic() - start, 1),
        "failures": 0,
    }
    print(json.dumps(summary))
    return summary


class Progress:
    """One line that says how far a campaign is, rewritten at most twice a second."""

    def __init__(self, name: str, done_before: int, total: int, start: float) -> None:
        self.name, self.done_before, self.total, self.start = name, done_before, total, start
        self.shown = 0.0

    def __call__(self, decisions: int) -> None:
        """Show that so many decisions of this part are done."""
        now = time.monotonic()
        if now - self.shown < 0.5:
            return
        self.shown = now
        done = self.done_before + decisions
        rate = done / max(1e-9, now - self.start)
        left = (self.total - done) / max(1e-9, rate)
        line = f"{self.name}: {done:,} of {self.total:,} decisions, {rate:,.0f}/s, {max(0.0, left):.0f} s left"
        sys.stderr.write(f"\r{line:<90}")
        sys.stderr.flush()


if __name__ == "__main__":
    main()
