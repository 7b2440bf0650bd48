"""The colours that all boards share. `web/static/board.css` has a dark one for each."""

PAPER = "#f5f3ee"  # the ground
CARD = "#ffffff"  # what lies on it
INK, FADED = "#2b2a28", "#6b675f"  # text
GRID = "#dcd8ce"  # lines between things
