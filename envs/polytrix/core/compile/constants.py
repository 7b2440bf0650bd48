"""Constants groups in compiled rules: a member costs the compiler no more than a number.

Before it infers types, Numba's copy of a rule gets the number in the place of `Phase.MOVE`.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.rewrites import Rewrite, register_rewrite

from ..constants import ConstantsType


@register_rewrite("before-inference")
class ReplaceMembers(Rewrite):  # type: ignore[misc]  # Numba is untyped
    """Replace loads of members by their values, and drop the loads of their groups."""

    def match(self, func_ir: Any, block: Any, typemap: Any, calltypes: Any) -> bool:
        """Collect the loads of members in a block."""
        groups = {
            assign.target.name: assign.value.value
            for assign in block.find_insts(ir.Assign)
            if isinstance(assign.value, (ir.Global, ir.FreeVar))
            and isinstance(assign.value.value, ConstantsType)
        }
        self.block = block
        self.groups = groups
        return bool(groups)

    def apply(self) -> Any:
        """The block with numbers instead of members."""
        block = self.block.copy()
        block.clear()
        for statement in self.block.body:
            if isinstance(statement, ir.Assign):
                if statement.target.name in self.groups:
                    continue
                value = statement.value
                if isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in self.groups:
                    number = getattr(self.groups[value.value.name], value.attr)
                    statement = ir.Assign(ir.Const(number, value.loc), statement.target, statement.loc)
            block.append(statement)
        return block
