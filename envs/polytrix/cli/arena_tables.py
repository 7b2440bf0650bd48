"""The results of `polytrix arena` as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.box import SIMPLE_HEAD

from polytrix.arena.summary import deals_of
from polytrix.core.behaviour import shown
from polytrix.core.layout import Layout

from .screen import echo, out, row, table


def show(result: dict[str, Any]) -> None:
    """Print the tables of agents, meetings and seats."""
    played = f"{result['games']} games: {deals_of(result)} deals of each line-up"
    head = f"{result['environment']}, {result['players']} players, {played}"
    figures = ("rating", "95%", "won", "95%", "payoff", "95%")
    shown = table("agent", *figures, right=figures, title=head)
    shown.box, shown.padding = SIMPLE_HEAD, (0, 1, 0, 0)  # fits a terminal of 80 columns
    shown.columns[0].no_wrap = False
    bots = [bot["name"] for bot in result.get("population", {}).get("bots", ())]
    for agent in result["agents"]:
        if agent["name"] in bots:
            continue
        cells = [agent["name"], f"{agent['rating']:.0f}", span(agent["low"], agent["high"], form=".0f")]
        if agent["games"]:
            cells += [f"{agent['win_rate']:.1%}", span(*agent["win_interval"], form=".1%")]
            cells += [f"{agent['payoff']:+.2f}", span(*agent["payoff_interval"], form="+.2f")]
        row(shown, *cells)
    out.print(shown)
    if bots:
        show_strangers(result)
        return
    names = {agent["name"]: str(place) for place, agent in enumerate(result["agents"], 1)}
    rates = {(one["agent"], one["others"]): one["win_rate"] for one in result["meetings"]}
    title = f"games won by the row's agent among the column's; fair share {result['fair_share']:.0%}"
    crossed = table("", "agent", *names.values(), right=names.values(), title=title)
    for one, place in names.items():
        cells = [f"{rates[one, other]:.1%}" if (one, other) in rates else "" for other in names]
        row(crossed, place, one, *cells)
    out.print(crossed)
    seats = table("seat", "won", "95%", "payoff", "95%", title="seats, over all games")
    for seat in result["seats"]:
        won = (f"{seat['win_rate']:.1%}", span(*seat["win_interval"], form=".1%"))
        row(seats, seat["seat"], *won, f"{seat['payoff']:+.2f}", span(*seat["payoff_interval"], form="+.2f"))
    out.print(seats)


def show_behaviour(result: Mapping[str, Any], layout: Layout) -> None:
    """Print how the agents have played, a column for each of the game's figures."""
    names = {figure.name: figure.name.replace("_", " ") for figure in layout}
    made = table("agent", *names.values(), right=names.values(), title="how they play, over all their seats")
    made.columns[0].no_wrap = False
    for agent in result["agents"]:
        counted = agent["behaviour"]
        row(made, agent["name"], *(shown(each, *counted.get(each.name, (0, 0))) for each in layout))
    out.print(made)
    for figure in layout:
        echo(f"{names[figure.name]}: {figure.meaning}")


def show_strangers(result: Mapping[str, Any]) -> None:
    """Print what agents win with each bot, and each agent's mean and worst case, also with unseen ones."""
    bots, agents = result["population"]["bots"], result["population"]["agents"]
    title = f"games won among each bot; fair share {result['fair_share']:.0%}; *: nobody surely wins more"
    shown = table("bot", "agent", "won", "95%", "payoff", right=("won", "95%", "payoff"), title=title)
    met = {(one["agent"], one["others"]): one for one in result["meetings"]}
    for bot in bots:
        for agent in agents:
            one = met[agent["name"], bot["name"]]
            won = f"{one['win_rate']:.1%}", span(*one["win_interval"], form=".1%")
            name = f"{bot['name']}{'' if bot['gives'] else ' *'}" if agent is agents[0] else ""
            row(shown, name, agent["name"], *won, f"{one['payoff']:+.2f}")
    out.print(shown)
    figures = ("mean", "95%", "worst", "with")
    summed = table("agent", "bots", *figures, right=figures[:3], title="games won, over bots")
    for agent in agents:
        for group in ("all", "unseen"):
            if found := agent.get(group):
                mean = f"{found['mean']:.1%}", span(*found["interval"], form=".1%")
                row(summed, agent["name"], group, *mean, f"{found['worst']:.1%}", found["worst_bot"])
    out.print(summed)


def show_ratings(together: Mapping[str, Any]) -> None:
    """Print the ratings in several games, from `over_games`."""
    games = {name: name.replace("_", "\n") for name in together["games"]}
    shown = table("agent", "mean", *games.values(), right=("mean", *games.values()), title="ratings, all games")
    shown.box, shown.padding = SIMPLE_HEAD, (0, 1, 0, 0)
    for agent in together["agents"]:
        row(
            shown, agent["name"], f"{agent['rating']:.0f}", *(f"{agent['ratings'][name]:.0f}" for name in games)
        )
    out.print(shown)


def span(low: float, high: float, *, form: str) -> str:
    """An interval in short form.

    >>> span(0.25, 0.5, form=".1%"), span(-1, 0.25, form="+.2f")
    ('25.0..50.0%', '-1.00..+0.25')
    """
    return f"{low:{form}}".rstrip("%") + f"..{high:{form}}"
