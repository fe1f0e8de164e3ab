"""The readers of `readers.py` that take more than one call.

They put a file with the text where the program looks for it, and then use the program.
"""

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

import g2c.agent as agent
import g2c.loop as loop
import g2c.memory as memory
from g2c.course.writeup import check_entries, first_strange_line, read_entries
from g2c.inference import InferenceResult, ScriptedBackend
from g2c.inference.model_choice import read_choice
from g2c.inference.recording import RecordingBackend, ReplayBackend
from g2c.loop.app.evolution import parse_edits
from g2c.loop.app.lifecycle import close_loop
from g2c.loop.app.recovery import read_history
from g2c.loop.core.identity import Versions
from g2c.loop.core.state import render_state
from g2c.tools import (
    ToolCall,
    ToolRegistry,
    dispatch_tool_call,
    make_calculator,
    make_list_files,
    make_read_file,
)
from g2c.tools.write_file import make_write_file
from maintain.crash.samples import NOON, STATE


def as_bytes(text: str) -> bytes:
    """The bytes of a file. Half a surrogate pair becomes a byte that is not UTF-8 if it can, and
    is encoded as itself otherwise."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def in_file(read: Callable[[Path], object], name: str = "file") -> Callable[[str], object]:
    """Apply `read` to a file that contains the text, in its own folder."""

    def read_text(text: str) -> object:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(as_bytes(text))
            return read(file)

    return read_text


def run() -> Any:
    """A recorded run, as its file stores it."""
    action = agent.Action("calculator", {"expression": "1 + 1"})
    call = InferenceResult("p", "Thought: I add.", 3, 4, 1.5, "scripted")
    step = agent.AgentStep("c", "I add.", action, agent.Observation("2"), None, None, call)
    plan = agent.Plan("Add.", ("Add 1 and 1.",))
    return asdict(
        agent.AgentRunResult("What is 1 + 1?", plan, "2", (step,), "final_answer", {"n_steps": 1})
    )


def recording() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.jsonl")
        RecordingBackend(ScriptedBackend(["4"]), file).complete("2 + 2 =")
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def replay(file: Path) -> object:
    model = ReplayBackend(file)
    return model.info, model.supports_json, model.complete("2 + 2 =")


def tool_calls(text: str) -> object:
    """Call each tool with the text as its arguments."""
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        arguments = {"path": text, "expression": text, "text": text}
    with tempfile.TemporaryDirectory() as folder:
        root, outside = Path(folder, "root"), Path(folder, "outside")
        root.mkdir()
        outside.write_text("secret")
        (root / "note.txt").write_text("Buy milk.")
        tools = ToolRegistry(
            [make_calculator(), make_read_file(root), make_list_files(root), make_write_file(root)]
        )
        for name in (*tools.names(), text):
            result = dispatch_tool_call(tools, ToolCall(name, arguments))
            if "secret" in result.output:
                raise RuntimeError("a tool read outside its folder")
        if sorted(file.name for file in Path(folder).iterdir()) != ["outside", "root"]:
            raise RuntimeError("a tool wrote outside its folder")
        return outside.read_text() == "secret"


def native_reply(text: str) -> object:
    tools = ToolRegistry([make_calculator()])
    model = ScriptedBackend(chats=[text, "It is 2."])
    return agent.NativeAgent(model, tools, plan=False).run("What is 1 + 1?")


def _store(file: Path) -> memory.MemoryStore:
    """The store of the file; its root is the folder above."""
    return memory.MemoryStore(file.parent.parent, now=lambda: NOON)


def topic(file: Path) -> object:
    store = _store(file)
    topic = store.topics.read(file.stem)
    store.topics.write(memory.TopicDraft(topic.name, topic.description, "", topic.body), NOON)
    return store.recall("how do people log in"), store.topics.list(), store.context()


def transcript(file: Path) -> object:
    store = _store(file)
    store.log_turn("user", "It is late.")
    if store.transcripts.tail(1)[0].content != "It is late.":
        raise RuntimeError("a turn that was just written is not the last")
    store.maybe_dream(ScriptedBackend(["no plan"]), force=True)
    hits = list(store.grep("late", days_back=9_999))
    return hits, store.recall("Where did you go?", transcripts=True)


def index(file: Path) -> object:
    index = memory.MemoryIndex(file)
    index.upsert("topics/new.md", "what is new")
    index.remove("topics/auth.md")
    if index.lookup("new") is None:
        raise RuntimeError("a pointer that was just written is not there")
    return index.render()


def lock(file: Path) -> object:
    lock = memory.DreamLock(file, now=lambda: NOON)
    lock.acquire()
    return lock.holder()


def slug(name: str) -> object:
    slug = memory.slugify(name)
    if memory.slugify(slug) != slug or not slug or set(slug) & set("/\\. \0"):
        raise RuntimeError(f"{slug!r} is not a name of a file")
    return slug


def pattern(pattern: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        log = memory.TranscriptLog(folder)
        log.append(memory.Turn(NOON, "a", "user", "Where did you go? Ich war am Hafen."))
        return list(log.grep(pattern, ignore_case=True, today=date(2026, 4, 21)))


def heal(file: Path) -> object:
    """Run a healer on a loop that has this file, and is healthy otherwise."""
    state = file.parent / "state.md"
    if not state.exists():
        state.write_text(render_state(STATE), encoding="utf-8")
    return loop.heal(file.parent, NOON), read_history(file.parent)


def versions(file: Path) -> object:
    loop.ensure_config(file.parent)
    return loop.history(file.parent), Versions(file.parent).numbers()


def choice(file: Path) -> object:
    """The model that the file `.g2c/prodlm.json` chooses."""
    with patch.dict(os.environ, {"G2C_ROOT": str(file.parent.parent)}):
        os.environ.pop("G2C_BACKEND", None)
        return read_choice()


def end(file: Path) -> object:
    """Read an ended loop with this note about what followed its end."""
    files, told = loop.LoopFiles(file.parent), list[str]()
    state = replace(STATE, status="done")
    store = memory.MemoryStore(file.parent / "memory")
    close_loop(files, state, store=store, backend=None, now=NOON, tell=told.append)
    return told


def catalogue(text: str) -> object:
    entries = read_entries(text)
    strange = [first_strange_line(entry.quoted, text) for entry in entries]
    return check_entries(entries, lambda name: text), strange


def evolved(text: str) -> object:
    """The edits that a model proposes, as the loop reads them."""
    edits = parse_edits(text)
    before = {"persona.md": "I write short sentences.\n"}
    return loop.check_invariants(before, {**before, **edits.texts})
