"""Rate agents by duplicate games: the same as `polytrix arena` (extra `cli`).

python training/arena.py quatrix random greedy search:200 ppo --json arena.json
"""

from __future__ import annotations

import sys

from polytrix.cli import main

if __name__ == "__main__":
    sys.argv[1:1] = ["arena"]
    main()
