"""Tabletop games as reinforcement-learning environments, described once as plain Python rules.

Importing the package registers its games with Gymnasium and PettingZoo:

>>> import gymnasium, polytrix
>>> polytrix.find("quatrix").id in gymnasium.registry
True
"""

from __future__ import annotations

from polytrix.core.baselines import baselines
from polytrix.core.catalogue import all_games, find
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.version import __version__
from polytrix.plugins import load_installed, load_named
from polytrix.registration import register, register_built_in
from polytrix.replay.notebook import show

__all__ = ["Game", "Simulator", "__version__", "all_games", "baselines", "find", "register", "show"]

register_built_in()
load_installed()
load_named()
