"""`python -m polytrix.testing`: a campaign of random play in which everything is looked at after every step.

It goes through all option combinations, and fails as well if a feature of the game is never reached.
`python -m polytrix.testing fuzz` is another campaign: files and calls from strangers, see `fuzz/campaign.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game

from .progress import Progress
from .random_play import POLICIES, PlayReport, check_random_play
from .variants import option_combinations

_PARTS = 24  # at least; threads take them one by one, and what they play does not depend on the threads


def main(arguments: Sequence[str] | None = None) -> dict[str, object]:
    """Play, show how far it is, and print the features' counts and a summary as one line of JSON."""
    given = parse(arguments)
    game = polytrix.find(given.game)
    policy = given.policy or ("random" if game.greedy is None else "mixed")
    start = time.monotonic()
    total = play(game, given, policy)
    missing = [feature for feature in game.features if not total.seen[feature]]
    summary: dict[str, object] = {
        "game": game.id,
        "polytrix": polytrix.__version__,
        "mode": given.mode.value,
        "policy": policy,
        "seed": given.seed,
        "threads": given.threads,
        "option_combinations": len(option_combinations(game)),
        "decisions": total.decisions,
        "games_terminated": total.terminated,
        "games_truncated": total.truncated,
        "mean_legal": round(total.mean_legal, 2),
        "most_legal": total.most_legal,
        "features": total.seen,
        "seconds": round(time.monotonic() - start, 1),
        "failures": len(missing),
    }
    sys.stderr.write("\n" + table(total.seen))
    print(json.dumps(summary))
    if missing:
        raise SystemExit(f"{game.name}: never reached: {', '.join(missing)}")
    return summary


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m polytrix.testing", description=__doc__)
    parser.add_argument("--game", default="quatrix", help="id or name of a registered game")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--decisions", type=int, default=1_000_000, help="in all option combinations together")
    length.add_argument("--games", type=int, help="the same in whole games")
    parser.add_argument("--mode", type=Mode, default=Mode.CHECKED, help="checked, compiled or plain")
    parser.add_argument(
        "--policy", choices=POLICIES, help="mixed by default, if the game has a greedy opponent"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


def play(game: Game, given: argparse.Namespace, policy: str) -> PlayReport:
    """Split the campaign into parts of equal length and play them all."""
    combinations = option_combinations(game)
    parts = combinations * -(-_PARTS // len(combinations))
    decisions = -(-given.decisions // len(parts)) if given.games is None else 0
    whole_games = -(-(given.games or 0) // len(parts))

    def play_part(number: int) -> PlayReport:
        return check_random_play(
            game,
            parts[number],
            decisions,
            given.mode,
            seed=given.seed + (number << 32),
            whole_games=whole_games,
            policy=policy,
            progress=progress.of(number),
        )

    check_random_play(game, None, 1, given.mode, games=1)  # compiles, once for all threads
    progress = PlayProgress(f"{game.name} {given.mode.value}", given.decisions, given.games)
    total = PlayReport()
    pool = ThreadPoolExecutor(given.threads)
    try:
        for part in as_completed([pool.submit(play_part, number) for number in range(len(parts))]):
            total.add(part.result())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return total


def table(seen: dict[str, int]) -> str:
    """The features and how often each was seen, one a line."""
    width = max((len(feature) for feature in seen), default=0)
    return "".join(
        f"{feature:<{width}} {count:>14,}{'' if count else '  never reached'}\n"
        for feature, count in seen.items()
    )


class PlayProgress:
    """How far a campaign of random play is, of which each part reports by itself."""

    def __init__(self, name: str, decisions: int, games: int | None) -> None:
        self.by_decisions = games is None
        goal, unit = (decisions, "decisions") if games is None else (games, "games")
        self.line = Progress(name, goal, unit)
        self.reports: dict[int, PlayReport] = {}

    def of(self, part: int) -> Callable[[PlayReport], None]:
        """What a part of the campaign reports to."""

        def report(so_far: PlayReport) -> None:
            self.reports[part] = so_far
            reports = list(self.reports.values())
            decisions = sum(report.decisions for report in reports)
            done = decisions if self.by_decisions else sum(report.games for report in reports)
            seconds = max(1e-9, time.monotonic() - self.line.start)
            self.line.show(done, f"{decisions / seconds:,.0f} decisions/s")

        return report


if __name__ == "__main__":
    if sys.argv[1:2] == ["fuzz"]:
        from .fuzz.campaign import main as fuzz

        fuzz(sys.argv[2:])
    else:
        main()
