"""Connect Four: the worked example of docs/adding_a_game.md."""

import polytrix

GAME = polytrix.Game.of(__name__, title="Connect Four", seats=("red", "yellow"), playout=42)

polytrix.register(GAME)
