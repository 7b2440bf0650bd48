"""Compiles a program as one piece: LLVM optimises all its functions together, once.

Numba turns each function into machine code by itself, together with everything that it calls, and does
so again for each of its callers. But Python calls only the driver of a program. So the functions called
by it are only translated to LLVM code; the driver's library takes them all in and is optimised.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba import _dynfunc, types
from numba.core import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.ir_utils import find_const, get_definition, guard
from numba.core.typed_passes import NativeLowering

from .progress import part_done


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of one function. It has no machine code of its own; it is linked into programs."""

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout  # all else happens in the program

    def finalize(self) -> None:
        self._finalized = True


class ProgramLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a driver and of everything that it calls, directly or not."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        done: dict[Any, None] = {}
        _collect(self._linking_libraries, done)
        # LLVM drops a function that nothing linked so far calls: callers come before what they call.
        self._linking_libraries = list(reversed(done))
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Only the driver is called from outside. LLVM inlines a function that is called once, whatever its
        # size, and follows constants and results from caller to callee, if it knows all calls.
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        super()._optimize_final_module()


def _collect(libraries: Iterable[Any], done: dict[Any, None]) -> None:
    """Add all libraries that the given ones need, and then these, to `done`."""
    for library in libraries:
        if library not in done:
            if isinstance(library, PartLibrary):  # others contain what they call
                _collect(library._linking_libraries, done)
            done[library] = None


def _with_unsigned_indices(state: Any) -> dict[Any, Any]:
    """The types of a function's operations, with unsigned indices of arrays.

    For a signed index Numba looks whether it counts from the end. In a program only constants do, which
    stay signed.
    """
    changed = dict(state.calltypes)
    for operation, signature in state.calltypes.items():
        reads = isinstance(operation, ir.Expr) and operation.op == "getitem"
        if reads or isinstance(operation, ir.SetItem):
            array, index, *value = signature.args
            if isinstance(array, types.Array):
                unsigned = _unsigned(index, operation.index, state.func_ir)
                changed[operation] = signature.replace(args=(array, unsigned, *value))
    return changed


def _unsigned(index_type: Any, index: Any, func_ir: Any) -> Any:
    """The unsigned type for an index, or for each variable index in a tuple."""
    if index_type == types.int64:
        return types.int64 if _is_constant(index, func_ir) else types.uint64
    made = guard(get_definition, func_ir, index)
    if isinstance(made, ir.Expr) and made.op == "build_tuple":
        each = (_unsigned(*pair, func_ir) for pair in zip(index_type, made.items, strict=True))
        return types.Tuple.from_types(list(each))
    return index_type


def _is_constant(variable: Any, func_ir: Any) -> bool:
    """Whether a variable is a constant, or computed from constants."""
    if guard(find_const, func_ir, variable) is not None:
        return True
    made = guard(get_definition, func_ir, variable)
    computed = isinstance(made, ir.Expr) and made.op in ("unary", "binop")
    return computed and all(_is_constant(each, func_ir) for each in made.list_vars())


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):  # type: ignore[misc]
    """Translates a function to LLVM code and registers that for its callers."""

    _name = "polytrix_part_lowering"

    disjoint = False
    """Whether the function's arguments never overlap in memory."""

    def run_pass(self, state: Any) -> bool:
        state.flags.noalias = self.disjoint
        state.calltypes = _with_unsigned_indices(state)
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        described = lowered.fndesc
        address = 0  # Numba needs a Python function as the key of the code. Nothing ever calls it.
        key = _dynfunc.make_function(
            described.lookup_module(), described.qualname, "", address, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(key, described, [state.library])
        state["cr"] = lowered._replace(cfunc=key)
        part_done()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class DisjointPartLowering(PartLowering):
    """The same for a function whose arguments never overlap in memory."""

    _name = "polytrix_disjoint_part_lowering"

    disjoint = True


@register_pass(mutates_CFG=True, analysis_only=False)
class ProgramLowering(NativeLowering):  # type: ignore[misc]
    """Translates a driver, and compiles it together with its parts."""

    _name = "polytrix_program_lowering"

    def run_pass(self, state: Any) -> bool:
        state.flags.noalias = True  # for all drivers, see `drivers.py`
        state.calltypes = _with_unsigned_indices(state)
        codegen = state.targetctx.codegen()
        state.library = ProgramLibrary(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        for variable in state.library._final_module.global_variables:
            environment = lookup_environment(variable.name)  # of a part
            if environment is not None:
                codegen.set_env(variable.name, environment)
        return True


class QuickFlags(Flags):  # type: ignore[misc]
    """Numba's flags, compared by what has been set: Numba compares them for each call in a function."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        same: bool = self._values == other._values if isinstance(other, QuickFlags) else super().__eq__(other)
        return same

    def __hash__(self) -> int:
        return FLAGS_HASH


FLAGS_HASH = hash(Flags())
"""Numba's hash of flags depends on their names alone."""


class QuickPasses(PassManager):  # type: ignore[misc]
    """Passes that run without events: Numba describes all arguments in them, with each field of a record."""

    def _runPass(self, index: int, each: Any, state: Any) -> None:  # noqa: N802
        each.analysis = self._analysis
        for run in (each.run_initialization, each.run_pass, each.run_finalizer):
            run(state)


def _with_lowering(lowering: type[NativeLowering]) -> type[Compiler]:
    """Numba's pipeline, but for the pass that translates a function to LLVM code."""

    class Pipeline(Compiler):  # type: ignore[misc]
        def compile_extra(self, function: Any) -> Any:
            self.state.flags = QuickFlags(self.state.flags)
            return super().compile_extra(function)

        def define_pipelines(self) -> list[PassManager]:
            (default,) = super().define_pipelines()
            passes = QuickPasses(default.pipeline_name)
            for each, description in default.passes:
                passes.add_pass(lowering if each is NativeLowering else each, description)
            passes.finalize()
            return [passes]

    return Pipeline


PartCompiler = _with_lowering(PartLowering)
DisjointPartCompiler = _with_lowering(DisjointPartLowering)
ProgramCompiler = _with_lowering(ProgramLowering)
