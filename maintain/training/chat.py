"""A conversation as the text that the small model reads.

A chat is raw text with marks in it. llama.cpp writes the marks by the template in the model's file.
A trace of a chat must have exactly the same marks, and a test compares them with llama.cpp's.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.inference import Message

END_OF_TURN = "<|im_end|>"
DEFAULT_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def render(messages: Sequence[Message]) -> str:
    """The prompt of a chat: every message, and the opening of the assistant's turn.

    The template adds its own system message to a conversation that has none.

    >>> render([{"role": "system", "content": "Be brief."}])
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>assistant\n'
    """
    if not messages or messages[0]["role"] != "system":
        messages = [{"role": "system", "content": DEFAULT_SYSTEM}, *messages]
    turns = [f"<|im_start|>{m['role']}\n{m['content']}{END_OF_TURN}\n" for m in messages]
    return "".join(turns) + "<|im_start|>assistant\n"
