"""Play many games through an interface, with a progress line.

    python -m tests.trainers --interface textarena --episodes 1000

It needs the extra of the interface. Each game's result is held against a replay and against `Episode`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence

from polytrix.testing.progress import Progress

from .cases import GAMES, Case, check
from .interfaces import INTERFACES, Play, interface


def main(arguments: Sequence[str] | None = None) -> list[dict[str, object]]:
    """Play the games; one line of JSON for each game's episodes."""
    parser = argparse.ArgumentParser(prog="python -m tests.trainers", description=__doc__)
    parser.add_argument("--interface", choices=INTERFACES, default=INTERFACES[0])
    parser.add_argument("--game", choices=GAMES, action="append", help="may be repeated; default: all")
    parser.add_argument("--episodes", type=int, default=1000, help="of each game")
    parser.add_argument("--seed", type=int, default=0, help="of the first episode")
    given = parser.parse_args(arguments)
    found = []
    with interface(given.interface) as play:
        for game in given.game or GAMES:
            found.append(campaign(given.interface, play, game, given.seed, given.episodes))
            print("\n" + json.dumps(found[-1]), flush=True)
    return found


def campaign(name: str, play: Play, game: str, first: int, episodes: int) -> dict[str, object]:
    """Play the episodes of one game.

    Raises:
        AssertionError: an episode has gone wrong; it says which.
    """
    line, begun = Progress(f"{name} {game}", episodes, "episodes"), time.monotonic()
    decisions = refused = forfeits = self_play = 0
    for number in range(episodes):
        case = Case(game, first + number)
        try:
            played = play(case)
            check(case, played)
        except Exception as error:
            raise AssertionError(f"{case} through {name}: {error}") from error
        decisions += len(played.transcript.actions)
        refused += played.refused
        forfeits += played.forfeited is not None
        self_play += len(played.rewards) > 1
        line.show(number + 1)
    return {
        "interface": name,
        "game": game,
        "episodes": episodes,
        "self_play": self_play,
        "decisions": decisions,
        "refused": refused,
        "forfeits": forfeits,
        "seconds": round(time.monotonic() - begun, 1),
        "failures": 0,
    }


if __name__ == "__main__":
    main()
