"""A person's rules and a model's calls in one form, and the rules that can never apply.

The value of a rule and the argument of a call go through one function: the tool's own `meant`, so
that a path is compared as the tool resolves it, then Unicode's NFC and, for an address, the form in
which it is asked for. A rule that can never apply protects nothing, so it is refused, with the form
that would.
"""

import re
import socket
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from ipaddress import ip_address
from pathlib import Path
from posixpath import normpath
from typing import Any
from urllib.parse import SplitResult, quote, unquote, urlsplit

from g2c.guard.core.permission import Rule
from g2c.text import fold
from g2c.tools import Tool
from g2c.visible import ascii_host, visible

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

_ADDRESS = re.compile(r"https?://[^/?#*\\]+(?:[^*\\]|\*(?!$))*", re.IGNORECASE)
"""A value that an address can be in or below. A star at its end would be a pattern."""
_PORTS = {"http": 80, "https": 443}


def in_one_form(arguments: Mapping[str, Any], tool: Tool | None) -> Mapping[str, Any]:
    """The arguments of a call of `tool`, or of a rule about it, as they are compared. A tool of an
    invented world is None; it has no form of its own."""
    meant = tool.meant(arguments) if tool and tool.meant else arguments
    return {
        name: _plain(value) if isinstance(value, str) else value for name, value in meant.items()
    }


def rules_for(rules: Sequence[Rule], tool: Tool | None) -> tuple[Rule, ...]:
    """The rules, with their values in the form of a call of `tool`."""
    return tuple(_rule_for(rule, tool) for rule in rules)


def never_applies(rule: Rule) -> str:
    """Why the rule can apply to no call, whatever the session; "" if it can."""
    says = _in_words(rule)
    if bool(rule.argument) != bool(rule.value):
        return f"{_in_words(rule, 'is not whole:')} argument and value go together."
    if rule.tool not in ARGUMENTS and rule.tool != "*" and "/" not in rule.tool:
        known = ", ".join(ARGUMENTS)
        return f'{says} there is no such tool. There are {known}, "SERVER/*" and "*".'
    takes = ARGUMENTS.get(rule.tool, ())
    if rule.argument and takes and rule.argument not in takes:
        return f"{says} {rule.tool} takes {' and '.join(takes)}."
    if rule.argument == "path" and (takes or rule.tool == "*") and set(rule.value) & set("*\\"):
        return f"{says} name one file, or a folder with / at its end. A value is not a pattern."
    if rule.argument == "url" and (takes or rule.tool == "*") and not _is_address(rule.value):
        right = "https://" + re.sub(r"^\w+:/*|\*\.?|\\", "", rule.value).partition("/")[0] + "/"
        return f'{says} an address is whole, and no pattern. Write value = "{right}".'
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
    with suppress(OSError, ValueError):
        found = (tool.folder / _path(rule, tool)).resolve()
        if found.exists() and found.is_relative_to(tool.folder.resolve()):
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


def absent_server(rule: Rule, names: Sequence[str]) -> str:
    """A sentence that says so if the rule is about a server, and none of these tools' full names is
    of that one."""
    servers = sorted({name.rpartition("/")[0] for name in names})
    server = rule.tool.rpartition("/")[0]
    if not server or not servers or server in servers:
        return ""
    return f"{_in_words(rule, 'is about nothing now:')} the servers are {', '.join(servers)}."


def _rule_for(rule: Rule, tool: Tool | None) -> Rule:
    if not rule.argument:
        return rule
    given = _path(rule, tool) if tool and rule.argument == "path" else rule.value
    value = str(in_one_form({rule.argument: given}, tool)[rule.argument])
    is_folder = rule.value.endswith("/") and not value.endswith("/")
    return replace(rule, value=f"{value}/" if is_folder else value)


def _path(rule: Rule, tool: Tool) -> str:
    """The rule's path as the tool would resolve it. A folder above the tool's is all of that."""
    if tool.folder and rule.value.endswith("/"):
        with suppress(OSError, ValueError):
            if tool.folder.resolve().is_relative_to((tool.folder / rule.value).resolve()):
                return "."
    given = {"path": rule.value}  # as the disk has it, which need not be in NFC
    return str((tool.meant(given) if tool.meant else given)["path"])


def _is_about(rule: Rule, name: str) -> bool:
    return rule.tool in ("*", name, f"{name.rpartition('/')[0]}/*")


def _right_path(written: str, value: str, folder: Path) -> str:
    """The value that would apply in `folder`; "" if the one that was written can."""
    found: Path | None = folder / value
    if found is not None and found.exists():
        if found.is_dir() == written.endswith("/") or not found.is_relative_to(folder):
            return ""
    else:
        found = _like(folder, value)
    if found is None:
        return ""
    right = found.relative_to(folder).as_posix()
    return f"{right}/" if found.is_dir() else right


def _like(folder: Path, value: str) -> Path | None:
    """The entry below `folder` that is like `value` but for case, or matches it as a pattern. A
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
    with suppress(ValueError):
        parts = urlsplit(text.strip().replace("\\", "/"))  # as browsers read it
        if parts.scheme in _PORTS and parts.hostname:
            return _address(parts)
    return text


def _address(parts: SplitResult) -> str:
    """The address without what makes no difference: a password, an escape, a fragment, dots. A page
    by http is mostly the same one by https, or leads there."""
    host = _host(unquote(parts.hostname or ""))
    port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
    whole = unquote(parts.path)
    path = normpath(f"/{whole.lstrip('/')}") + (
        "/" if whole.strip("/") and whole[-1] == "/" else ""
    )
    query = f"?{unquote(parts.query)}" if parts.query else ""
    return f"https://{host}{port}{quote(path)}{query}"


def _host(name: str) -> str:
    """The name as DNS has it, or an IP address in its usual form, which a number is, too."""
    with suppress(ValueError):
        address = ip_address(name)
        return f"[{address.compressed}]" if address.version == 6 else str(address)
    with suppress(OSError):
        return socket.inet_ntoa(socket.inet_aton(name))
    return ascii_host(name).rstrip(".")


def _is_address(value: str) -> bool:
    return bool(_ADDRESS.fullmatch(value.strip()))


def _in_words(rule: Rule, what: str = "can never apply:") -> str:
    about = f' with {rule.argument} = "{rule.value}"' if rule.argument else ""
    return visible(f'In agent.toml, the rule {rule.permission} "{rule.tool}"{about} {what}')
