"""A program in Python that plays any game: it takes the first legal move, and says so.

polytrix arena quatrix random "process:python examples/programs/first.py"
"""

import json
import sys
from typing import Any


def answer(message: dict[str, Any]) -> dict[str, Any] | None:
    """What to say to a message; None: nothing."""
    if message["type"] == "hello":
        print(f"I play {message['game']} in seat {message['seat']}", file=sys.stderr)
        return {"protocol": 1, "name": "first", "observation": False}
    if message["type"] == "choose":
        legal = message["legal"]
        return {"move": legal[0]["move"], "why": f"the first of {len(legal)}"}
    return None  # observe, over


for line in sys.stdin:
    said = answer(json.loads(line))
    if said is not None:
        print(json.dumps(said), flush=True)
