"""Which modules pytest leaves alone: OpenSpiel needs Python 3.11, and Tianshou is no tool of development."""

from __future__ import annotations

import sys
from importlib.util import find_spec

collect_ignore: list[str] = []
if sys.version_info < (3, 11):
    collect_ignore.append("polytrix/api/openspiel.py")
if find_spec("tianshou") is None:
    collect_ignore.append("polytrix/api/tianshou.py")
