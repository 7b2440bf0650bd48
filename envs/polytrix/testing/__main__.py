"""`python -m polytrix.testing`: a campaign of random play that checks every position.

It covers all option combinations.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game

from .progress import Progress
from .random_play import POLICIES, PlayReport, check_random_play
from .variants import option_combinations

_PARTS = 24  # minimum number of parts; the games of a part do not depend on the number of threads


def main(arguments: Sequence[str] | None = None) -> dict[str, object]:
    """Run the campaign with a progress line, then print a summary as one line of JSON."""
    given = parse(arguments)
    game = polytrix.find(given.game)
    policy = given.policy or ("random" if game.greedy is None else "mixed")
    start = time.monotonic()
    total = play(game, given, policy)
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
        "seconds": round(time.monotonic() - start, 1),
    }
    sys.stderr.write("\n")
    print(json.dumps(summary))
    return summary


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m polytrix.testing", description=__doc__)
    parser.add_argument("--game", default="quatrix", help="id or name of a registered game")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--decisions", type=int, default=1_000_000, help="total over all option combinations")
    length.add_argument("--games", type=int, help="total in whole games instead")
    parser.add_argument("--mode", type=Mode, default=Mode.CHECKED, help="checked, compiled or plain")
    parser.add_argument(
        "--policy", choices=POLICIES, help="default: mixed if the game has a greedy policy, else random"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


def play(game: Game, given: argparse.Namespace, policy: str) -> PlayReport:
    """Split the campaign into parts of equal length and play all of them."""
    combinations = option_combinations(game)
    parts = combinations * -(-_PARTS // len(combinations))
    decisions = -(-given.decisions // len(parts)) if given.games is None else 0
    whole_games = -(-(given.games or 0) // len(parts))

    goal, unit = (given.decisions, "decisions") if given.games is None else (given.games, "games")
    line = Progress(f"{game.name} {given.mode.value}", goal, unit)
    reports: dict[int, PlayReport] = {}

    def play_part(number: int) -> PlayReport:
        def show(so_far: PlayReport) -> None:
            reports[number] = so_far
            total = PlayReport.total(list(reports.values()))
            seconds = max(1e-9, time.monotonic() - line.start)
            line.show(getattr(total, unit), f"{total.decisions / seconds:,.0f} decisions/s")

        return check_random_play(
            game,
            parts[number],
            decisions,
            given.mode,
            seed=given.seed + (number << 32),
            games=1 if given.mode is Mode.PLAIN else 16,  # side by side, which only helps machine code
            whole_games=whole_games,
            policy=policy,
            progress=show,
        )

    check_random_play(game, None, 1, given.mode, games=1)  # compile once, before the threads start
    pool = ThreadPoolExecutor(given.threads)
    try:
        playing = [pool.submit(play_part, number) for number in range(len(parts))]
        return PlayReport.total([part.result() for part in as_completed(playing)])
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


if __name__ == "__main__":
    main()
