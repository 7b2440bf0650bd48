"""Compiles plain Python rules to programs, with a cache that cannot go stale.

A rule is an ordinary function; nothing in a game mentions the compiler. To make a
program, a driver function and everything it calls are copied, with the placeholders of
`rules.py` replaced by the game's functions, and Numba compiles the copies.

A second pass gives each function its *fingerprint*: a hash of everything that the compiler
bakes into it (byte code, constants, tables, called functions in any file, compile flags), and
the function's module, which a cached program imports.
The driver's fingerprint names the cache file, so a changed rule, helper or table never meets
a program made from the old one. Functions with the same fingerprint are compiled once per
process, whichever programs and games call them.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
import signal
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dis import get_instructions
from enum import Enum, EnumMeta
from functools import cache
from threading import current_thread, main_thread
from time import sleep
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ..constants import ConstantsType
from ..trust import require, trust

Function = Callable[..., Any]

GENERATION = 5
"""Cache version; increase it when the generated code changes."""

_compiled: WeakValueDictionary[tuple[str, type], Any] = WeakValueDictionary()
"""The functions called by the compiled programs of this process, by fingerprint and kind of compiler."""


class Mode(Enum):
    """How rules run."""

    COMPILED = "compiled"
    """Machine code without bounds checks."""
    CHECKED = "checked"
    """Machine code with bounds checks and all that rules `require`: an overrun raises IndexError."""
    PLAIN = "plain"
    """Ordinary Python, for debuggers and coverage: the same results, a thousand times slower."""


class RuleError(TypeError):
    """A rule outside the compiled subset."""


def program(
    driver: Function,
    replacements: Mapping[Function, Function],
    mode: Mode,
    label: str,
    disjoint: Collection[Function] = (),
) -> Function:
    """A callable that runs `driver` with some of the functions it calls replaced.

    Args:
        driver: a module-level function.
        replacements: the function to use instead of each, wherever it is called.
        mode: compiled, compiled with bounds checks, or plain Python.
        label: names the program where its progress is shown.
        disjoint: those keys of `replacements` whose arguments never overlap in memory. LLVM need not read a
            record again after each write to an output array. The arguments of a driver never overlap either.
    """
    if runs_plain(mode):
        plain: Function = _copy(driver, replacements, {}, lambda copy, _: copy)
        return plain
    from numba import njit

    checked = mode is Mode.CHECKED
    if not checked:
        replacements = {**replacements, require: trust}
    flags = {
        "nogil": True,
        "boundscheck": checked,
        "error_model": "python" if checked else "numpy",
        "_nrt": False,  # nothing allocates, so arrays need no reference counts
    }
    from . import constants  # noqa: F401  # registers them with Numba
    from .program_cache import ProgramCache
    from .progress import CompileProgress
    from .whole_program import DisjointPartCompiler, PartCompiler, ProgramCompiler

    marks = fingerprints(driver, replacements, extra=f"{GENERATION} {sorted(flags.items())}")
    with_disjoint = {replacements.get(each, each) for each in disjoint}
    parts: list[Any] = []

    def finish(copy: FunctionType, function: Function) -> Any:
        # Within one process, functions of the same name must have the same machine code.
        copy.__qualname__ += f"_{marks[function][:16]}"
        if function is driver:  # has its own cache
            return _widened(njit(**flags, no_cfunc_wrapper=True, pipeline_class=ProgramCompiler)(copy))
        compiler = DisjointPartCompiler if function in with_disjoint else PartCompiler
        key = (marks[function], compiler)
        shared = _compiled.get(key)
        if shared is None:
            part = njit(**flags, no_cfunc_wrapper=True, no_cpython_wrapper=True, pipeline_class=compiler)
            shared = _compiled[key] = _widened(part(copy))
        parts.append(shared)
        return shared

    compiled: Any = _copy(driver, replacements, {}, finish)
    progress = CompileProgress(label, parts)
    file_name = cache_name(driver, mode, marks[driver])
    compiled._cache = ProgramCache(compiled.py_func, file_name, progress.begin)
    compile_it = compiled.compile

    def compile_carefully(*args: Any) -> Any:
        with _explained(), _uninterrupted(), _uncollected(), progress:
            return compile_it(*args)

    compiled.compile = compile_carefully
    return compiled  # type: ignore[no-any-return]


def cache_name(driver: Function, mode: Mode, mark: str) -> str:
    """The name of a cached program's files, without suffixes: games with equal rules share them."""
    return f"{driver.__name__}-{mode.value}-{mark}"


def runs_plain(mode: Mode) -> bool:
    """Whether rules run as ordinary Python: because of the mode, or because Numba is disabled."""
    return mode is Mode.PLAIN or os.environ.get("NUMBA_DISABLE_JIT", "0") == "1"


@contextmanager
def _explained() -> Iterator[None]:
    """A block that raises a RuleError of a few lines in place of Numba's, which say most about Numba."""
    from numba.core.errors import NumbaError

    try:
        yield
        return
    except NumbaError as error:
        text = str(error)
    why = next(line for line in text.splitlines() if not line.startswith("Failed in nopython mode"))
    calls = re.findall(r"<function (\w+)_[0-9a-f]{16} at", text)
    places = [":".join(place) for place in re.findall(r"at (\S+\.py) \((\d+)\)", text)]
    own = [place for place in places if "/numba/" not in place and "/polytrix/core/" not in place]
    raise RuleError(
        f"{', called by '.join(calls[:3]) or 'a driver'} does not compile: {why[:200]}. See "
        f"{', '.join(own[:3] or places[:1])}. Rules use integers, loops and other rules, and "
        "`draw(s.generator, n)`; no lists, dicts, strings or exceptions (core/rules.py)"
    ) from None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A block after which handlers of signals are called, so that Ctrl-C stops nothing halfway.

    An exception at any moment would leave Numba and LLVM with locks that nobody gives back, for which other
    threads wait for ever, and with half of what they had set up.
    """
    if current_thread() is not main_thread():  # handlers are called there
        yield
        return
    handlers = {int(each): call for each in signal.valid_signals() if callable(call := signal.getsignal(each))}
    came: dict[int, Any] = {}

    def note(number: int, frame: Any) -> None:
        came[number] = frame

    def call_handlers() -> None:
        for number, frame in came.items():
            handlers[number](number, frame)

    with ExitStack() as afterwards:
        afterwards.callback(call_handlers)
        for number, handler in handlers.items():
            afterwards.callback(signal.signal, number, handler)
            signal.signal(number, note)
        yield


@contextmanager
def _uncollected() -> Iterator[None]:
    """A block with a look for garbage only afterwards: a sixth of the time would go into looking."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def direct_call(compiled: Function) -> Function:
    """A program's machine code without the dispatch on argument types, which costs microseconds.

    Call it only with arguments of exactly the types that the program was called with before.
    """
    overloads = getattr(compiled, "overloads", None)
    if overloads is None:
        return compiled
    while not overloads:  # another thread has made the call possible, and will note the entry at once
        sleep(0.001)
    (made,) = overloads.values()
    return made.entry_point  # type: ignore[no-any-return]


def _widened(dispatcher: Any) -> Any:
    """Make calls from compiled code pass all integers as int64.

    Numba would recompile a function for every integer width and every literal argument. One
    version is enough: the optimiser still sees the constants when it inlines a call.
    """
    from numba import types
    from numba.core.errors import TypingError

    def wide(argument: Any) -> Any:
        argument = types.unliteral(argument)
        return types.int64 if isinstance(argument, types.Integer) and argument.bitwidth < 64 else argument

    resolve = dispatcher.get_call_template

    def resolve_wide(args: Any, kws: Any) -> Any:
        try:
            return resolve(tuple(map(wide, args)), kws)
        except KeyError as missing:  # Numba does not say where
            raise TypingError(f"a record has no field {missing}") from None

    dispatcher.get_call_template = resolve_wide
    return dispatcher


def _copy(
    function: FunctionType | Function,
    replacements: Mapping[Function, Function],
    done: dict[Function, Any],
    finish: Callable[[FunctionType, Function], Any],
) -> Any:
    """`finish(copy, function)` for a copy in which all called Python functions are finished copies too."""
    function = replacements.get(function, function)
    if function in done:
        if done[function] is None:
            raise RuleError(f"{function.__qualname__} calls itself; rules must not recurse")
        return done[function]
    if not isinstance(function, FunctionType):
        raise RuleError(f"{function!r} is not a plain Python function")
    if function.__closure__:
        raise RuleError(f"{function.__qualname__} is a closure; rules must be module-level functions")
    done[function] = None
    names = dict(function.__globals__)
    for name, value in used_globals(function).items():
        if hasattr(value, "py_func"):
            raise RuleError(f"{name} is compiled already; rules call plain Python functions")
        if isinstance(value, FunctionType):
            names[name] = _copy(value, replacements, done, finish)
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    copy.__qualname__ = function.__qualname__
    done[function] = finish(copy, function)
    return done[function]


def used_globals(function: FunctionType) -> dict[str, Any]:
    """The globals that the function's code reads, by name, in sorted order."""
    return {
        name: function.__globals__[name]
        for name in sorted(_names(function.__code__))
        if name in function.__globals__
    }


@cache
def _names(code: CodeType) -> frozenset[str]:
    """The names that code reads as globals; `co_names` would include attributes."""
    reads = ("LOAD_GLOBAL", "LOAD_NAME")
    own = frozenset(step.argval for step in get_instructions(code) if step.opname in reads)
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return own.union(*inner)


def fingerprint(driver: Function, replacements: Mapping[Function, Function], extra: str = "") -> str:
    """Hash of everything that a program made from `driver` depends on (64 hex digits)."""
    return fingerprints(driver, replacements, extra)[driver]


def fingerprints(
    driver: Function, replacements: Mapping[Function, Function], extra: str = ""
) -> dict[Function, str]:
    """The fingerprints of `driver` and each function that it calls, directly or not."""
    marks: dict[Function, str] = {}

    def mark(function: FunctionType) -> str:
        if function not in marks:
            marks[function] = "itself"  # stands for recursive calls; `_copy` refuses them
            digest = hashlib.sha256()
            feed(digest, "how", f"{sys.version_info[:2]} {extra}")
            feed(digest, "function", f"{function.__module__}.{function.__qualname__}")
            add(digest, function.__code__)
            add(digest, function.__defaults__)
            for name, used in used_globals(function).items():
                feed(digest, "global", name)
                add(digest, used)
            marks[function] = digest.hexdigest()
        return marks[function]

    def feed(digest: Any, kind: str, content: str | bytes) -> None:
        data = content if isinstance(content, bytes) else content.encode()
        digest.update(f"{kind} {len(data)} ".encode())  # lengths separate neighbours
        digest.update(data)

    def add(digest: Any, value: Any) -> None:
        if isinstance(value, FunctionType):
            value = replacements.get(value, value)
        if hasattr(value, "py_func"):  # compiled, see `cached_njit`
            feed(digest, "flags", repr(sorted(value.targetoptions.items())))
            value = value.py_func
        if isinstance(value, FunctionType):
            feed(digest, "call", mark(value))
        elif isinstance(value, CodeType):
            feed(digest, "code", value.co_code)
            feed(digest, "names", repr((value.co_names, value.co_varnames)))
            add(digest, value.co_consts)
        elif isinstance(value, np.ndarray):
            feed(digest, "array", f"{value.dtype!r} {value.shape}")
            feed(digest, "content", np.ascontiguousarray(value).tobytes())
        elif isinstance(value, ModuleType):
            _refuse_own_module(value)
            feed(digest, "module", value.__name__)
        elif isinstance(value, tuple):
            feed(digest, "tuple", str(len(value)))
            for item in value:
                add(digest, item)
        elif isinstance(value, EnumMeta):
            feed(digest, "enum", repr([(name, value[name].value) for name in value.__members__]))
        elif isinstance(value, ConstantsType):
            feed(digest, "constants", repr(value.members()))
        elif isinstance(value, (type, BuiltinFunctionType)) or callable(value):
            module = getattr(value, "__module__", "")  # the ufuncs of NumPy 2.0 have none
            feed(digest, "name", f"{module}.{getattr(value, '__qualname__', value)}")
        else:  # numbers, text, dtypes
            feed(digest, type(value).__name__, repr(value))

    mark(driver)  # type: ignore[arg-type]
    return marks


def _refuse_own_module(module: ModuleType) -> None:
    """Refuse functions and tables reached through a module (`board.SIZE`): copies and fingerprint miss them."""
    if module.__name__.split(".")[0] not in {"numpy", "math"}:
        raise RuleError(f"a rule uses the module {module.__name__!r}: import the names it needs instead")
