"""Which modules pytest leaves alone: OpenSpiel needs Python 3.11."""

from __future__ import annotations

import sys

collect_ignore = ["polytrix/api/openspiel.py"] if sys.version_info < (3, 11) else []
