"""The games as verifiers looks for them: by a package whose name is their id, `polytrix-verifiers`.

All of it is in `polytrix.llm.verifiers`.
"""

from polytrix.llm.verifiers import ChatHarness, GameEnv, GameTaskset

__all__ = ["ChatHarness", "GameEnv", "GameTaskset"]
