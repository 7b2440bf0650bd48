"""`core.transition` as machine code that XLA calls on the CPU, by its typed foreign function interface.

XLA passes one pointer, to an `XLA_FFI_CallFrame` (xla/ffi/api/c_api.h). A function that Numba compiles reads
it, so no compiler for C++ is needed; it runs no Python and holds no lock of Python's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import numpy as np
from numba import carray, cfunc, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from polytrix.core.compile.programs import programs
from polytrix.core.drivers import BEGIN, Outputs
from polytrix.core.game import Game
from polytrix.core.rows import LEAST, new_row, step_rows
from polytrix.core.snapshot import record_mark
from polytrix.core.transition import row_dtype

ARGUMENTS, RESULTS, EXTENSION = 9, 14, 1
"""Words of a call frame: its arrays of arguments and of results, and its first extension."""
DATA, RANK, SHAPE = 3, 4, 5
"""Words of the description of an array."""
METADATA, VERSION, TRAITS = 3, 3, 4
"""Words of the extension with which XLA asks for the version, before it calls, and of what it points to."""
VERSION_0_3 = 3 << 32
"""Of the interface: the major number in the lower 32 bits, the minor one above."""


def _pointer(kind: Any) -> Any:
    """A function that makes a pointer of this kind of an address."""

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(types.intp), code

    return at


_words_at, _memory_at = _pointer(types.CPointer(types.intp)), _pointer(types.voidptr)


def _call_of(compiled: Any) -> Any:
    """A function that calls a compiled program, without being compiled together with it: it takes a tuple."""
    (made,) = compiled.overloads.values()
    address = made.library.get_pointer_to_function(made.fndesc.mangled_name)
    result, kinds = made.signature.return_type, made.signature.args

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, arguments: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = context.call_conv.get_function_type(result, kinds)
            function = builder.inttoptr(context.get_constant(types.intp, address), kind.as_pointer())
            each = cgutils.unpack_tuple(builder, values[0], len(kinds))
            cast = [context.cast(builder, *pair) for pair in zip(each, arguments.types, kinds, strict=True)]
            context.call_conv.call_function(builder, function, result, kinds, cast)
            return context.get_dummy_value()

        return types.none(arguments), code

    return call


def _player_of(game: Game) -> Callable[[int, int, int], None]:
    """A function that plays rows of a call, given the address of its frame, the first row and their number."""
    record, state, seats = row_dtype(game), game.state, game.max_players
    size = record.itemsize
    observations, actions, legal = game.observations.size, game.actions.size, game.max_legal
    blank = new_row(game, game.options.validate({}))
    step_rows(game, blank.view(np.uint8), np.full(1, BEGIN, np.int32))  # compiles it
    call = _call_of(programs(game).transition)

    @njit  # type: ignore[untyped-decorator]
    def memory(array: int, row: int, bytes_of_row: int) -> Any:
        return _memory_at(_words_at(array)[DATA] + row * bytes_of_row)

    @njit  # type: ignore[untyped-decorator]
    def play(frame: int, first: int, rows: int) -> None:
        given, made = _words_at(_words_at(frame)[ARGUMENTS]), _words_at(_words_at(frame)[RESULTS])
        before = carray(memory(given[0], first, size), (rows,), record)
        chosen = carray(memory(given[1], first, 4), (rows,), np.int32)
        after = carray(memory(made[0], first, size), (rows,), record)
        out = Outputs(
            carray(memory(made[1], first, observations), (rows, observations), np.int8),
            carray(memory(made[2], first, actions), (rows, actions), np.int8),
            carray(memory(made[3], first, 2 * legal), (rows, legal), np.int16),
            carray(memory(made[4], first, 4), (rows,), np.int32),
            carray(memory(made[5], first, 1), (rows,), np.int8),
            carray(memory(made[6], first, 4 * seats), (rows, seats), np.float32),
        )
        terminated = carray(memory(made[7], first, 1), (rows,), np.int8)
        truncated = carray(memory(made[8], first, 1), (rows,), np.int8)
        call(
            (before, chosen, after, out, terminated, truncated, np.zeros(2, state), np.zeros(legal, np.float32))
        )

    return play  # type: ignore[no-any-return]


def _shared_player_of(game: Game, num_threads: int) -> tuple[Callable[[int, int], None], Any]:
    """A function that plays all rows of a call, given its frame and their number; and what it needs to live."""
    play = _player_of(game)
    if num_threads == 1 or sys.platform == "win32":  # which has no POSIX threads
        return njit(lambda frame, rows: play(frame, 0, rows)), None

    @cfunc(types.intp(types.intp))  # type: ignore[untyped-decorator]
    def run(task: int) -> int:
        words = _words_at(task)
        play(words[0], words[1], words[2])
        return 0

    word, run_address = types.intp, run.address
    create = types.ExternalFunction("pthread_create", types.int32(word, word, word, word))
    join = types.ExternalFunction("pthread_join", types.int32(word, word))

    @njit  # type: ignore[untyped-decorator]
    def play_shares(frame: int, rows: int) -> None:
        helpers = min(num_threads, max(1, rows // LEAST)) - 1
        share = rows // (helpers + 1)
        tasks, threads = np.zeros((helpers, 3), np.intp), np.zeros(helpers, np.intp)
        for i in range(helpers):
            tasks[i, 0], tasks[i, 1], tasks[i, 2] = frame, i * share, share
            if create(threads[i:].ctypes.data, 0, run_address, tasks[i].ctypes.data) != 0:
                tasks[i, 0] = 0  # there are too many threads on this machine
                play(frame, i * share, share)
        play(frame, helpers * share, rows - helpers * share)
        for i in range(helpers):
            if tasks[i, 0] != 0:
                join(threads[i], 0)

    return play_shares, run


@cache
def register(game: Game, num_threads: int) -> tuple[str, Any]:
    """The name under which XLA finds the game's machine code; and what must live as long as XLA may call it.

    A call starts `num_threads - 1` threads, which play their shares of the rows.
    """
    play, run = _shared_player_of(game, num_threads)

    @cfunc(types.intp(types.intp))  # type: ignore[untyped-decorator]
    def handle(frame: int) -> int:
        extension = _words_at(frame)[EXTENSION]
        if extension != 0:
            metadata = _words_at(_words_at(extension)[METADATA])
            metadata[VERSION], metadata[TRAITS] = VERSION_0_3, 0
            return 0
        array = _words_at(_words_at(_words_at(frame)[ARGUMENTS])[0])
        rows = 1
        for axis in range(array[RANK] - 1):  # the last one is a row; `vmap` adds others
            rows *= _words_at(array[SHAPE])[axis]
        play(frame, rows)
        return 0

    name = f"{game.id} {record_mark(game)} {game.data_marks} {num_threads}"
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(handle.ctypes), platform="cpu")
    return name, (handle, run)
