"""Commands whose arguments are sentences, which may begin as an option does: "-3 + 5 = ?"."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


class SentenceCommand(TyperCommand):
    """A command that takes an unknown option with a space in it as an argument."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given = list(args)  # parsing takes them away
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            unknown = getattr(error, "option_name", None)  # of click's NoSuchOption
            sentences = [one for one in given if unknown and one.startswith(unknown) and " " in one]
            if not sentences or "--" in given:
                raise
            given.remove(sentences[0])
            return super().parse_args(ctx, [*given, "--", sentences[0]])
