"""The site's page of a game: its README.md, with additions made from its description."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from textwrap import wrap

from polytrix.agents import name_of
from polytrix.agents.population import population
from polytrix.agents.search import SearchPolicy
from polytrix.core.compile.compiler import Mode
from polytrix.core.data import DataFile
from polytrix.core.game import Game
from polytrix.core.pages import page_of
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.core.words import listed, moves, seat_text

SEED = 1
DECISIONS = 30
"""The position that is shown: a random game after this many decisions, or a few more."""

MOVES_SHOWN = 8
WIDTH = 90
"""How many characters of a text block fit the page."""


def game_page(game: Game, cards: dict[str, str]) -> str:
    """The page of a game as Markdown.

    Args:
        game: any game; it need not have a README.md.
        cards: the games' baselines, titles by link, as the page is to link them.
    """
    path = page_of(game)
    text = f"# {game.title}\n" if path is None else path.read_text(encoding="utf-8")
    head, rules, rest = text.partition("\n## Rules\n")
    title, _, about = head.partition("\n\n")
    opening, _, table = about.partition("\n\n")
    s = shown_position(game)
    parts = [
        title,
        opening,
        f"![{game.title} as {game.seats[int(s.mover)]} sees it]({game.name}.svg)",
        table,
        in_code(game, cards),
        as_text(game, s),
        (rules + rest).strip(),
        invariants(game),
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


@cache
def shown_position(game: Game) -> Record:
    """A position in which somebody is to move; always the same."""
    simulator = Simulator(game, seed=SEED, mode=Mode.PLAIN)
    for decisions in range(10 * DECISIONS):
        if simulator.over[0]:
            simulator.restart()
        elif decisions >= DECISIONS and simulator.mover[0] == 0:
            break
        simulator.step(simulator.random_actions())
    record: Record = simulator.states[0]
    return record


def picture(game: Game) -> str:
    """That position as its mover sees it, as SVG."""
    s = shown_position(game)
    return f"{game.draw(s, int(s.mover)).svg()}\n"


def in_code(game: Game, cards: dict[str, str]) -> str:
    """The names of the game in each API, and its built-in agents."""
    search = SearchPolicy(game)
    module = module_of(game)
    aec = f"{module}.env(" if module else f'AECGame(polytrix.find("{game.name}"), '
    rows = {
        "Gymnasium": f'`gym.make("{game.id}")`, `gym.make_vec("{game.id}", num_envs=64)`',
        "PettingZoo": f"`polytrix.{module}`" if module else f'`pettingzoo.make("aec", "{game.id}")`',
        "OpenSpiel": ", ".join(f"`polytrix_{name}`" for name in openspiel_names(game)),
        "commands": f"`polytrix play {game.name}`, `watch`, `describe`, `bench`, `arena`",
        "built-in agents": ", ".join(f"`{name}`" for name in game.listed_policies)
        + f", [`{name_of(search)}`](/arena.md#the-search-agent) with any number of simulations",
        "[population](/arena.md#strangers)": ", ".join(f"`{name}`" for name in population(game)),
        "baselines": ", ".join(f"[{title}]({link})" for link, title in cards.items()),
        "data files": "; ".join(f"`{file.name}`: {file.help} (shipped: {shipped(file)})" for file in game.data),
        "named settings": "; ".join(f"`{name}`: {settings(game, name)}" for name in game.variants),
    }
    arguments = "".join(f"    {option.name}={option.default!r},\n" for option in game.options)
    opponent = "random" if game.greedy is None else "greedy"
    code = [
        "import gymnasium as gym",
        "import polytrix",
        f"from polytrix import {module}" if module else "from polytrix.api.aec import AECGame",
        "",
        f'env = gym.make("{game.id}", opponent="{opponent}")',
        f'envs = gym.make_vec("{game.id}", num_envs=64)',
        f"aec = {aec}\n{arguments})",
        f'simulator = polytrix.Simulator(polytrix.find("{game.name}"), num_envs=64)',
    ]
    table = [f"| {name} | {value} |" for name, value in rows.items() if value]
    reference = ["```{eval-rst}", f".. automodule:: polytrix.{module}", "```"] if module else []
    lines = ["## In code", "", "| | |", "|---|---|", *table, "", "```python", *code, "```", "", *reference]
    return "\n".join(lines)


def shipped(file: DataFile) -> str:
    """The names of the shipped files that may be given in place of a data file."""
    return ", ".join(f"`{name}`" for name in file.shipped)


def module_of(game: Game) -> str:
    """The game's module for PettingZoo, in this package; "" for a game from elsewhere."""
    module = f"{game.name}_v{game.version}"
    return module if find_spec(f"polytrix.{module}") is not None else ""


def openspiel_names(game: Game) -> list[str]:
    """The game's name in OpenSpiel, and those of its named settings."""
    return [game.name, *(f"{game.name}_{variant}" for variant in game.variants)]


def settings(game: Game, variant: str) -> str:
    """Options and data files of a setting that has a name, as arguments."""
    return ", ".join(f"`{name}={value!r}`" for name, value in game.variants[variant].items())


def as_text(game: Game, s: Record) -> str:
    """The position as text, with the first of the legal actions."""
    legal = moves(game, s)
    left = len(legal) - MOVES_SHOWN
    told = [*seat_text(game, s, int(s.mover)).splitlines(), "", *listed(legal[:MOVES_SHOWN]).splitlines()]
    shown = [part for line in told for part in wrapped(line)]
    more = [f"   ... and {left} more"] if left > 0 else []
    opening = (
        "The output of [`polytrix describe --text`](/text.md) for the position in the picture, with legal "
        "actions by number, notation and meaning:"
    )
    return "\n".join(["## As text", "", opening, "", "```text", *shown, *more, "```"])


def wrapped(line: str) -> list[str]:
    """A line of prose in lines that fit the page; what is set in columns stays as it is."""
    prose = "  " not in line.strip()
    return wrap(line, WIDTH, subsequent_indent="  ") if prose and len(line) > WIDTH else [line]


def invariants(game: Game) -> str:
    """What random play checks."""
    lines = [f"{number}. {invariant}" for number, invariant in enumerate(game.invariants, start=1)]
    opening = "These invariants hold after every step of random play, in [millions of steps](/campaigns.md):"
    return "\n".join(["## Invariants", "", opening, "", *lines, ""])
