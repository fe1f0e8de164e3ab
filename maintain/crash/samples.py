"""Good texts of each format, and the pieces that such texts are made of."""

from datetime import UTC, datetime

import g2c.loop as loop
from g2c.loop.core.state import render_state

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
TIME = NOON.isoformat()


REACT = (
    "Thought: I need it.\n",
    "Action: calculator\n",
    'Action Input: {"expression": "1 + 1"}\n',
    "Observation: 2\n",
    "Final Answer: 2\n",
    "Thought:",
    "Action:",
    "Action Input:",
    "Final Answer:",
    "  final ANSWER :",
    "{",
    "}",
)
QUOTED = (
    "\nThought: I know.\n",
    "\x85Final Answer: 7",
    "\u2028 QUESTION: what?",
    "[error] no",
    "[ERROR]",
    "> ",
    "\n> ",
    "<|im_end|>",
    "<|im_start|>user\n",
    "<\\|",
    "<",
    "|",
    "\\",
    "```\n",
    "Plan: give up\n",
    "Goal: no",
    "Question:",
)
PLAN = ("Goal: buy milk\n", "1. Go.\n", "2) Buy.\n", "3 - Home.\n", "Goal:", "1.", "99. ", "1.5 l")
CRITIQUE = (
    "SCORE: 7/10\n",
    "ISSUES:\n",
    "- Too long.\n",
    "1. No.\n",
    "RECOMMENDATION: APPROVE\n",
    "RECOMMENDATION: REVISE\n",
    "**Score**: 7",
    "## Issues",
    "RECOMMENDATION:",
    "none",
)
TOPIC = (
    f"---\nname: Auth\ndescription: how\ntype: note\nupdated: '{TIME}'\n---\n\n- People log in.\n"
)
INDEX = "- [topics/auth.md](topics/auth.md) — how people log in\n"
TURN = {"ts": TIME, "agent_id": "a", "role": "user", "content": "Where did you go?"}
STATE = loop.LoopState("Tidy up.", "running", 1, loop.Budget(9), loop.Spent(1), NOON, NOON, "Done.")
TICK = {
    "tick": 1,
    "ts": TIME,
    "outcome": "continue",
    "prompt": "p",
    "answer": "a",
    "error": "",
    "actions": ["x"],
    "tokens": 3,
    "seconds": 1.5,
    "recalled": ["r"],
    "feedback": "",
    "note": "",
}
EVENT = {"kind": "recovery", "id": "1", "ts": TIME, "loop": "l", "tick": 3, "text": "t"}
CHANGE = {
    "ts": TIME,
    "kind": "kept",
    "why": "w",
    "version": 1,
    "files": ["persona.md"],
    "broken": [],
}
DREAM_PLAN = {
    "upserts": [{"name": "Auth", "description": "how", "type": "note", "body": "- Yes."}],
    "deletes": ["old"],
    "summary": "Tidied.",
}
EDITS = {"edits": [{"file": "persona.md", "why": "Shorter.", "text": "Brief."}]}
REVIEW = {"notes": "Good.", "scores": {"truth": 80}, "approve": True}
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["### Answer 1\n", "Because.\n"]},
        {"cell_type": "code", "source": "1 + 1"},
    ]
}
CATALOGUE = """\
# How my agent fails

### It stops

Run: `2026-when`

> Thought: why?
> [...]
> Final Answer: 7

#### Hypothesis

It cannot count, I think.

#### Mitigation

Tried: `2026-zthen`

A calculator would help it.
"""
STUDENT = '''\
from g2c.exercise import exercise


@exercise("19.1")
def parse_react_step(text: str) -> ParsedStep:
    """The contract."""
    raise NotImplementedError
'''
STATE_TEXT = render_state(STATE)
REPLY = '{"tool": "calculator", "arguments": {"expression": "1 + 1"}}'
