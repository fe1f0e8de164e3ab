"""The kinds of tasks that a suite file may have: the fields of each, and the task made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from g2c.inference.structured.json_forms import find_fault, text_schema
from g2c.json_files import record_from
from g2c.suite.families.sessions import CHAT, MEMORY
from g2c.suite.tasks import (
    CallTask,
    CheckTask,
    ConsolidationTask,
    CritiqueTask,
    HomeTask,
    InstructionTask,
    MessageTask,
    OutsideTask,
    PlanTask,
    RerankTask,
    SuiteTask,
    TickTask,
)
from g2c.suite.tools import make_tools
from g2c.tools import Tool, ToolError

TOOLS = ("calculator", "list_files", "read_file")
"""The course's tools that a task may name."""

_TEXT = text_schema(min_chars=1)
_ANY_TEXT = {"type": "string"}
_VALUE = {"type": ["string", "number"]}
_VERDICT = {"enum": ["APPROVE", "REVISE"]}
_FILES = {"type": "object", "additionalProperties": _ANY_TEXT}
_COMMON = {
    "kind": {},
    "id": _TEXT,
    "family": {"type": "string", "pattern": "^[a-z][a-z0-9_-]{0,39}$"},
    "question": _TEXT,
}


def _list_of(items: Mapping[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


def _exactly(n: int) -> dict[str, Any]:
    return _list_of(_TEXT, n) | {"maxItems": n}


_FUNCTION = {"name": _TEXT, "description": _TEXT, "parameters": {"type": "object"}}
_NAMES = _list_of({"enum": TOOLS})
_MADE = {
    "type": "object",
    "properties": _FUNCTION | {"result": {}},
    "required": [*_FUNCTION, "result"],
    "additionalProperties": False,
}
_CALLS = _list_of(
    {
        "type": "object",
        "properties": {"tool": _TEXT, "arguments": {"type": "object"}},
        "required": ["tool", "arguments"],
    }
)
_ANSWERED = {"files": _FILES, "solution": _CALLS, "wrong": _list_of(_TEXT)}


@dataclass(frozen=True)
class Kind:
    """The class of a kind of task, and the JSON schemas of its own fields."""

    task_type: type[SuiteTask]
    required: Mapping[str, Any]
    optional: Mapping[str, Any]

    @property
    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {**_COMMON, **self.required, **self.optional},
            "required": ["question", *self.required],
            "additionalProperties": False,
        }


_TICK = {"expected": _TEXT, "file": _TEXT}
KINDS: Mapping[str, Kind] = {
    "agent": Kind(
        OutsideTask,
        {"expected": _VALUE, "tools": _list_of({"anyOf": [{"enum": TOOLS}, _MADE]})},
        _ANSWERED,
    ),
    "story": Kind(OutsideTask, {"expected": {"type": "number"}}, {"tools": _NAMES}),
    "call": Kind(
        CallTask,
        {
            "functions": _list_of(
                {
                    "type": "object",
                    "properties": _FUNCTION,
                    "required": [*_FUNCTION],
                    "additionalProperties": False,
                },
                1,
            ),
            "expected": _ANY_TEXT,
        },
        {"arguments": {"type": "object", "additionalProperties": _list_of({}, 1)}},
    ),
    "home": Kind(
        HomeTask,
        {"expected": _ANY_TEXT},
        {
            **_ANSWERED,
            "tools": _list_of({"enum": sorted({*CHAT, *MEMORY})}),
            "earlier": _list_of(_exactly(2)),
            "topics": _list_of(_exactly(3)),
            "said": _list_of(_TEXT),
            "keeps": {"type": "boolean"},
        },
    ),
    "plan": Kind(PlanTask, {"expected": _TEXT, "tools": _NAMES}, {}),
    "critique": Kind(CritiqueTask, {"expected": _VERDICT, "draft": _TEXT}, {}),
    "check": Kind(CheckTask, {"expected": _VERDICT, "draft": _TEXT}, {"files": _FILES}),
    "consolidation": Kind(
        ConsolidationTask,
        {"expected": _TEXT, "question": {"type": "string", "pattern": r"^[^\n]+\n[^\n]+$"}},
        {"topic": _exactly(2), "free": {"type": "boolean"}},
    ),
    "choice": Kind(RerankTask, {"expected": _TEXT, "notes": _list_of(_TEXT, 2)}, {}),
    "tick": Kind(TickTask, _TICK, {"state": _ANY_TEXT}),
    "message": Kind(MessageTask, _TICK | {"message": _TEXT}, {"state": _ANY_TEXT, "answer": _TEXT}),
    "instruction": Kind(
        InstructionTask,
        {"expected": _VALUE},
        {"check": {"enum": ["is", "holds", "written", "lines"]}},
    ),
}


def find_trouble(data: Mapping[str, Any]) -> str:
    """The first fault of a task in a file, whose `kind` is one of `KINDS`; empty if it has none."""
    kind = KINDS[data["kind"]]
    if fault := find_fault(data, kind.schema):
        fields = ", ".join(kind.required)
        return f"{fault}; kind {data['kind']} needs question, {fields}"
    names = [*data.get("files", ()), *([data["file"]] if "file" in data else [])]
    if bad := [name for name in names if not _is_file_name(name)]:
        return f"{bad[0]!r:.60} cannot be a file's name; write notes.txt or folder/notes.txt"
    if data["kind"] == "choice" and data["expected"] not in data["notes"]:
        return "expected is none of the notes; copy it word for word"
    if data.get("keeps") and not data["expected"]:
        return "expected is what the memory must keep; write a word or a number of it"
    if data.get("check") == "lines" and not str(data["expected"]).isdigit():
        return "expected is how many lines there must be; write a number"
    try:
        if data["kind"] == "call":
            return _trouble_with_call(data)
        if issubclass(kind.task_type, OutsideTask):
            named, definitions = _parted(data.get("tools", ()))
            for tool in make_tools(named, Path(), definitions):
                tool.find_problems({})  # compiles its schema
    except ToolError as error:
        return str(error).rstrip(".")
    return ""


def make_task(data: Mapping[str, Any]) -> SuiteTask:
    """The task in `data`, for which `find_trouble` found nothing."""
    kind = KINDS[data["kind"]]
    fields = {name: value for name, value in data.items() if name != "kind"}
    fields |= {"family": data.get("family", data["kind"]), "id": data.get("id", "")}
    fields["expected"] = str(data["expected"])
    if "solution" in fields:
        fields["solution"] = [(call["tool"], call["arguments"]) for call in fields["solution"]]
    if kind.task_type is OutsideTask:
        named, definitions = _parted(data.get("tools", ("calculator",)))
        fields |= {"tools": named, "made": definitions, "any_way": "solution" not in data}
    if kind.task_type is HomeTask:
        fields.setdefault("tools", MEMORY if data.get("topics") or data.get("said") else CHAT)
    task = record_from(fields, kind.task_type)
    assert task, "find_trouble checks the types, too"
    return task


def _trouble_with_call(data: Mapping[str, Any]) -> str:
    functions = {
        function["name"]: Tool(**function, func=lambda **given: "")
        for function in data["functions"]
    }
    if len(functions) < len(data["functions"]):
        return "two functions have one name"
    for function in functions.values():
        function.find_problems({})
    wanted, right = data["expected"], data.get("arguments", {})
    if not wanted:
        return "no function is to be called, so leave arguments out" if right else ""
    if wanted not in functions:
        return f"expected is none of the functions; it is one of {', '.join(functions)}, or empty"
    parameters = functions[wanted].parameters
    if unknown := sorted(right.keys() - parameters.get("properties", {}).keys()):
        return f"{wanted} has no parameter {unknown[0]!r}"
    for name in parameters.get("required", ()):
        if None in right.get(name, (None,)):
            return f"{wanted} requires {name}; list in arguments which values are right"
    for name, values in right.items():
        for value in values:
            fault = find_fault(value, parameters["properties"][name])
            if value is not None and fault:
                return f"{wanted} does not accept a right value of {name}: {fault}"
    return ""


def _parted(tools: Sequence[Any]) -> tuple[tuple[str, ...], tuple[Mapping[str, Any], ...]]:
    """The named tools, and the made-up ones."""
    named = tuple(tool for tool in tools if isinstance(tool, str))
    return named, tuple(tool for tool in tools if not isinstance(tool, str))


def _is_file_name(name: str) -> bool:
    """Whether it is a file in the task's folder, or in a folder there.

    >>> [_is_file_name(name) for name in ("a.txt", "b/a.txt", "../a.txt", "/a.txt", "C:a.txt", "")]
    [True, True, False, False, False, False]
    """
    parts = PurePosixPath(name).parts
    # Windows's separators and drives are refused everywhere.
    return 0 < len(parts) <= 2 and not {"..", "/"} & set(parts) and not set("\\:\0") & set(name)
