"""Checking arguments against a tool's JSON schema, and saying what is wrong with them.

Nearly every tool's schema only names its arguments and their types. Such schemas are checked here;
any other goes to `jsonschema`, which is loaded only then.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from g2c.foreign_json import MAX_DEPTH, is_deeper

FindProblems = Callable[[dict[str, Any]], list[str]]
"""From a call's arguments to what is wrong with them, a phrase each; empty if all is well."""

_ANNOTATIONS = {"$schema", "title", "description", "default", "examples"}


def compile_schema(schema: Mapping[str, Any]) -> FindProblems:
    """Return the function that checks arguments against `schema`, the JSON schema of an object.

    Raises:
        ValueError: `schema` is not a JSON schema; the message says where.

    >>> schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    >>> find_problems = compile_schema(schema)
    >>> find_problems({"n": 3}), find_problems({"n": "three"}), find_problems({})
    ([], ["'n' must be integer, not 'three'"], ["'n' is missing"])
    """
    if is_deeper(schema, MAX_DEPTH):
        raise ValueError(f"it is nested more than {MAX_DEPTH} deep")
    return _check_names_and_types(schema) if _is_plain(schema) else _check_with_jsonschema(schema)


def _is_integer(value: Any) -> bool:
    # JSON has one kind of number: 3.0 is an integer to a schema. Python's True is none.
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


_HAS_TYPE: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def _is_plain(schema: Mapping[str, Any]) -> bool:
    """Whether `schema` says no more than which arguments there are, and the type of each."""
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    return (
        schema.keys() <= _ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}
        and isinstance(schema.get("additionalProperties", True), bool)
        and isinstance(required, list | tuple)
        and all(isinstance(name, str) for name in required)
        and all(
            isinstance(value, Mapping)
            and value.keys() <= _ANNOTATIONS | {"type"}
            and isinstance(value.get("type"), str)
            and value["type"] in _HAS_TYPE
            for value in properties.values()
        )
    )


def _check_names_and_types(schema: Mapping[str, Any]) -> FindProblems:
    types = {name: value["type"] for name, value in schema.get("properties", {}).items()}
    required = tuple(schema.get("required", ()))
    closed = schema.get("additionalProperties") is False

    def find_problems(arguments: dict[str, Any]) -> list[str]:
        problems = []
        for name, value in arguments.items():
            if name not in types:
                if closed:
                    problems.append(f"there is no {name!r:.60}")
            elif not _HAS_TYPE[types[name]](value):
                problems.append(f"{name!r} must be {types[name]}, not {value!r:.60}")
        for name in required:
            if name not in arguments:
                problems.append(f"{name!r} is missing")
        return problems

    return find_problems


def _check_with_jsonschema(schema: Mapping[str, Any]) -> FindProblems:
    from g2c.json_schema import Draft202012Validator, SchemaError, best_match

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"{error.json_path}: {error.message}") from error
    validator = Draft202012Validator(schema)

    def find_problems(arguments: dict[str, Any]) -> list[str]:
        problems = []
        for error in islice(validator.iter_errors(arguments), 3):
            reason = best_match([error])  # of several alternatives, the one that came closest
            path = ".".join(map(str, reason.absolute_path))
            problems.append(f"{path}: {reason.message}"[:200].removeprefix(": "))
        return problems

    return find_problems
