"""What rules and drivers require of a position that may be forged.

A game from `Simulator.load` is played by checked programs, in which an index out of range and a division by
zero are errors. `require` is for what else could go wrong there, such as a loop that need not end. Programs for
games that were begun here leave it out, so it costs nothing in them.
"""

from __future__ import annotations

MOST_ROUNDS = 1_000
"""More rounds than any loop over chance events, effects or turns has between two decisions."""


def require(holds: bool) -> None:
    """Raise IndexError unless `holds`, in checked programs and in plain Python; compiled programs trust it.

    Count the rounds of a loop that ends in every position of the game, but need not in a forged one:

    >>> s = {"waiting": 3}
    >>> rounds = 0
    >>> while s["waiting"] > 0:
    ...     require(rounds < MOST_ROUNDS)
    ...     rounds += 1
    ...     s["waiting"] -= 1
    """
    if not holds:
        raise IndexError("the position is none of this game's")


def trust(holds: bool) -> None:
    """What compiled programs call instead of `require`."""
