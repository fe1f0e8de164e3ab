"""A person's rules and a model's calls in one form, and the rules that can never apply.

The value of a rule and the argument of a call go through one function: the tool's own `meant`, so
that a path is compared as the tool resolves it, then Unicode's NFC and, for an address, the form of
its host. A rule that can never apply protects nothing, so it is refused, with the form that would.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from g2c.guard.provided.permission import Rule
from g2c.text import ascii_host, fold
from g2c.tools import Tool

ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "calculator": ("expression",),
    "delegate": ("question",),
    "list_files": ("path",),
    "read_file": ("path",),
    "read_page": ("url",),
    "read_topic": ("name",),
    "recall": ("query",),
    "remember": ("name", "text"),
    "web_search": ("query",),
    "write_file": ("path", "text"),
}
"""The arguments of each of the course's own tools."""

_HOST = re.compile(
    r"(?P<scheme>https?)://(?P<user>[^/?#@]*@)?(?P<host>[^/?#:@]*)(?P<port>:\d*)?", re.I
)
_PORTS = {"http": (":80", ":"), "https": (":443", ":")}


def in_one_form(arguments: Mapping[str, Any], tool: Tool) -> Mapping[str, Any]:
    """The arguments of a call of `tool`, or of a rule about it, as they are compared."""
    meant = tool.meant(arguments) if tool.meant else arguments
    return {
        name: _plain(value) if isinstance(value, str) else value for name, value in meant.items()
    }


def rules_for(rules: Sequence[Rule], tool: Tool) -> tuple[Rule, ...]:
    """The rules, with their values in the form of a call of `tool`."""
    return tuple(_rule_for(rule, tool) for rule in rules)


def never_applies(rule: Rule) -> str:
    """Why the rule can apply to no call, whatever the session; "" if it can."""
    says = _in_words(rule)
    if rule.tool not in ARGUMENTS and rule.tool != "*" and "/" not in rule.tool:
        known = ", ".join(ARGUMENTS)
        return f'{says} there is no such tool. There are {known}, "SERVER/*" and "*".'
    takes = ARGUMENTS.get(rule.tool, ())
    if rule.argument and takes and rule.argument not in takes:
        return f"{says} {rule.tool} takes {' and '.join(takes)}."
    if rule.argument == "path" and (takes or rule.tool == "*") and set(rule.value) & set("*\\"):
        return f"{says} name one file, or a folder with / at its end. A value is not a pattern."
    return ""


def misfit(rule: Rule, tool: Tool, name: str) -> str:
    """Why the rule can apply to no call of this session's `tool`, though it is written about it;
    "" if it can, or is about another tool."""
    if not rule.argument or not _is_about(rule, name):
        return ""
    takes = tuple(tool.parameters.get("properties", {}))
    if rule.argument not in takes:
        is_named = rule.tool == name
        return f"{_in_words(rule)} {name} takes {' and '.join(takes)}." if is_named else ""
    if rule.argument != "path" or tool.folder is None:
        return ""
    right = _right_path(rule.value, _path(rule, tool), tool.folder)
    return f'{_in_words(rule)} Write value = "{right}".' if right else ""


def absent(rule: Rule, tool: Tool, name: str) -> str:
    """A sentence that says so if nothing is there now that the rule could be about."""
    if rule.argument != "path" or tool.folder is None or not _is_about(rule, name):
        return ""
    if (tool.folder / _path(rule, tool)).exists():
        return ""
    return f"{_in_words(rule, 'is about nothing now:')} there is no such path in {tool.folder}."


def untaken(rule: Rule, arguments: Collection[str]) -> str:
    """A sentence that says so if the rule is about all tools, and none of them takes its argument.
    `arguments` are those of all tools of the session."""
    if rule.tool != "*" or not rule.argument or rule.argument in arguments:
        return ""
    says = _in_words(rule, "is about nothing now:")
    return f"{says} no tool here takes {rule.argument}, but {', '.join(sorted(arguments))}."


def misfit_server(rule: Rule, names: Sequence[str]) -> str:
    """Why the rule can apply to none of the tools with these full names, though it names their
    server; "" if it can, or is about another server."""
    server, _, own = rule.tool.rpartition("/")
    there = [name.rpartition("/")[2] for name in names if name.rpartition("/")[0] == server]
    if not server or own == "*" or own in there or not there:
        return ""
    return f"{_in_words(rule)} {server} offers {', '.join(sorted(there))}."


def _rule_for(rule: Rule, tool: Tool) -> Rule:
    if not rule.argument:
        return rule
    value = str(in_one_form({rule.argument: rule.value}, tool)[rule.argument])
    is_folder = rule.value.endswith("/") and not value.endswith("/")
    return replace(rule, value=f"{value}/" if is_folder else value)


def _path(rule: Rule, tool: Tool) -> str:
    given = {"path": rule.value}  # as the disk has it, which need not be in NFC
    return str((tool.meant(given) if tool.meant else given)["path"])


def _is_about(rule: Rule, name: str) -> bool:
    return rule.tool in ("*", name, f"{name.rpartition('/')[0]}/*")


def _right_path(written: str, value: str, folder: Path) -> str:
    """The value that would apply in `folder`; "" if the one that was written can."""
    found: Path | None = folder / value
    if found is not None and found.exists():
        if found.is_dir() == written.endswith("/") or found == folder:
            return ""
    else:
        found = _like(folder, value)
    if found is None:
        return ""
    right = found.relative_to(folder).as_posix()
    return f"{right}/" if found.is_dir() else right


def _like(folder: Path, value: str) -> Path | None:
    """What is below `folder` and differs from `value` only in case, or matches it as a pattern. A
    part of stars alone stands for the folder above it."""
    found = folder
    for part in value.replace("\\", "/").strip("/").split("/"):
        if set(part) == {"*"}:
            return found
        wanted = fold(part)
        names = sorted(found.iterdir()) if found.is_dir() else []
        alike = [name for name in names if fnmatchcase(fold(name.name), wanted)]
        if not alike:
            return None
        found = alike[0]
    return found


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    found = _HOST.match(text)
    if not found:
        return text
    scheme, port = found["scheme"].lower(), found["port"] or ""
    port = "" if port in _PORTS[scheme] else port
    host = f"{scheme}://{found['user'] or ''}{ascii_host(found['host'])}{port}"
    return host + (text[found.end() :] or "/")


def _in_words(rule: Rule, what: str = "can never apply:") -> str:
    about = f' with {rule.argument} = "{rule.value}"' if rule.argument else ""
    return f'In agent.toml, the rule {rule.permission} "{rule.tool}"{about} {what}'
