"""Hypothesis, with the same examples everywhere, however busy the machine is."""

from hypothesis import settings

settings.register_profile("polytrix", deadline=None, derandomize=True, database=None)
settings.load_profile("polytrix")
