"""A tiny language model from scratch, and its tokenizer, which learns from the texts of a game.

Most of a prompt is the same each time, and boards and hands repeat their phrases. So lines that most texts have
become one token each, and the rest is byte-pair encoding that may join words of a line (but never lines). A
position takes a quarter of the tokens that words would take, and a quarter of the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from polytrix.llm.transformers import ChatModel

PAD, END = "<pad>", "<end>"

TEMPLATE = """\
{%- for message in messages -%}
{{ ("Your answer:\n" if message["role"] == "assistant" else "") + message["content"] + "\n\n" }}
{%- endfor -%}"""
"""The chat as one text, as `polytrix.llm.models.as_prompt` writes it."""

LINES = r"\n|[^\n]+"
COMMON = 0.3
"""Share of the texts that must have a line, for it to become a token."""
SHORT = 12
"""Characters of a line that is not worth a token."""


def tiny_model(
    prompts: Sequence[str], answers: Sequence[str], *, vocabulary: int, layers: int, width: int, heads: int
) -> ChatModel:
    """A model with random weights, drawn by PyTorch's generator.

    Args:
        prompts: texts of chats, from which the tokenizer learns.
        answers: to them.
        vocabulary: number of tokens, without common lines.
        layers, width, heads: of the transformer.
    """
    tokenizer = tokenizer_of(prompts, answers, vocabulary)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
    )
    return ChatModel(LlamaForCausalLM(config).to(torch.float32).eval(), tokenizer)


def tokenizer_of(prompts: Sequence[str], answers: Sequence[str], vocabulary: int) -> PreTrainedTokenizerFast:
    """A tokenizer that gives back every text exactly."""
    having = Counter(line for text in prompts for line in set(text.split("\n")))
    common = [line for line, count in having.items() if count > COMMON * len(prompts) and len(line) > SHORT]
    rest = ["\n".join(line for line in text.split("\n") if line not in common) for text in prompts]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(LINES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, END],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator([*rest, *answers], trainer)
    tokenizer.add_tokens(sorted(common))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        padding_side="left",
        clean_up_tokenization_spaces=False,
        chat_template=TEMPLATE,
    )
