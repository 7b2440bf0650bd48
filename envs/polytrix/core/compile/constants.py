"""Teaches Numba `core.constants`: a member of such a class is a compile-time integer."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import lower_getattr_generic, register_model, typeof_impl

from ..constants import ConstantsType


class ConstantsGroup(types.Dummy):
    """The Numba type of one class of constants."""

    def __init__(self, group: ConstantsType) -> None:
        self.group = group
        super().__init__(name=f"Constants({group.__module__}.{group.__qualname__}, {group.members()})")


register_model(ConstantsGroup)(models.OpaqueModel)


@typeof_impl.register(ConstantsType)  # type: ignore[untyped-decorator]
def _typeof(group: ConstantsType, context: Any) -> ConstantsGroup:
    return ConstantsGroup(group)


@lower_constant(ConstantsGroup)  # type: ignore[untyped-decorator]
def _nothing(context: Any, builder: Any, group: ConstantsGroup, value: Any) -> Any:
    return context.get_dummy_value()


@infer_getattr
class _Members(AttributeTemplate):  # type: ignore[misc]
    key = ConstantsGroup

    def generic_resolve(self, group: ConstantsGroup, name: str) -> Any:
        value = group.group.members().get(name)
        return None if value is None else types.IntegerLiteral(value)


@lower_getattr_generic(ConstantsGroup)  # type: ignore[untyped-decorator]
def _value(context: Any, builder: Any, group: ConstantsGroup, _: Any, name: str) -> Any:
    value = group.group.members()[name]
    return context.get_constant(types.intp, value)
