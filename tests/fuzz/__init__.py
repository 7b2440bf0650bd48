"""Fuzzing of file readers and APIs.

    python -m tests.fuzz --what snapshots --game quatrix --tries 100000

A kind of try is a function `prepare(game, folder)`, which does the shared setup in an empty folder and
returns `attempt(rng)`. An attempt makes one try with that generator and returns its outcome as one word,
or raises AssertionError if it found a defect. See `campaign.py`.
"""
