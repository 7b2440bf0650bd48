from __future__ import annotations
FEATURES = ()
cover = None
