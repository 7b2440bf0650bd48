"""One game move by move, for the terminal and the browser.

What a player may be told, the legal moves in words, hints, an agent's thoughts, and the rules by chapters.
"""
