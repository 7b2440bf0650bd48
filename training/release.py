"""Put the network of a finished run among the released ones, in `checkpoints/`.

    python training/release.py runs/fast-quatrix
    python training/release.py runs/expert-quatrix
    python training/release.py runs/expert-pixel_tactics --search-temperature 1

The folder's name follows from the run. The card calls the network by its name in the package. If `values.py`
or `beliefs.py` has added to it, the card says so. The network notes the temperature of a search that it guides,
if another than the usual one is given (docs/arena.md).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

import polytrix
from polytrix.agents import load, save_network
from polytrix.agents.guided import NOTED
from polytrix.core.baselines import EXPERT, policy_name
from polytrix.core.files import write_json
from polytrix.core.game import Game
from polytrix.training.shared.arguments import Positive, check_ranges
from polytrix.training.shared.receipts import ROOT
from polytrix.training.shared.reports import card, run_name
from polytrix.training.write_figures import write_figures

CHECKPOINTS = ROOT / "checkpoints"


@dataclass(frozen=True)
class Settings:
    """Settings of `release.py`."""

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    checkpoints: Path = CHECKPOINTS
    """Folder of the released networks."""
    search_temperature: Positive | None = None
    """Temperature of the priors in a search with this network, if not the usual one."""


def folder_of(game: Game, record: dict[str, Any]) -> str:
    """Name of the folder of a run with this record: `NAME-vN`, `-playersN` if unusual, `-expert`."""
    own = f"{game.name}-v{game.version}"
    players = run_name(game, record["settings"]["options"]).removeprefix(game.name)
    return own + players + (f"-{EXPERT}" if record["script"] == "expert.py" else "")


def release(settings: Settings) -> Path:
    """Copy the network, and write its record and card.

    Raises:
        SystemExit: the run has not ended.
    """
    result, policy = settings.run / "result.json", settings.run / "policy.npz"
    if not (result.is_file() and policy.is_file()):
        raise SystemExit(f"{settings.run} has no {result.name} and {policy.name}; run its command to the end")
    record = json.loads(result.read_text(encoding="utf-8"))
    game = polytrix.find(record["environment"])
    record["command"] = re.sub(r" --out \S+", "", record["command"])  # a folder of the machine it ran on
    network = load(policy, game)
    if settings.search_temperature is not None:
        network.notes[NOTED] = settings.search_temperature
    if NOTED in network.notes:
        record["search"] = [f"temperature {network.notes[NOTED]:g}"]
    if "value_games" in network.notes:
        games, explained = network.notes["value_games"], network.notes["value_explained"]
        share = network.notes.get("value_share_greedy", 0.0)
        called = "`values.py" + (f" --share-greedy {share:g}" if share else "") + "`"
        record["values"] = [f"{called}; {games:,} games explain {explained:.1%} of the payoffs in new ones"]
    if "belief_positions" in network.notes:
        positions, share = network.notes["belief_positions"], network.notes["belief_share_greedy"]
        quality = network.notes["belief_quality"]
        found = ", ".join(f"{name} {each['cross_entropy']:.3f}" for name, each in quality.items())
        called = "`beliefs.py" + (f" --share-greedy {share:g}" if share else "") + "`"
        told = f"{called}; {positions:,} positions; cross-entropy of hidden actions in new ones: {found}"
        record["beliefs"] = [told]
    place = settings.checkpoints / folder_of(game, record)
    place.mkdir(parents=True, exist_ok=True)
    parts = network.layers, network.activation, network.notes, network.values, network.beliefs
    save_network(place / policy.name, game, *parts, half=True)
    write_json(place / "result.json", record)
    name = policy_name(place.name.removeprefix(f"{game.name}-v{game.version}"))
    (place / "card.md").write_text(card(record, name), encoding="utf-8")
    return place


def main() -> None:
    """Release a network, and renew the table of all of them."""
    settings = tyro.cli(Settings, description=__doc__)
    check_ranges(settings)
    place = release(settings)
    if settings.checkpoints == CHECKPOINTS:
        write_figures(ROOT, ["networks"])
    print(f"{place}: {', '.join(sorted(file.name for file in place.iterdir()))}")


if __name__ == "__main__":
    main()
