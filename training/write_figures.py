"""Write the figures on pages, and their pictures, from receipts, and the layouts of games on their pages.

    python training/write_figures.py                (all)
    python training/write_figures.py leaderboard

Figures are between `<!-- figures: NAME -->` and `<!-- end of figures -->` on a page; what is written there is
made by the function of that name below, from the receipts in `benchmarks/` and `checkpoints/`, or from a game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

import tyro

import polytrix
from polytrix.training.figures import algorithms, language, layouts, readme, speed, strength
from polytrix.training.shared.receipts import ROOT

FIGURES: dict[str, tuple[str, Callable[[Path], str]]] = {
    "in-short": ("README.md", readme.in_short),
    "networks": ("checkpoints/README.md", strength.networks),
    "leaderboard": ("docs/leaderboard.md", strength.leaderboard),
    "benchmark": ("docs/benchmark.md", algorithms.benchmark),
    "exploiters": ("docs/benchmark.md", algorithms.exploiters),
    "benchmark-tables": ("docs/benchmark_tables.md", algorithms.benchmark_tables),
    "environments": ("docs/performance.md", speed.environments),
    "libraries": ("docs/performance.md", speed.libraries),
    "training": ("docs/performance.md", speed.training),
    "tensors": ("docs/performance.md", speed.tensors),
    "language-model": ("docs/transformers.md", language.language_model),
    **{
        f"{game.name}-{made.__name__}": (f"envs/polytrix/games/{game.name}/README.md", partial(made, game=game))
        for game in polytrix.all_games()
        for made in (layouts.actions, layouts.observation)
    },
}
"""The page of each, and what makes it, given the repository's folder."""


def with_figures(page: str, name: str, figures: str) -> str:
    """A page with its figures of a name written anew.

    Raises:
        ValueError: the page has no place for them.

    >>> with_figures("<!-- figures: a -->\\n1\\n<!-- end of figures -->", "a", "2\\n")
    '<!-- figures: a -->\\n2\\n<!-- end of figures -->'
    """
    begin, end = f"<!-- figures: {name} -->\n", "<!-- end of figures -->"
    before, mark, rest = page.partition(begin)
    _, last, after = rest.partition(end)
    if not (mark and last):
        raise ValueError(f"the page has no {begin.strip()} with {end} below it")
    return f"{before}{begin}{figures}{end}{after}"


def write_figures(root: Path, names: Collection[str] = ()) -> None:
    """Write figures into the pages of a repository; all by default."""
    for name in names or FIGURES:
        page, figures = FIGURES[name]
        file = root / page
        file.write_text(with_figures(file.read_text(encoding="utf-8"), name, figures(root)), encoding="utf-8")
        print(f"{name}: {file}")


def main(names: tyro.conf.Positional[tuple[str, ...]] = ()) -> None:
    """Write figures.

    Args:
        names: of the figures; all by default.
    """
    if unknown := [name for name in names if name not in FIGURES]:
        raise SystemExit(f"{', '.join(unknown)}: no such figures; there are {', '.join(FIGURES)}")
    write_figures(ROOT, names)


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
