from __future__ import annotations
INVARIANTS = ("x",)
def check(before, s): return 0
