"""Write the table of the released networks on checkpoints/README.md, from their records.

python training/baselines_page.py
"""

from __future__ import annotations

import re
from pathlib import Path

import polytrix
from polytrix.training.leaderboards.page import markdown

PAGE = Path(__file__).resolve().parents[1] / "checkpoints" / "README.md"

MARK = "<!-- Made by `python training/baselines_page.py`. Do not edit. -->\n\n"


def table() -> str:
    """One row per network."""
    head = ["environment", "players", "network", "minutes"]
    head += ["won against `random`", "won against `greedy`", "mean payoff against `greedy`"]
    rows = [
        [
            f"`{one.game}`",
            str(one.players),
            f"[`{one.name}`]({one.path.parent.name}/card.md)",
            f"{one.minutes:.0f}",
            f"{one.won['random']:.1%}",
            f"{one.won['greedy']:.1%}",
            f"{one.payoff['greedy']:+.2f}",
        ]
        for one in polytrix.baselines()
    ]
    return MARK + markdown(head, rows, left=3)


def main() -> None:
    """Replace the table on the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(re.escape(MARK) + r"(\|.*\n)*", lambda _: table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
