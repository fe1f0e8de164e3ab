"""The functions that read what a model, a file, a server or a student wrote: one table.

Each takes any text. It returns a result, or raises one of its promised errors with a sentence.
"""

import json

from hypothesis.strategies import one_of

import g2c.agent as agent
import g2c.critic as critic
import g2c.loop as loop
import g2c.memory as memory
from g2c.cli.review import read_panel
from g2c.course.answers import read_answers
from g2c.course.check.results import read_events
from g2c.course.manifest import find_exercise
from g2c.course.runs import read_transcript
from g2c.course.stubs import parts_of
from g2c.critic.app.file_critic import read_checks
from g2c.critic.app.panel import read_review
from g2c.critic.core.examples import read_examples
from g2c.critic.core.prompts import critique_from_json
from g2c.critic.core.types import Dimension, Rubric
from g2c.inference import BackendError, InferenceResult
from g2c.inference.model_choice import parse_choice
from g2c.inference.served.ollama import base_url_from
from g2c.inference.structured.constrained import check_json, read_turn
from g2c.inference.structured.json_forms import read_object
from g2c.loop.core.credentials import find_credentials
from g2c.loop.core.identity import read_config
from g2c.loop.core.journal import read_conversation, read_note
from g2c.memory import MemoryStoreError
from g2c.memory.app.recall import read_choice
from g2c.memory.core.dreams import read_state as read_dreams
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.transcripts import turn_of
from g2c.tools import ToolError, make_calculator
from maintain.crash import quotes, samples, uses
from maintain.crash.fuzz import Reader
from maintain.crash.texts import damaged, damaged_json, pieces

RUBRIC = Rubric((Dimension("truth", 1.0),))
PARSER = find_exercise("19.1")

READERS = (
    # What a model wrote.
    Reader("parse_react_step", lambda text: agent.parse_react_step(text), pieces(*samples.REACT)),
    Reader(
        "extract_plan", lambda text: agent.extract_plan(text, "Buy milk."), pieces(*samples.PLAN)
    ),
    Reader(
        "a native reply",
        uses.native_reply,
        one_of(
            pieces(*samples.REACT),
            damaged_json({"name": "calculator", "arguments": {"expression": "1 + 1"}}),
        ),
    ),
    Reader("a quotation", quotes.speaks, pieces(*samples.REACT, *samples.QUOTED)),
    Reader(
        "read_turn",
        lambda text: read_turn(text, "1"),
        one_of(
            damaged(samples.REPLY),
            damaged_json({"answer": "It is noon."}),
            damaged_json(json.loads(samples.REPLY)),
        ),
        (BackendError,),
    ),
    Reader(
        "check_json",
        lambda text: check_json(InferenceResult("", text, 0, 0, 0.0, ""), {"type": "object"}),
        damaged(samples.REPLY),
        (BackendError,),
    ),
    Reader("read_object", read_object, one_of(damaged(samples.REPLY), damaged_json({"a": 1}))),
    Reader(
        "tool calls",
        uses.tool_calls,
        one_of(
            damaged("note.txt", "../outside", "root/../../outside", "1 + 1"),
            damaged_json({"path": "note.txt", "text": "x"}),
            damaged_json({"expression": "1"}),
        ),
    ),
    Reader(
        "calculator",
        make_calculator().func,
        pieces(
            "1",
            "2.5",
            "+",
            "-",
            "*",
            "/",
            "//",
            "%",
            "**",
            "(",
            ")",
            "sqrt(",
            "max(",
            "round(",
            ",",
            "1e308",
            "0",
            "abs",
            "lambda: ",
            "[0]",
            "if",
            "10**",
        ),
        (ToolError,),
    ),
    Reader("parse_critique", lambda text: critic.parse_critique(text), pieces(*samples.CRITIQUE)),
    Reader(
        "critique_from_json",
        critique_from_json,
        damaged_json({"issues": ["Too long."], "score": 4, "recommendation": "REVISE"}),
    ),
    Reader(
        "read_review",
        lambda text: read_review(text, "Ada", RUBRIC),
        damaged_json(samples.REVIEW),
        (ValueError,),
    ),
    Reader(
        "parse_plan",
        lambda text: memory.parse_plan(text, {"old"}),
        damaged_json(samples.DREAM_PLAN),
        (MemoryStoreError,),
    ),
    Reader(
        "read_choice",
        lambda text: read_choice(text, 3),
        damaged_json({"best": [{"reason": "It says so.", "note": 2}]}),
    ),
    Reader("read_examples", read_examples, damaged("Write f(x).\n>>> f([1, 2])\n'a'\n")),
    Reader(
        "read_checks",
        lambda text: read_checks(text, "Write tea to a.txt."),
        damaged_json({"files": [{"file": "a.txt", "says": "tea", "equals": "1 + 1"}]}),
    ),
    Reader(
        "read_panel",
        lambda text: read_panel(text, "panel.toml"),
        damaged('task = "Go."\n[[reviewers]]\nname = "Ada"\n'),
        (ValueError,),
    ),
    Reader("parse_edits", uses.evolved, damaged_json(samples.EDITS), (loop.LoopError,)),
    Reader(
        "find_credentials",
        find_credentials,
        pieces(
            "password is ", "token: ", "sk-", "AKIA", "eyJhbGciOi.", "Bearer ", "://a:b@", "a1" * 20
        ),
    ),
    Reader("slugify", uses.slug, pieces("Auth", "-", ".", "C++", "con", "com1")),
    Reader(
        "a grep pattern",
        uses.pattern,
        pieces(
            "a", "(", ")", "[", "]", "+?", "*", "{2}", "|", "\\", "^", "$", "(?i)", "(?P<a>", "late"
        ),
        (MemoryStoreError,),
    ),
    Reader("extract_terms", extract_terms, pieces("where", "did", "running", "2026-04-21")),
    # What is in a file.
    Reader("turn_of", lambda text: turn_of(uses.as_bytes(text)), damaged_json(samples.TURN)),
    Reader(
        "a transcript",
        uses.in_file(uses.transcript, "transcripts/2026-04-20.jsonl"),
        damaged_json([samples.TURN, samples.TURN, samples.TURN], lines=True),
    ),
    Reader(
        "a topic",
        uses.in_file(uses.topic, "topics/auth.md"),
        damaged(samples.TOPIC),
        (MemoryStoreError,),
    ),
    Reader("an index", uses.in_file(uses.index), damaged(samples.INDEX, "A line of a person's.\n")),
    Reader(
        "a dream's lock",
        uses.in_file(uses.lock, "dream.lock"),
        damaged_json({"pid": 99, "host": "h", "time": samples.TIME, "id": "1"}),
    ),
    Reader(
        "a dream's state",
        uses.in_file(lambda file: memory.dream_health(read_dreams(file), samples.NOON)),
        damaged_json({"last_dream": samples.TIME, "session_count": 3, "last_summary": "Tidied."}),
        (MemoryStoreError,),
    ),
    Reader(
        "a loop's state",
        uses.in_file(lambda file: loop.read_state(file)),
        one_of(damaged(samples.STATE_TEXT), damaged(*samples.STATE_TEXT.splitlines(keepends=True))),
        (loop.LoopError,),
    ),
    Reader(
        "a loop's ticks",
        uses.in_file(uses.heal, "ticks.jsonl"),
        damaged_json([samples.TICK, samples.TICK], lines=True),
    ),
    Reader(
        "a conversation",
        uses.in_file(read_conversation),
        damaged_json([samples.TICK, samples.TICK]),
    ),
    Reader(
        "a healer's note",
        uses.in_file(read_note),
        damaged_json({"id": "1", "ts": samples.TIME, "text": "t"}),
    ),
    Reader(
        "a healer's log",
        uses.in_file(uses.heal, "healer.jsonl"),
        damaged_json(
            [samples.EVENT, {**samples.EVENT, "kind": "recovered"}, samples.EVENT], lines=True
        ),
    ),
    Reader(
        "an evolution's log",
        uses.in_file(uses.versions, "evolution.jsonl"),
        damaged_json([samples.CHANGE, samples.CHANGE], lines=True),
        (loop.LoopError,),
    ),
    Reader(
        "an agent's file",
        uses.in_file(lambda file: read_config(file.parent), "persona.md"),
        damaged("I write short sentences.\n"),
        (loop.LoopError,),
    ),
    Reader(
        "a recorded run", uses.in_file(read_transcript), damaged_json(uses.run()), (ValueError,)
    ),
    Reader(
        "a recording",
        uses.in_file(uses.replay),
        damaged_json(uses.recording(), lines=True),
        (BackendError,),
    ),
    Reader(
        "a chosen model",
        uses.in_file(uses.choice, ".g2c/prodlm.json"),
        damaged_json({"kind": "ollama", "model": "llama3.2:3b"}),
        (BackendError,),
    ),
    Reader(
        "a loop's end",
        uses.in_file(uses.end, "ended.json"),
        damaged_json({"tick": 1, "status": "done", "done": ["memory"]}),
    ),
    # What a person wrote.
    Reader(
        "a model's name",
        parse_choice,
        damaged("auto", "llama3.2:3b", "my.gguf"),
        (ValueError, BackendError),
    ),
    Reader(
        "OLLAMA_HOST",
        base_url_from,
        pieces(
            "http",
            "://",
            ":",
            "[",
            "]",
            "::1",
            "127.0.0.1",
            "/",
            "11434",
            "models.example",
            "@",
            "?",
        ),
    ),
    Reader(
        "a catalogue",
        uses.catalogue,
        damaged(samples.CATALOGUE, *samples.CATALOGUE.splitlines(keepends=True)),
    ),
    Reader(
        "a notebook's answers",
        uses.in_file(read_answers),
        damaged_json(samples.NOTEBOOK),
        (ValueError,),
    ),
    Reader(
        "a student's file",
        lambda text: parts_of(text, PARSER),
        damaged(samples.STUDENT),
        (ValueError,),
    ),
    Reader(
        "a test's events",
        read_events,
        damaged_json(
            [
                {"event": "collected", "tests": ["a::B::c"]},
                {"event": "started", "test": "a::B::c"},
                {"event": "ended", "result": {"test": "a::B::c", "says": ""}},
            ],
            lines=True,
        ),
        (ValueError, TypeError, KeyError, AttributeError, RecursionError),
    ),
)
