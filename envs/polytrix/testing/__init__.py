"""Checks for any game, including your own. Each raises AssertionError with the defect it found.

    from polytrix.testing import check_all
    check_all(MY_GAME)

`python -m polytrix.testing --game quatrix --games 100000 --threads 2` runs a long campaign of random play.
"""

from .complete import check_all
from .equality import check_apis_equal, check_determinism, check_mixture
from .faults import check_invariants
from .hidden_actions import check_hidden_actions
from .leak import check_no_leak
from .perft import check_perft, perft
from .public import check_public
from .random_play import PlayReport, check_random_play
from .storage import check_replay, check_snapshots
from .touch import check_touch
from .variants import option_combinations

__all__ = [
    "PlayReport",
    "check_all",
    "check_apis_equal",
    "check_determinism",
    "check_hidden_actions",
    "check_invariants",
    "check_mixture",
    "check_no_leak",
    "check_perft",
    "check_public",
    "check_random_play",
    "check_replay",
    "check_snapshots",
    "check_touch",
    "option_combinations",
    "perft",
]
