"""The position as a picture: the cards, the chips in the pot, and the betting."""

from __future__ import annotations

from polytrix.core.viewers import Viewer
from polytrix.drawing import Picture, Shape, rect, text

from .state import State
from .words import SEATS, card_name, rounds_of, seen_card, status

WIDTH, HEIGHT = 440, 270
CARD_WIDTH, CARD_HEIGHT = 80, 110
PAPER, WHITE, BACK, INK = "#f5f3ee", "#ffffff", "#1f62c4", "#2b2a28"


def draw(s: State, seat: Viewer) -> Picture:
    """The cards as a viewer sees them."""
    shapes = [text(20, 34, status(s), size=20, fill=INK)]
    for i, name in enumerate(SEATS):
        shapes += card(20 + 110 * i, f"{name}: {s.paid[i]}", seen_card(s, i, seat))
    if s.rounds > 1:
        shapes += card(320, "public", card_name(s, s.public))
    for number, taken in enumerate(rounds_of(s)):
        shapes.append(text(20, 222 + 26 * number, f"round {number + 1}: {taken or '-'}", size=17, fill=INK))
    return Picture(WIDTH, HEIGHT, tuple(shapes), background=PAPER)


def card(left: int, label: str, name: str) -> list[Shape]:
    """A card below its label: its name, its back, or an empty place."""
    fill = {"?": BACK, "-": PAPER}.get(name, WHITE)
    shapes = [
        text(left, 68, label, size=16, fill=INK),
        rect(left, 80, CARD_WIDTH, CARD_HEIGHT, radius=8, fill=fill, stroke=INK),
    ]
    if name not in "?-":
        shapes.append(
            text(left + CARD_WIDTH / 2, 80 + CARD_HEIGHT / 2, name, size=34, anchor="middle", fill=INK)
        )
    return shapes
