"""A small MCP server that misbehaves in the way that its first argument names; nothing but Python.

`hostile_mcp.py WAY [FILE]`; the ways are tried in `test_mcp.py`.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

WAY = sys.argv[1] if __name__ == "__main__" else ""
ANY = {"type": "object", "properties": {}}
LEFT_OUT = object()
OUT_OF_LUCK = {"code": -32603, "message": "out of luck"}
ODD: dict[str, dict[str, Any]] = {
    "nobody": {"id": None, "result": LEFT_OUT, "error": OUT_OF_LUCK},
    "word": {"result": LEFT_OUT, "error": "no luck"},
    "list": {"result": LEFT_OUT, "error": ["no luck"]},
    "no code": {"result": LEFT_OUT, "error": {"message": "out of luck"}},
    "code": {"result": LEFT_OUT, "error": {"code": "E1", "message": {"a": "out of luck"}}},
    "empty": {"result": LEFT_OUT, "error": {}},
    "text": {"result": "gone with"},
    "null": {"result": None},
    "both": {"error": None},
    "true for an id": {"id": True},
    "a list for an id": {"id": [3]},
    "no id": {"id": LEFT_OUT},
    "another id": {"id": 4711},
    "version 1": {"jsonrpc": "1.0"},
    "no version": {"jsonrpc": LEFT_OUT},
}
"""The wrong fields of an answer; `LEFT_OUT` is a missing one."""


def tools() -> list[dict[str, Any]]:
    named = [{"name": "go", "description": "Goes.", "inputSchema": ANY}]
    if WAY == "many":
        named = [{**named[0], "name": f"t{n}", "description": "word " * 1_000} for n in range(500)]
    if WAY == "schemas":
        word = {"type": "string", "pattern": "^(a+)+$"}
        far = {"$ref": "http://127.0.0.1:9/schema.json"}
        loop = {"$ref": "#/$defs/loop"}
        schema = {
            "type": "object",
            "properties": {"word": word, "far": far, "loop": loop},
            "required": ["word"],
            "$defs": {"loop": {"type": "object", "properties": {"a": loop, "b": loop}}},
        }
        wide = {"type": "object", "properties": {f"p{n}": {} for n in range(100)}}
        odd = {"type": "object", "properties": {"a\nb": {}}}
        named = [
            {"name": "odd name\x1b[31m!", "description": "\x1b[2Jred", "inputSchema": schema},
            {"name": "wide", "inputSchema": wide},
            {"name": "newline", "inputSchema": odd},
        ]
    if WAY == "odd tool":
        text = {"type": "object", "properties": {"a": {"type": "string"}}}
        odd: dict[str, Any] = {
            "no schema": {"name": "a"},
            "null": {"name": "a", "inputSchema": None, "description": None, "_meta": []},
            "true": {"name": "a", "inputSchema": True, "title": 5, "icons": [{"src": 5}]},
            "no type": {"name": "a", "inputSchema": {"properties": {"a": {}}}},
            "odd arguments": {"name": "a", "inputSchema": {"properties": {"a": 5}, "required": 5}},
            "other words": {"name": "a", "inputSchema": {}, "outputSchema": "text"},
            "5": {"name": 5},
            "snake": {"name": "a", "input_schema": text},
        }
        named.insert(0, odd[sys.argv[2]])
    return named


def called(token: object) -> dict[str, Any]:
    match WAY:
        case "dies":
            print("out of luck", file=sys.stderr, flush=True)
            os._exit(3)
        case "silent":
            time.sleep(3600)
        case "slow":  # for longer than its client waits in silence
            end, noted = time.monotonic() + 1.5, 0
            while time.monotonic() < end:
                noted += 1
                told = {"progressToken": token, "progress": noted}
                said = {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
                print(json.dumps(said), flush=True)
                time.sleep(0.1)
            return {"content": [{"type": "text", "text": "done at last"}]}
        case "half a note":  # it cannot be read
            told = {"progressToken": token, "progress": "half"}
            said = {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
            print(json.dumps(said), flush=True)
        case "fails":
            return {"content": [{"type": "text", "text": "the disk is on fire"}], "isError": True}
        case "long":
            return {"content": [{"type": "text", "text": "\x1b[2J" + "x" * 100_000}]}
        case "endless":
            while True:
                sys.stdout.write("{" + "x" * 100_000)
        case "result":
            return json.loads(sys.argv[2])  # type: ignore[no-any-return]
        case "mixed":
            image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
            return {"content": [{"type": "text", "text": "a"}, image]}
    return {"content": [{"type": "text", "text": f"gone with {len(os.environ)}"}]}


def main() -> None:
    if WAY == "stubborn":  # it has a child, and neither ends when its input does
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        Path(sys.argv[2]).write_text(f"{os.getpid()} {child.pid}", "utf-8")
    if WAY == "garbage":
        print("Welcome!\n{not json\n[1, 2]\n" + "{" * 10_000, flush=True)
    if WAY == "mute":
        time.sleep(3600)
    before = {"bom": "\ufeff", "spaces": " \t "}.get(WAY, "")
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": asked["id"]}
        match asked["method"]:
            case "initialize":
                answer["result"] = {
                    "protocolVersion": asked["params"]["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "hostile", "version": "1"},
                }
                if WAY == "odd tool":
                    answer["result"] |= {"capabilities": None, "serverInfo": {"name": "odd"}}
            case "tools/list":
                cursor = {"nextCursor": ""} if WAY == "odd tool" else {}
                answer["result"] = {"tools": tools(), **cursor}
            case "tools/call" if WAY == "env":
                text = " ".join(sorted(os.environ))
                answer["result"] = {"content": [{"type": "text", "text": text}]}
            case "tools/call":
                answer["result"] = called(asked["params"].get("_meta", {}).get("progressToken"))
            case _:
                answer["error"] = {"code": -32601, "message": "no such method"}
        if asked["method"] == "tools/call":
            answer |= ODD.get(WAY, {})
            answer = {name: value for name, value in answer.items() if value is not LEFT_OUT}
        if WAY == "float":
            answer["id"] = float(asked["id"])
        if WAY == "digits for an id":
            answer["id"] = str(asked["id"])
        if WAY == "latin-1":
            sys.stdout.buffer.write("caf\xe9 {\n{caf\xe9}\n".encode("latin-1"))
        if WAY == "quoting":
            print(f"[debug] <- {line.strip()}\nDEBUG {line}", flush=True)
        text = json.dumps(answer)
        if asked["method"] == "tools/call":
            text = text.replace(
                '"gone with',
                {"surrogate": '"\\ud83d gone with', "accent": '"caf\xe9 gone with'}.get(
                    WAY, '"gone with'
                ),
            )
            text = text.replace(
                '{"content"',
                {
                    "digits": '{"n": ' + "1" * 5_000 + ', "content"',
                    "deep": '{"n": ' + "[" * 900 + "]" * 900 + ', "content"',
                    "infinite": '{"n": 1e999, "content"',
                    "half": '{"n": ',
                }.get(WAY, '{"content"'),
            )
        if asked["method"] == "tools/call" and WAY in ("lines", "array", "repr", "headers"):
            whole = json.loads(text)
            text = {
                "lines": json.dumps(whole, indent=2),
                "array": json.dumps([whole]),
                "repr": repr(whole),
                "headers": f"Content-Length: {len(text)}\r\n\r\n{text}",
            }[WAY]
        encoding = {"accent": "latin-1", "utf-16": "utf-16", "big": "utf-16-be"}.get(WAY, "utf-8")
        is_call = asked["method"] == "tools/call"
        sys.stdout.buffer.write((before + text + "\n").encode(encoding if is_call else "utf-8"))
        sys.stdout.buffer.flush()
    if WAY == "stubborn":
        time.sleep(3600)


if __name__ == "__main__":
    main()
