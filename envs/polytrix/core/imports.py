"""Objects that users name as `module:name`."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from operator import attrgetter
from typing import Any


def imported(path: str) -> Any:
    """What `module:name` names. The working directory is searched, too.

    Raises:
        ImportError: there is no such module, or no such name in it.

    >>> imported("math:pi")
    3.141592653589793
    """
    module, _, name = path.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        return attrgetter(name)(import_module(module))
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise ImportError(str(error)) from None
    finally:
        sys.path.remove(os.getcwd())
