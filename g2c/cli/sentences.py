"""Commands whose arguments are sentences, which may begin as an option does: "-3 + 5 = ?"."""

import re
from typing import Any

from g2c.cli.places import CheckedCommand

_SENTENCE = re.compile(r"--?[^\s=]*\s")
"""As in --line="Check your sums.", the value of an option may have spaces."""

_MARK = "\0"
"""Before a sentence while options are looked for; no argument of a process can have it."""


class SentenceCommand(CheckedCommand):
    """A command that takes a word which begins as an option does, and has a space in it, as an
    argument."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = {
            name
            for parameter in self.params
            if not getattr(parameter, "is_flag", False)
            for name in parameter.opts
        }
        takes = {name for name in named if name.startswith("-")}
        given = [
            _MARK + word if _SENTENCE.match(word) and not {before, word[:2]} & takes else word
            for before, word in zip(["", *args], args, strict=False)
        ]
        rest = super().parse_args(ctx, given)
        for name, value in ctx.params.items():
            if isinstance(value, str) and value.startswith(_MARK):  # any other may be an enum's
                ctx.params[name] = value.removeprefix(_MARK)
        return rest
