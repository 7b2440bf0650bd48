"""A causal language model of Transformers, in this process: it answers chats, and rates answers.

`polytrix arena GAME ... hf:FOLDER` plays with such a model; `training/language_model.py` trains one.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from polytrix.core.errors import MissingExtraError, PolicyError

from .models import HF, Reply
from .prompts import Message
from .rollout import Chat

try:
    import torch
    import transformers
except ImportError:
    raise MissingExtraError("polytrix.llm.transformers", "transformers") from None

LONGEST_ANSWER = 32
"""Tokens after which an answer is cut off."""


class Answer(str):
    """What a model has said. Text alone does not tell which tokens it were: several may spell the same.

    Attributes:
        prompt: the tokens of the chat.
        tokens: of the answer, with the one that ends it.
        log_probability: of these tokens, as they were sampled.
    """

    prompt: list[int]
    tokens: list[int]
    log_probability: float

    def __new__(cls, text: str, prompt: list[int], tokens: list[int], log_probability: float) -> Answer:
        """An answer is its text."""
        said = super().__new__(cls, text)
        said.prompt, said.tokens, said.log_probability = prompt, tokens, log_probability
        return said


class ChatModel:
    """A causal language model and its tokenizer, which has a chat template.

    Args:
        network: the model.
        tokenizer: its tokenizer, with tokens for padding and for the end of an answer.
        name: of the model.
        mark: changes with everything that may change its answers.
        longest_answer: tokens after which an answer is cut off.
    """

    def __init__(
        self,
        network: Any,
        tokenizer: Any,
        name: str = "model",
        mark: str = "",
        longest_answer: int = LONGEST_ANSWER,
    ) -> None:
        self.network, self.tokenizer = network, tokenizer
        self.name, self.mark = name, mark or name
        self.longest_answer = longest_answer
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        self._lock = threading.Lock()  # several threads ask, and the cores are busy with one question

    @classmethod
    def load(cls, folder: str | os.PathLike[str], longest_answer: int = LONGEST_ANSWER) -> ChatModel:
        """A model from its folder, without running code from there.

        Args:
            folder: as `save_pretrained` of Transformers writes it: weights in the format safetensors, and a
                tokenizer with a chat template.
            longest_answer: tokens after which an answer is cut off.

        Raises:
            PolicyError: the folder has no such model, or it is damaged.
        """
        path = Path(folder)
        weights = sorted(path.glob("*.safetensors"))
        if not weights or not (path / "config.json").is_file():
            raise PolicyError(
                f"{path} has no model; expected a folder with config.json, *.safetensors and a tokenizer, as "
                "save_pretrained of Transformers writes it"
            )
        try:
            network = transformers.AutoModelForCausalLM.from_pretrained(
                path, local_files_only=True, trust_remote_code=False, use_safetensors=True
            )
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                path, local_files_only=True, trust_remote_code=False
            )
        except Exception as error:  # each file has a library of its own, with errors of its own
            reason = f"{type(error).__name__}: {error!s:.200}"
            raise PolicyError(f"the model in {path} cannot be read ({reason})") from error
        if tokenizer.chat_template is None or tokenizer.eos_token_id is None:
            raise PolicyError(f"the tokenizer in {path} has no chat template, or no token that ends an answer")
        content = hashlib.sha256()
        for file in weights:
            content.update(file.read_bytes())
        return cls(network.eval(), tokenizer, path.name, f"{HF}{content.hexdigest()[:16]}", longest_answer)

    def save(self, folder: Path) -> None:
        """Write the model to a folder, for `load` and for everything else that reads Transformers' models."""
        self.network.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def __call__(self, messages: Sequence[Message]) -> Reply:
        """The most probable answer to a chat, as the arena asks for it."""
        began = time.monotonic()
        with self._lock:
            (said,) = self.answers([messages])
        return Reply(
            text=str(said),
            cut=said.tokens[-1] not in self.ends,
            prompt_tokens=len(said.prompt),
            completion_tokens=len(said.tokens),
            seconds=time.monotonic() - began,
        )

    @property
    def ends(self) -> set[int]:
        """The tokens that end an answer; some models have several."""
        told = self.network.generation_config.eos_token_id
        return {self.tokenizer.eos_token_id, *(told if isinstance(told, list) else [told])} - {None}

    def tokens_of(self, chats: Sequence[Chat]) -> list[list[int]]:
        """The tokens of chats, up to where an answer begins."""
        texts = [
            self.tokenizer.apply_chat_template(list(chat), tokenize=False, add_generation_prompt=True)
            for chat in chats
        ]
        found: list[list[int]] = self.tokenizer(texts, add_special_tokens=False)["input_ids"]
        return found

    def tokens_of_answers(self, answers: Sequence[str]) -> list[list[int]]:
        """The tokens of answers, with the one that ends an answer."""
        found = self.tokenizer(list(answers), add_special_tokens=False)["input_ids"]
        return [[*tokens, self.tokenizer.eos_token_id] for tokens in found]

    @torch.no_grad()
    def answers(self, chats: Sequence[Chat], temperature: float = 0.0) -> list[Answer]:
        """Answers to chats, all at once: a policy for `rollouts(..., batch=n)`.

        Args:
            chats: any number of them.
            temperature: of sampling; 0: the most probable tokens.
        """
        prompts = self.tokens_of(chats)
        inputs, mask = self._pad(prompts)
        sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
        made = self.network.generate(
            inputs,
            attention_mask=mask,
            max_new_tokens=self.longest_answer,
            pad_token_id=self.tokenizer.pad_token_id,
            eos_token_id=sorted(self.ends),
            return_dict_in_generate=True,
            output_logits=True,
            **(sampling if temperature else {"do_sample": False}),
        )
        said = made.sequences[:, inputs.shape[1] :]
        logits = torch.stack(made.logits, 1).float() / (temperature or 1.0)
        each = logits.log_softmax(-1).gather(2, said.unsqueeze(2)).squeeze(2)
        return [self._answer(*row) for row in zip(prompts, said.tolist(), each.tolist(), strict=True)]

    def _answer(self, prompt: list[int], said: list[int], log_probabilities: list[float]) -> Answer:
        ends = self.ends
        count = next((i for i, token in enumerate(said, 1) if token in ends), len(said))
        text = self.tokenizer.decode(said[:count], skip_special_tokens=True)
        return Answer(text, prompt, said[:count], sum(log_probabilities[:count]))

    def log_probabilities(
        self, prompts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]
    ) -> torch.Tensor:
        """How probable answers to prompts are, (n,), for learning.

        Args:
            prompts: their tokens.
            answers: their tokens, with the one that ends an answer.
        """
        inputs, mask = self._pad([[*prompt, *said] for prompt, said in zip(prompts, answers, strict=True)])
        longest = max(map(len, answers))
        logits = self.network(
            input_ids=inputs,
            attention_mask=mask,
            position_ids=(mask.cumsum(1) - 1).clamp(min=0),
            logits_to_keep=longest + 1,
            use_cache=False,
        ).logits[:, :-1]
        each = logits.float().log_softmax(-1).gather(2, inputs[:, -longest:].unsqueeze(2)).squeeze(2)
        lengths = torch.tensor([len(said) for said in answers])
        own = torch.arange(longest, 0, -1) <= lengths.unsqueeze(1)
        return torch.where(own, each, 0.0).sum(1)

    def _pad(self, rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens as a matrix whose rows all end on the right, and which of them are real."""
        width = max(map(len, rows))
        inputs = torch.full((len(rows), width), self.tokenizer.pad_token_id)
        mask = torch.zeros_like(inputs)
        for number, row in enumerate(rows):
            inputs[number, width - len(row) :] = torch.tensor(row)
            mask[number, width - len(row) :] = 1
        return inputs, mask
