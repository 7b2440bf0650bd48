"""One game move by move, for the terminal and the browser.

What a player may be told, the legal moves in words, hints, and an agent's thoughts.
"""
