"""Parse OpenSpiel's text of a state without loading the pickle in it."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from polytrix.core.errors import SnapshotError

_EVENT = "-?[0-9]{1,9}:[0-9]{1,9}"
_STATE = re.compile(
    f"history=((?:{_EVENT}(?:,{_EVENT})*)?)\nmove_number=[0-9]{{1,9}}\n__dict__=([A-Za-z0-9+/]*={{0,2}})"
)


def parse(text: Any) -> tuple[list[tuple[int, int]], bytes]:
    """The history of a serialized state, and its pickle as raw bytes.

    Returns:
        Player and action of each event, and the pickle, which contains the position verbatim.

    Raises:
        SnapshotError: the text was not written by `serialize`.
    """
    found = _STATE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise SnapshotError("this is not a serialized state; give what state.serialize() returned")
    history, pickled = found.groups()
    try:
        held = base64.b64decode(pickled, validate=True)
    except binascii.Error:
        raise SnapshotError("the state's text is damaged") from None
    pairs = (event.split(":") for event in history.split(",") if event)
    return [(int(player), int(action)) for player, action in pairs], held
