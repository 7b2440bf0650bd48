"""Objects that users name as `module:name` or `file.py:name`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any


def imported(path: str) -> Any:
    """What `module:name` or `file.py:name` names. The working directory is searched for modules too.

    Raises:
        ImportError: there is no such module, no such name in it, or the module fails.

    >>> imported("math:pi")
    3.141592653589793
    """
    module, _, name = path.rpartition(":")
    try:
        folder = os.getcwd()
        sys.path.insert(0, folder)
        try:
            found = module_in(Path(module)) if module.endswith(".py") else import_module(module)
            return attrgetter(name)(found)
        finally:
            with suppress(ValueError):  # the module has removed it
                sys.path.remove(folder)
    except (Exception, SystemExit) as error:  # whatever the module does
        raise ImportError(f"{type(error).__name__}: {error}") from error


def module_in(file: Path) -> ModuleType:
    """The module in a file that is nowhere on the path of modules.

    Its name is the path of the file, under which it is registered, as imported modules are: dataclasses and
    Numba's cache look it up, and `imported` finds its classes again.
    """
    name = str(file.resolve())
    if name not in sys.modules:
        spec = spec_from_file_location(name, name)
        assert spec is not None and spec.loader is not None
        module = sys.modules[name] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]
