"""OpenSpiel: every known game as one of its Python games, with explicit chance.

    import polytrix.api.openspiel
    import pyspiel
    game = pyspiel.load_game("polytrix_quatrix(finish_depth=1)")

Options of a game are parameters, and so are its data files, as the path of a JSON file. Named
settings (`Game.variants`) are games of their own, like `polytrix_resistor_micro`. For a game that is
registered later call `register_game`. docs/openspiel.md says what OpenSpiel is told, and what its Python
games cannot do.
"""

from .game import PolytrixGame, PolytrixState, register_game

__all__ = ["PolytrixGame", "PolytrixState", "register_game"]
