"""Summarises the games of a tournament: ratings, win rates and payoffs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from polytrix.agents.population import UNSEEN
from polytrix.core.state import FloatArray
from polytrix.core.version import __version__

from .play import Games
from .ratings import ANCHOR, ratings
from .records import Records
from .statistics import (
    Doubles,
    bootstrap,
    bootstrap_weights,
    shares_of_the_top,
    shares_of_wins,
    wilson,
)
from .tournament import LineUp, Tournament

FORMAT = "polytrix arena 1"
GAMES_FORMAT = "polytrix arena all games 1"


@dataclass(frozen=True)
class Meeting:
    """Results of one agent among others.

    Args:
        one: name of the agent.
        rest: name of the agent in all other seats.
        wins, losses: (deals,) wins (ties split the win), and games with a payoff below zero.
        top, rest_top: (deals,) wins if draws split the win too; those of `rest` per seat.
        payoff: (deals,) mean payoff of the agent over its seats.
        seats: number of games per deal.
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
        """Number of games."""
        return len(self.wins) * self.seats


def meeting(one: str, rest: str, payoffs: FloatArray, own: FloatArray) -> Meeting:
    """The results of `one` among `rest`.

    Args:
        one, rest: names.
        payoffs: (deals, rotations, seats).
        own: (rotations, seats) 1 where `one` plays the seat.
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
    """The results for JSON, which depend on the games only.

    Args:
        tournament: a tournament whose games have all been played.
        records: the games.
        anchor: name of the agent with a fixed rating; by default the only table, "greedy", or the first agent.
    """
    games = {line_up: collect(tournament, records, line_up) for line_up in tournament.line_ups}
    meetings = meetings_of(games)
    weights = bootstrap_weights(tournament.deals, tournament.seed)
    names = tournament.names
    table = tournament.tables[0] if len(tournament.tables) == 1 else None
    fixed = anchor or table or ("greedy" if "greedy" in names else names[0])
    points = rate(tournament, {line_up: meetings[line_up] for line_up in games}, names.index(fixed), weights)
    agents = [
        {
            **points[name],
            **results([m for m in meetings.values() if m.one == name], weights),
            "behaviour": behaviour_of(name, games),
        }
        for name in names
    ]
    result = {
        "format": FORMAT,
        "environment": tournament.game.id,
        "data": tournament.game.data_marks,
        "options": dict(tournament.options),
        "players": tournament.players,
        "fair_share": 1 / tournament.players,
        "table": table,
        "deals": tournament.deals,
        "games": tournament.num_games,
        "truncated": sum(one.truncated for one in games.values()),
        "decisions": sum(one.decisions for one in games.values()),
        "seed": tournament.seed,
        "anchor": {"name": fixed, "rating": ANCHOR},
        "agents": sorted(agents, key=lambda agent: -agent["rating"]),
        "meetings": [
            {
                "agent": one.one,
                "others": one.rest,
                "deals": len(one.wins),
                **results([one], weights),
                "behaviour": behaviour_of(one.one, {pair: games[pair]}),
            }
            for one in meetings.values()
            for pair in ((one.one, one.rest), (one.rest, one.one))[: 1 if tournament.players > 2 else 2]
            if pair in games
        ],
        "seats": seats_of(games, weights),
        "versions": {"polytrix": __version__, "numpy": np.__version__, "numba": version("numba")},
    }
    if len(tournament.tables) > 1:
        result["population"] = strangers(list(meetings.values()), tournament, weights)
    return result


def strangers(meetings: Sequence[Meeting], tournament: Tournament, weights: Doubles) -> dict[str, Any]:
    """What agents win with bots, the agents of several tables: `agents`, best first, and `bots`.

    Each agent has `all` and, if there are such bots, `unseen`: the mean of the shares won with the bots, its
    interval, the lowest share, and the bot there. A bot `gives` if an agent surely wins more than a fair share.
    """
    unseen = [name for name in tournament.tables if name.startswith(UNSEEN)]
    agents: list[dict[str, Any]] = []
    for name in tournament.names:
        figures = {}
        for group, bots in (("all", tournament.tables), ("unseen", unseen)):
            shares = {
                one.rest: one.wins / one.seats for one in meetings if one.one == name and one.rest in bots
            }
            if shares:
                worst = min(shares, key=lambda bot: float(shares[bot].mean()))
                figures[group] = {
                    "mean": float(np.mean([each.mean() for each in shares.values()])),
                    "interval": bootstrap([*shares.values()], weights),
                    "worst": float(shares[worst].mean()),
                    "worst_bot": worst,
                }
        if figures:
            agents.append({"name": name, **figures})
    fair = 1 / tournament.players
    giving = {one.rest for one in meetings if wilson(float(one.wins.sum()), one.games)[0] > fair}
    return {
        "agents": sorted(agents, key=lambda agent: -agent["all"]["mean"]),
        "bots": [{"name": bot, "gives": bot in giving} for bot in tournament.tables],
    }


def over_games(results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Ratings of the same agents in several games, for JSON.

    Args:
        results: as from `summarise`, by the game's name.

    Returns:
        `games`, the names; `agents`, best first, each with `name`, `ratings` by game and their mean, `rating`.
    """
    ratings: dict[str, dict[str, float]] = {}
    for game, result in results.items():
        for agent in result["agents"]:
            ratings.setdefault(agent["name"], {})[game] = agent["rating"]
    agents = [
        {"name": name, "rating": float(np.mean([*own.values()])), "ratings": own}
        for name, own in ratings.items()
    ]
    return {
        "format": GAMES_FORMAT,
        "games": [*results],
        "agents": sorted(agents, key=lambda agent: -agent["rating"]),
    }


def deals_of(result: Mapping[str, Any]) -> str:
    """Number of deals per line-up, as text.

    >>> deals_of({"meetings": [{"deals": 40}, {"deals": 1000}, {"deals": 40}]})
    '40 to 1,000'
    """
    counts = sorted({one["deals"] for one in result["meetings"]})
    return " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))


def meetings_of(games: Mapping[LineUp, Games]) -> dict[LineUp, Meeting]:
    """The meetings of some line-ups; with two players a game counts for both agents."""
    meetings, turned = {}, {}
    for (one, rest), played in games.items():
        own = np.eye(played.payoffs.shape[2], dtype=np.float32)
        meetings[one, rest] = meeting(one, rest, played.payoffs, own)
        if len(own) == 2:
            turned[rest, one] = meeting(rest, one, played.payoffs, 1 - own)
    return meetings | turned


def collect(tournament: Tournament, records: Records, line_up: LineUp) -> Games:
    """All games of a line-up, in the order of the deals."""
    blocks = [block for block in tournament.blocks() if (block.one, block.rest) == line_up]
    parts = [records[block] for block in blocks]
    payoffs = np.concatenate([part.payoffs for part in parts])
    known = [block.name for block in tournament.game.behaviour]
    counted = [part.behaviour for part in parts if [*part.behaviour] == known]
    behaviour = {name: np.sum([each[name] for each in counted], axis=0).tolist() for name in known if counted}
    return Games(payoffs, sum(p.truncated for p in parts), sum(p.decisions for p in parts), behaviour)


def behaviour_of(agent: str, games: Mapping[LineUp, Games]) -> dict[str, list[int]]:
    """The sum and the occasions of each figure, in all seats of an agent; {} if nothing was counted."""
    found: dict[str, list[int]] = {}
    for line_up, played in games.items():
        for side, name in enumerate(line_up):
            for figure, pairs in played.behaviour.items():
                if name == agent:
                    total, occasions = found.get(figure, (0, 0))
                    found[figure] = [total + pairs[side][0], occasions + pairs[side][1]]
    return found


def rate(
    tournament: Tournament, meetings: Mapping[LineUp, Meeting], anchor: int, weights: Doubles
) -> dict[str, dict[str, Any]]:
    """Name, rating and interval of each agent, by name. Every game must be in exactly one meeting."""
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


def results(meetings: list[Meeting], weights: Doubles) -> dict[str, Any]:
    """Results of an agent over some meetings; the agent of a table has none.

    Meetings have equal weight in the mean payoff, games in the win rate.
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
        "payoff_interval": bootstrap([one.payoff for one in meetings], weights),
    }


def seats_of(games: Mapping[LineUp, Games], weights: Doubles) -> list[dict[str, Any]]:
    """Results of each seat over all games, in which every agent has every seat equally often."""
    payoffs = [played.payoffs.astype(np.float64) for played in games.values()]  # (deals, rotations, seats)
    wins = sum(shares_of_wins(each).sum(axis=(0, 1)) for each in payoffs)  # (seats,)
    count = sum(each[..., 0].size for each in payoffs)
    return [
        {
            "seat": seat,
            "win_rate": float(won / count),
            "win_interval": wilson(float(won), count),
            "payoff": float(np.mean([each[..., seat].mean() for each in payoffs])),
            "payoff_interval": bootstrap([each[..., seat].mean(axis=1) for each in payoffs], weights),
        }
        for seat, won in enumerate(np.asarray(wins))
    ]
