"""The OpenSpiel API: every registered game as an OpenSpiel Python game with explicit chance nodes.

    import polytrix.api.openspiel
    import pyspiel
    game = pyspiel.load_game("polytrix_quatrix(finish_depth=1)")

Game options are parameters, and so are data files (the name of a shipped one, or the path of a JSON file).
Named settings (`Game.variants`) are separate games, such as `polytrix_resistor_micro`. Call `register_game` for
a game registered after this import. See docs/openspiel.md for the mapping and the limits of Python games.
"""

from .game import Observer, PolytrixGame, PolytrixState, register_game

__all__ = ["Observer", "PolytrixGame", "PolytrixState", "register_game"]
