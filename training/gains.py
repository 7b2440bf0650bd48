"""What exploiters win against an agent in duplicate deals: `best_response.py` measures and reports it so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from polytrix.arena import Tournament, play_all
from polytrix.arena.contestants import Contestant
from polytrix.arena.records import Records
from polytrix.arena.statistics import Doubles, bootstrap_weights, bootstrapped, wilson
from polytrix.arena.summary import Meeting, collected, meeting
from polytrix.core.files import write_json
from polytrix.core.game import Game
from reports import speed


@dataclass(frozen=True)
class Gain:
    """What an exploiter wins in one seat among copies of an agent, with 95% intervals.

    Args:
        exploiter: its name.
        games: number of games, each deal once in every seat.
        wins: number of games that it won; ties split the win.
        win_interval: of the share of games won.
        payoff, payoff_interval: mean payoff per game.
        gain, gain_interval: the payoff, minus what the agent itself gets in these seats.
        elo, elo_interval: difference of ratings.
    """

    exploiter: str
    games: int
    wins: float
    win_interval: tuple[float, float]
    payoff: float
    payoff_interval: tuple[float, float]
    gain: float
    gain_interval: tuple[float, float]
    elo: float
    elo_interval: tuple[float, float]


def measured_gains(
    game: Game,
    options: Mapping[str, Any],
    exploiters: Sequence[Contestant],
    agent: Contestant,
    deals: int,
    seed: int,
    file: Path,
    threads: int = 1,
) -> list[Gain]:
    """Play duplicate games of exploiters among copies of an agent; what each of them gains.

    If payoffs do not sum to 0, the agent plays the same deals among copies of itself. If they do, it would get
    0 on average.

    Args:
        game, options: the game and the values of all its options.
        exploiters, agent: the players.
        deals: number of deals, each played from every seat.
        seed: of the deals, see `polytrix.arena.Tournament`.
        file: keeps finished games, so that a stopped measurement goes on.
        threads: number of blocks of deals played in parallel.
    """
    tournament = Tournament(game, options, [*exploiters, agent], deals, seed, agent.name)
    with closing(Records(game, options, seed, file)) as records:
        play(tournament, records, threads)
        games = [collected(tournament, records, (one.name, agent.name)).payoffs for one in exploiters]
        own = np.zeros(deals)
        if not all(np.allclose(payoffs.sum(axis=2), 0, atol=1e-6) for payoffs in games):
            copy = Contestant(f"copy of {agent.name}", agent.mark, agent.make)
            alone = Tournament(game, options, [copy, agent], deals, seed, agent.name)
            play(alone, records, threads)
            own = met(copy.name, agent.name, collected(alone, records, (copy.name, agent.name)).payoffs).payoff
    weights = bootstrap_weights(deals, seed)
    meetings = [met(one.name, agent.name, each) for one, each in zip(exploiters, games, strict=True)]
    return [gain_of(each, own, weights) for each in meetings]


def play(tournament: Tournament, records: Records, threads: int) -> None:
    """Play the games of a tournament that are not in the records, with a progress bar."""
    done = sum(block.deals for block in tournament.blocks() if block in records) * tournament.players
    label = f"duplicate games against {tournament.table}"
    with tqdm(total=tournament.num_games, initial=done, desc=label, unit="game") as bar:
        play_all(tournament, records, threads, tick=bar.update)


def met(one: str, rest: str, payoffs: Any) -> Meeting:
    """The results of `one` in every seat among copies of `rest`."""
    return meeting(one, rest, payoffs, np.eye(payoffs.shape[2], dtype=np.float32))


def gain_of(results: Meeting, own: Doubles, weights: Doubles) -> Gain:
    """What an exploiter gains.

    Args:
        results: of the exploiter.
        own: (deals,) mean payoff of the agent in the exploiter's seats.
        weights: of the bootstrap, see `bootstrap_weights`.
    """
    gained, wins = results.payoff - own, float(results.wins.sum())
    spread = elo(weights @ results.top, weights @ results.rest_top)
    low, high = np.percentile(spread, [2.5, 97.5])
    return Gain(
        exploiter=results.one,
        games=results.games,
        wins=wins,
        win_interval=wilson(wins, results.games),
        payoff=float(results.payoff.mean()),
        payoff_interval=bootstrapped([results.payoff], weights),
        gain=float(gained.mean()),
        gain_interval=bootstrapped([gained], weights),
        elo=float(elo(results.top.sum(), results.rest_top.sum())),
        elo_interval=(float(low), float(high)),
    )


def elo(wins: Any, losses: Any) -> Any:
    """The difference of ratings that wins and losses stand for; half a win for each side is added.

    >>> round(elo(99.5, 9.5))
    400
    """
    return 400 * np.log10((wins + 0.5) / (losses + 0.5))


# -- the report ---------------------------------------------------------------------------


def write_report(folder: Path, game: Game, record: Mapping[str, Any]) -> None:
    """Write `result.json`, `curve.png` and `card.md` of a run.

    Args:
        folder: of the run.
        game: the game.
        record: of `best_response.Run.record_of`.
    """
    title = f"{game.title}, {record['players']} players: an exploiter against {record['agent']}"
    draw_curve(record["curve"], folder / "curve.png", title)
    write_json(folder / "result.json", record)
    (folder / "card.md").write_text(card(record), encoding="utf-8")


def draw_curve(curve: Sequence[Mapping[str, float]], file: Path, title: str) -> None:
    """Plot the exploiter's mean payoff over the run, with intervals."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    steps = [point["steps"] / 1e6 for point in curve]
    axes.fill_between(
        steps, [point["low"] for point in curve], [point["high"] for point in curve], color="#c8553d", alpha=0.2
    )
    axes.plot(
        steps, [point["payoff"] for point in curve], "o-", color="#c8553d", label="network of the exploiter"
    )
    axes.axhline(0, color="gray", linestyle="--")
    axes.set(xlabel="decisions of the exploiter, millions", ylabel="mean payoff, with 95% interval")
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(file, dpi=120)
    pyplot.close(figure)


def chosen_gain(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The gain of the exploiter that was chosen."""
    return next(each for each in record["gains"] if each["exploiter"] == record["chosen"])


def card(record: Mapping[str, Any]) -> str:
    """The card of a run: how exploitable the agent is, and how that was found."""
    rows = "\n".join(
        f"| {each['exploiter']} | {each['games']} | {each['wins'] / each['games']:.1%} "
        f"| {each['payoff']:+.3f} | {each['gain']:+.3f} | {each['gain_interval'][0]:+.3f} to "
        f"{each['gain_interval'][1]:+.3f} | {each['elo']:+.0f} ({each['elo_interval'][0]:+.0f} to "
        f"{each['elo_interval'][1]:+.0f}) |"
        for each in record["gains"]
    )
    versions = ", ".join(f"{package} {number}" for package, number in record["versions"].items())
    return f"""# {record["environment"]}, {record["players"]} players: how exploitable is {record["agent"]}?

{conclusion(record)}

| exploiter | games | won | payoff | gain | 95% interval | Elo |
|---|---|---|---|---|---|---|
{rows}

Fresh deals, each played from every seat. The gain is the payoff minus what {record["agent"]} itself gets in
these seats. The {record["chosen"]} was chosen on other deals. An exploiter that learns longer may gain more, so
this is a lower bound of what a best response gains; a copy of {record["agent"]} gains 0.

- The agent: {record["plays"]}
- Trained: {record["date"]}, {record["steps"]:,} decisions of the exploiter in
  {record["training_seconds"]:.0f} s, beginning with {record["began_with"]}
- Speed: {speed(record)}
- Command: `{record["command"]}`
- Seed: {record["settings"]["seed"]}; all settings are in `result.json`
- Machine: {record["machine"]}
- Versions: {versions}

![learning curve](curve.png)
"""


def conclusion(record: Mapping[str, Any]) -> str:
    """What the exploiter that was chosen shows, in a sentence."""
    found, agent = chosen_gain(record), record["agent"]
    low, high = found["gain_interval"]
    gain = f"**{found['gain']:+.3f}** a game (95% interval {low:+.3f} to {high:+.3f})"
    if low <= 0:
        return (
            f"Nobody was found who surely gains by deviating from {agent}; the better exploiter gains\n{gain}."
        )
    return f"Who deviates from {agent} in one seat, all others playing it, gains at least\n{gain}."


def show(console: Console, game: Game, folder: Path, record: Mapping[str, Any], again: str) -> None:
    """Print the result, where its files are, and the command that plays the games again."""
    table = Table(title=f"{game.title}, {record['players']} players: exploiters of {record['agent']}")
    for heading in ("exploiter", "games", "won", "payoff", "gain", "95% interval", "Elo"):
        table.add_column(heading, justify="left" if heading == "exploiter" else "right")
    for each in record["gains"]:
        low, high = each["gain_interval"]
        table.add_row(
            each["exploiter"] + (" (chosen)" if each["exploiter"] == record["chosen"] else ""),
            str(each["games"]), f"{each['wins'] / each['games']:.1%}", f"{each['payoff']:+.3f}",
            f"{each['gain']:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{each['elo']:+.0f}",
        )  # fmt: skip
    console.print(table)
    console.print(f"curve    {folder / 'curve.png'}\nnetwork  {folder / 'policy.npz'}")
    console.print(f"again    {again}", soft_wrap=True)


def as_record(gains: Sequence[Gain]) -> list[dict[str, Any]]:
    """Gains for JSON."""
    return [asdict(each) for each in gains]
