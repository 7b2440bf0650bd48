"""Data sets of games: files of moves, from which all that was seen and done is found by playing them again."""

from .expansion import Expanded, expand
from .games import Dataset, Played, read

__all__ = ["Dataset", "Expanded", "Played", "expand", "read"]
