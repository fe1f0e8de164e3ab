"""Every command of a page, and every example of a command's help, can be typed as it stands."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from g2c.cli.app import app

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted(
    page
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("maintain/**/*.md"))
)
BLOCK = re.compile(r"^ *```(?:sh|bash|console)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
WITHIN = re.compile(r"`((?:g2c|\./prodlm\.sh) [^`]+)`")
PROGRAMS = (
    *("g2c", "./prodlm.sh", "pytest", "python", "python3", "pip", "ruff", "git", "cd", "source"),
    *("export", "uvx", "uv", "ollama", "docker", "curl", "dask", "systemctl", "loginctl", "npm"),
)
"""The words that may begin a block's line, besides a program's path and a variable's value."""
PLACE = re.compile(r"[A-Z][A-Z0-9_]*|\.\.\.|…")
"""A word that stands for what a reader writes there."""


@cache
def root() -> Any:
    return typer.main.get_command(app)


def commands_in(block: str) -> Iterator[str]:
    """The block's commands, without comments; a line that ends with \\ goes on in the next."""
    for line in re.sub(r"\\\n\s*", " ", block).splitlines():
        line = line.strip().removeprefix("$ ")
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            pytest.fail(f"{line!r} cannot be typed: {error}")
        if words:
            yield shlex.join(words)


def trouble_with(line: str) -> str:
    """Why a line cannot be typed; empty if it can."""
    words = shlex.split(line)
    while words and re.match(r"[A-Z_0-9]+=", words[0]):
        words.pop(0)
    if not words:
        return ""
    for separator in ("&&", "||", "|", ";"):
        if separator in words:
            at = words.index(separator)
            first, rest = shlex.join(words[:at]), shlex.join(words[at + 1 :])
            return trouble_with(first) or trouble_with(rest)
    if words[0].startswith("-"):
        return "it begins with an option"
    name = Path(words[0]).name
    if name == "prodlm.sh":
        if len(words) > 1 and words[1] in root().commands:
            return trouble_in_options(words[1:])
        return ""
    if name != "g2c":
        known = name in PROGRAMS or words[0] in PROGRAMS or "/" in words[0]
        two = "g2c" in words[1:] and name not in ("uvx", "pip", "pytest", "cd", "git", "docker")
        return "it holds two commands" if two else "" if known else f"{name} is not a program here"
    return trouble_in_options(words[1:])


def trouble_in_options(words: list[str]) -> str:
    """The first of these words behind `g2c` that the course's command does not know, in words."""
    command, path = root(), "g2c"
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        if path == "g2c review" and words[0] not in command.commands:
            words = ["text", *words]  # as the command has it
        if words[0] not in command.commands:
            return f"{path} has no command {words[0]}"
        path += f" {words[0]}"
        command = command.commands[words.pop(0)]
    takes = {
        name: parameter
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    takes |= {"--help": None, "-h": None, "--version": None}
    arguments = [
        parameter for parameter in command.params if parameter.param_type_name == "argument"
    ]
    given, words = 0, list(words)
    while words:
        word = words.pop(0)
        if word == "--":
            return ""
        name, sign, _ = word.partition("=")
        if not word.startswith("-") or " " in word or re.fullmatch(r"-[\d.]+", word):
            if word in ("g2c", "|", "&"):
                return "it holds two commands"
            given += 1
        elif command.context_settings.get("ignore_unknown_options"):
            return ""  # the rest is another program's
        elif name not in takes and not (word[:2] in takes and not word.startswith("--")):
            return f"{path} has no option {name}"
        elif (option := takes.get(name)) and not sign and not option.is_flag and not option.count:
            if not words:
                return f"{name} of {path} has no value"
            words.pop(0)
    most = (
        sum(argument.nargs for argument in arguments)
        if all(argument.nargs > 0 for argument in arguments)
        else given
    )
    return f"{path} takes {most} arguments, not {given}" if given > most else ""


def examples() -> Iterator[tuple[str, str]]:
    """The examples in the helps of all commands, each with the command's name."""

    def walk(command: Any, path: str) -> Iterator[tuple[str, str]]:
        text = re.sub(r"\n(?!\n)\s*", " ", command.help or "")
        for said in re.findall(r"Example: (.+?)\s*(?=\n|\f|$)", text):
            yield path, said
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, f"{path} {name}")

    yield from walk(root(), "g2c")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_of_a_page_is_one_that_can_be_typed(page: Path) -> None:
    text = page.read_text("utf-8")
    if page.name == "CHANGELOG.md":
        return  # tells of commands that are gone
    for block in BLOCK.findall(text):
        for line in commands_in(block):
            assert not (why := trouble_with(line)), f"{page.name}: {line}: {why}"
    without_blocks = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.DOTALL | re.MULTILINE)
    for said in WITHIN.findall(without_blocks):
        line = " ".join(said.split())
        if "..." in line or "…" in line or "|" in line:
            continue
        try:
            why = trouble_with(line)  # an option may be named without its value
            assert not why or why.endswith("has no value"), f"{page.name}: {line}: {why}"
        except ValueError as error:
            pytest.fail(f"{page.name}: {line}: {error}")


@pytest.mark.parametrize(("command", "said"), list(examples()))
def test_every_example_of_a_help_is_one_that_can_be_typed(command: str, said: str) -> None:
    assert not (why := trouble_with(said)), f"{command}: {said}: {why}"


def test_every_command_has_an_example() -> None:
    have = {command for command, _ in examples()}
    hidden: list[str] = []

    def walk(command: Any, path: str) -> None:
        if command.hidden:
            return
        if path not in have and path != "g2c":
            hidden.append(path)
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, f"{path} {name}")

    walk(root(), "g2c")
    assert not hidden
