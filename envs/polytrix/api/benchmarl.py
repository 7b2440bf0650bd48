"""Games as tasks of BenchMARL: the seats of a game are one group, whose agents take turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from polytrix.core.errors import MissingExtraError

try:
    import torch
    from benchmarl.environments.common import TaskClass
    from torchrl.data import Composite
    from torchrl.envs import EnvBase, ObservationNorm, Transform
except ImportError:
    raise MissingExtraError("polytrix.api.benchmarl", "benchmarl") from None

from .torchrl import GroupedEnv


class PolytrixTask(TaskClass):  # type: ignore[misc]  # untyped where BenchMARL is not installed
    """The game `name`, in one environment with all games of an experiment.

    Args:
        name: the game's name.
        config: the other arguments of `GroupedEnv`, except `seed` and `dtype`.

    >>> task = PolytrixTask("quatrix", {"max_decisions": 40, "shaping": 1.0})
    >>> task.get_env_fun(8, False, 1, "cpu")()
    GroupedEnv(polytrix/quatrix-v0, num_envs=8)
    """

    def get_env_fun(
        self, num_envs: int, continuous_actions: bool, seed: int | None, device: torch.device
    ) -> Callable[[], EnvBase]:
        def make() -> Any:
            return GroupedEnv(self.name, num_envs, seed=seed, dtype="float32", **self.config).to(device)

        return make

    def get_env_transforms(self, env: EnvBase) -> list[Transform]:
        """Bring observations to a scale at which counts and flags are alike."""
        scale = torch.from_numpy(env.game.observations.scale)
        return [ObservationNorm(0.0, scale, in_keys=[("agents", "observation")], standard_normal=False)]

    def supports_continuous_actions(self) -> bool:
        return False

    def supports_discrete_actions(self) -> bool:
        return True

    def max_steps(self, env: EnvBase) -> int:
        return int(env.simulator.options["max_decisions"])

    def has_render(self, env: EnvBase) -> bool:
        return False

    def group_map(self, env: EnvBase) -> Mapping[str, list[str]]:
        names: Mapping[str, list[str]] = env.group_map
        return names

    def observation_spec(self, env: EnvBase) -> Composite:
        return _only("observation", env)

    def action_mask_spec(self, env: EnvBase) -> Composite:
        return _only("action_mask", env)

    def action_spec(self, env: EnvBase) -> Composite:
        return env.full_action_spec_unbatched

    def state_spec(self, env: EnvBase) -> None:
        return None

    def info_spec(self, env: EnvBase) -> None:
        return None

    @staticmethod
    def env_name() -> str:
        return "polytrix"


def _only(name: str, env: EnvBase) -> Composite:
    """The specification of one of the things that agents see."""
    agents = env.observation_spec_unbatched["agents"]
    return Composite(agents=Composite({name: agents[name].clone()}, shape=agents.shape))
