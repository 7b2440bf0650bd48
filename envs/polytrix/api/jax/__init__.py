"""Games as arrays for JAX: a step is a pure function, for `jit`, `vmap` and `scan`.

env = Env("quatrix", auto_reset=True)
states = jax.vmap(env.init)(jax.random.split(jax.random.key(1), 64))
"""

from polytrix.core.errors import MissingExtraError

try:
    import jax as _jax  # noqa: F401
except ImportError:
    raise MissingExtraError("polytrix.api.jax", "jax") from None

from .env import Env, LearnerEnv, State

__all__ = ["Env", "LearnerEnv", "State", "make"]

make = Env
