"""Files and calls from strangers: each module forges one kind of them and looks at what comes of it.

    python -m polytrix.testing fuzz --what snapshots --game quatrix --tries 100000

A module has a function `prepare(game, folder)`, which makes what all tries share in an empty folder
and returns another one: `attempt(rng)` makes one try with that generator and returns in a word what
came of it. It raises AssertionError for what must not happen. See `campaign.py`.
"""
