"""Compiles an agent's programs into the cache: `python -m polytrix.web.compiling`, for `agents.py`.

Standard input is JSON: the id of the game, the contents of its data files, the name of the agent.
"""

from __future__ import annotations

import json
import sys

from polytrix.core.catalogue import find_exactly
from polytrix.play.opponents import agent, compile_policy


def main() -> None:
    """Compile what standard input names."""
    wanted = json.load(sys.stdin)
    game = find_exactly(wanted["game"], wanted["data"])
    compile_policy(game, agent(wanted["agent"], game))


if __name__ == "__main__":
    main()
