"""From the games of a tournament to everything that is told about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from polytrix.core.state import FloatArray

from .play import Games
from .ratings import ANCHOR, ratings
from .records import Records
from .statistics import (
    Doubles,
    bootstrap_weights,
    bootstrapped,
    shares_of_the_top,
    shares_of_wins,
    wilson,
)
from .tournament import LineUp, Tournament

FORMAT = "polytrix arena 1"


@dataclass(frozen=True)
class Meeting:
    """One agent among others, in the same deals.

    Args:
        one: name of the agent.
        rest: of those in all other seats.
        wins, losses: (deals,) its shares of wins, and games with a payoff below zero, over its seats.
        top, rest_top: (deals,) wins where a draw is a shared win; those of `rest`, for each of its seats.
        payoff: (deals,) mean payoff of the agent over its seats.
        seats: how many games a deal has.
    """

    one: str
    rest: str
    wins: Doubles
    losses: Doubles
    top: Doubles
    rest_top: Doubles
    payoff: Doubles
    seats: int

    @property
    def games(self) -> int:
        """How many there were."""
        return len(self.wins) * self.seats


def meeting(one: str, rest: str, payoffs: FloatArray, own: FloatArray) -> Meeting:
    """Count what `one` did.

    Args:
        one, rest: names.
        payoffs: (deals, rotations, seats).
        own: (rotations, seats) 1 where the seat is its own.
    """
    wins, top = shares_of_wins(payoffs), shares_of_the_top(payoffs)
    players = payoffs.shape[2]
    return Meeting(
        one=one,
        rest=rest,
        wins=(wins * own).sum(axis=(1, 2)),
        losses=((payoffs < 0) * own).sum(axis=(1, 2)).astype(np.float64),
        top=(top * own).sum(axis=(1, 2)),
        rest_top=(top * (1 - own)).sum(axis=(1, 2)) / (players - 1),
        payoff=(payoffs * own).sum(axis=(1, 2), dtype=np.float64) / players,
        seats=players,
    )


def summarise(tournament: Tournament, records: Records, anchor: str | None = None) -> dict[str, Any]:
    """What came out, ready for JSON; it follows from the games and nothing else.

    Args:
        tournament: all of its games have been played.
        records: the games.
        anchor: name of the agent whose rating is fixed; by default the table, "greedy", or the first.
    """
    games = {line_up: collected(tournament, records, line_up) for line_up in tournament.line_ups}
    meetings = {
        (one, rest): meeting(one, rest, played.payoffs, np.eye(tournament.players, dtype=np.float32))
        for (one, rest), played in games.items()
    }
    weights = bootstrap_weights(tournament.deals, tournament.seed)
    names = tournament.names
    fixed = anchor or tournament.table or ("greedy" if "greedy" in names else names[0])
    points = rated(tournament, meetings, names.index(fixed), weights)
    if tournament.players == 2:  # a game counts for both
        for (one, rest), played in games.items():
            meetings[rest, one] = meeting(rest, one, played.payoffs, 1 - np.eye(2, dtype=np.float32))
    agents = [
        {**points[name], **results([m for m in meetings.values() if m.one == name], weights)} for name in names
    ]
    return {
        "format": FORMAT,
        "environment": tournament.game.id,
        "data": tournament.game.data_marks,
        "options": dict(tournament.options),
        "players": tournament.players,
        "fair_share": 1 / tournament.players,
        "table": tournament.table,
        "deals": tournament.deals,
        "games": tournament.num_games,
        "truncated": sum(one.truncated for one in games.values()),
        "decisions": sum(one.decisions for one in games.values()),
        "seed": tournament.seed,
        "anchor": {"name": fixed, "rating": ANCHOR},
        "agents": sorted(agents, key=lambda agent: -agent["rating"]),
        "meetings": [told(one, weights) for one in meetings.values()],
        "seats": seats_of(games, weights),
        "versions": {name: version_of(name) for name in ("polytrix", "numpy", "numba", "choix")},
    }


def deals_of(result: Mapping[str, Any]) -> str:
    """How many deals line-ups have, for people.

    >>> deals_of({"meetings": [{"deals": 40}, {"deals": 1000}, {"deals": 40}]})
    '40 to 1,000'
    """
    counts = sorted({one["deals"] for one in result["meetings"]})
    return " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))


def collected(tournament: Tournament, records: Records, line_up: LineUp) -> Games:
    """All games of a line-up, in the order of the deals."""
    blocks = [block for block in tournament.blocks() if (block.one, block.rest) == line_up]
    parts = [records[block] for block in blocks]
    payoffs = np.concatenate([part.payoffs for part in parts])
    return Games(payoffs, sum(p.truncated for p in parts), sum(p.decisions for p in parts))


def rated(
    tournament: Tournament, meetings: Mapping[LineUp, Meeting], anchor: int, weights: Doubles
) -> dict[str, dict[str, Any]]:
    """Name, rating and its interval of each agent, by name; every game is in one of the meetings."""
    names = tournament.names
    wins = np.zeros((tournament.deals, len(names), len(names)))
    met = np.zeros((len(names), len(names)))
    for one in meetings.values():
        i, j = names.index(one.one), names.index(one.rest)
        wins[: len(one.top), i, j] += one.top
        wins[: len(one.top), j, i] += one.rest_top
        met[i, j] = met[j, i] = 1
    columns = [column.round(2).tolist() for column in ratings(wins, met, anchor, weights, tournament.seed)]
    return {
        name: {"name": name, "rating": rating, "low": low, "high": high}
        for name, rating, low, high in zip(names, *columns, strict=True)
    }


def told(one: Meeting, weights: Doubles) -> dict[str, Any]:
    """A meeting for the file."""
    return {"agent": one.one, "others": one.rest, "deals": len(one.wins), **results([one], weights)}


def results(meetings: list[Meeting], weights: Doubles) -> dict[str, Any]:
    """Results of an agent over some meetings; none for the agent of a table.

    Every meeting has the same share in the mean payoff; games are counted.
    """
    if not meetings:
        return {"games": 0}
    games = sum(one.games for one in meetings)
    wins = sum(float(one.wins.sum()) for one in meetings)
    losses = sum(int(one.losses.sum()) for one in meetings)
    return {
        "games": games,
        "wins": wins,
        "losses": losses,
        "win_rate": wins / games,
        "win_interval": wilson(wins, games),
        "payoff": float(np.mean([one.payoff.mean() for one in meetings])),
        "payoff_interval": bootstrapped([one.payoff for one in meetings], weights),
    }


def seats_of(games: Mapping[LineUp, Games], weights: Doubles) -> list[dict[str, Any]]:
    """What each seat is worth: over all games, in which every agent has every seat equally often."""
    payoffs = [played.payoffs.astype(np.float64) for played in games.values()]  # (deals, rotations, seats)
    wins = sum(shares_of_wins(each).sum(axis=(0, 1)) for each in payoffs)  # (seats,)
    count = sum(each[..., 0].size for each in payoffs)
    return [
        {
            "seat": seat,
            "win_rate": float(won / count),
            "win_interval": wilson(float(won), count),
            "payoff": float(np.mean([each[..., seat].mean() for each in payoffs])),
            "payoff_interval": bootstrapped([each[..., seat].mean(axis=1) for each in payoffs], weights),
        }
        for seat, won in enumerate(np.asarray(wins))
    ]


def version_of(name: str) -> str | None:
    """Of a package, if it is installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
