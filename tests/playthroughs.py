"""Write a game as text with every seat's view, so that any change of behaviour shows up as a diff.

python -m tests.playthroughs tests/golden/*.txt
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path

import numpy as np

from polytrix.core.game import Game
from polytrix.core.random import draw
from polytrix.core.state import CHANCE, OVER, Record
from polytrix.core.transcript import FORMAT, Transcript

SHOWN = 8
"""Number of decisions at the beginning and at the end that are shown in full."""


def playthrough(transcript: Transcript) -> str:
    """The whole game of a transcript, from its beginning to its end, as text.

    For each of the first and last decisions: what has changed in the position and in each seat's
    observation since the last one that was shown, and the legal actions; for each decision the chosen
    action, what the log says about it, and the chance events that follow; the payoffs at the end. The
    position is whole at the beginning, and in the observation a block of zeros is `-`. The rules run
    in plain Python, without a driver or simulator.

    Raises:
        TranscriptError: if the transcript does not replay.
    """
    return "\n".join(_lines(transcript)) + "\n"


def _lines(transcript: Transcript) -> Iterator[str]:
    game = transcript.description()
    s = _opening(game, transcript)
    shown = Shown("", [np.zeros(game.observations.size, np.int8) for _ in game.seats])
    yield f"{game.id}, seed {transcript.seed}"
    yield f"options: {json.dumps(transcript.options)}"
    yield from _chance(game, s)
    for number, action in enumerate(transcript.actions):
        legal = game.legal_ids(s)
        yield f"\n# decision {number}: {game.seats[s.mover]}"
        if number < SHOWN or number >= len(transcript.actions) - SHOWN:
            yield from _views(game, s, shown)
            yield "legal: " + " ".join(f"{game.format_action(s, a)}={a}" for a in legal)
        yield f"chosen: {game.format_action(s, action)} of {len(legal)}"
        before = s.copy()
        game.apply(s, action)
        if game.tell is not None:
            yield from (f"told: {line}" for line in game.tell(before, action, s, None))
        s.decisions += 1
        if s.mover != OVER and s.decisions >= s.options.max_decisions:
            s.mover = OVER
            s.truncated = 1
        yield from _chance(game, s)
    yield "\n# end"
    yield from _views(game, s, shown)
    payoffs = np.zeros(game.max_players, np.float32)
    game.payoff(s, payoffs)
    yield f"payoffs: {payoffs[: int(s.num_players)].tolist()}" + (" (truncated)" if s.truncated else "")


def _opening(game: Game, transcript: Transcript) -> Record:
    s: Record = game.opening(transcript.options)[0]
    s.generator.key = transcript.seed
    return s


def _chance(game: Game, s: Record) -> Iterator[str]:
    """Draw and apply all pending chance events."""
    shown = []
    while s.mover == CHANCE:
        outcome = int(draw(s.generator, game.chance(s)))
        shown.append(game.format_chance(s, outcome))
        game.apply(s, outcome)
    if shown:
        yield "chance: " + " ".join(shown)


@dataclass
class Shown:
    """What was shown last: the position, and the observation of each seat."""

    text: str
    observations: list[np.ndarray]


def _views(game: Game, s: Record, shown: Shown) -> Iterator[str]:
    text = game.text(s, None)
    if not shown.text:
        yield text
    else:
        yield from (line for line in ndiff(shown.text.splitlines(), text.splitlines()) if line[0] in "+-")
    shown.text = text
    for seat, name in enumerate(game.seats[: int(s.num_players)]):
        observation = np.zeros(game.observations.size, np.int8)
        game.observe(s, seat, observation)
        both = shown.observations[seat], observation
        before, now = (game.observations.describe(each).splitlines() for each in both)
        yield f"{name} observes:"
        yield from (f"  {line}" for line, old in zip(now, before, strict=True) if line != old)
        shown.observations[seat] = observation


def game_of(text: str) -> Transcript:
    """The game of which a playthrough is the text; raises TranscriptError if its moves do not replay."""
    name, seed, options = re.findall(r"\A(.+), seed (\d+)\noptions: (.+)", text)[0]
    moves = re.findall(r"^chosen: (.+) of \d+$", text, re.M)
    content = {"game": name, "seed": int(seed), "options": json.loads(options), "moves": moves}
    return Transcript.from_text(json.dumps({"format": FORMAT, **content}))


def main(paths: Iterable[str]) -> None:
    """Write playthroughs anew, each from the game that it tells; raises like `game_of`."""
    for path in map(Path, paths):
        transcript = game_of(path.read_text(encoding="utf-8"))
        path.write_text(playthrough(transcript), encoding="utf-8")
        print(f"{path}: {len(transcript.actions)} decisions, payoffs {transcript.payoffs()}")


if __name__ == "__main__":
    main(sys.argv[1:])
