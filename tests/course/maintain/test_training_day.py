"""The traces of an agent's day: chats, memory, messages, dreams, and critics that look."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from training_traces import make_traces

from g2c.agent.parser import parse_react_step
from maintain.training.kinds.consolidation import FORMS
from maintain.training.kinds.home_memory import topic_of
from maintain.training.record import END

pytestmark = pytest.mark.long


def of_kind(kind: str) -> list[dict[str, Any]]:
    found = [trace for trace in make_traces() if trace["kind"] == kind]
    assert found, f"there should be traces of {kind}"
    return found


def learned(trace: dict[str, Any]) -> list[str]:
    return [text for text, is_learned in trace["segments"] if is_learned]


def prompt_of(trace: dict[str, Any]) -> str:
    return trace["segments"][0][0]


def test_what_a_chat_quotes_of_the_user_was_said_in_it() -> None:
    quoted = 0
    for trace in of_kind("conversation"):
        thought = learned(trace)[0].partition("\n")[0]
        if found := re.search(
            r"Earlier the user said: (.+)|The user (?:first|last) said: (.+)", thought
        ):
            quoted += 1
            assert f"The user said: {found[1] or found[2]}" in prompt_of(trace).replace(
                "A message from the user: ", ""
            ), f"{thought!r} quotes what nobody said"
    assert quoted > 10, "many chats should rest on an earlier turn"


def test_a_chat_never_answers_with_a_worked_example() -> None:
    for trace in of_kind("conversation"):
        examples = re.findall(r"Final Answer: (.+)", prompt_of(trace))
        answer = learned(trace)[-1].partition("Final Answer: ")[2].removesuffix(END)
        assert answer not in examples, f"{trace['question']!r} is answered by an example: {answer}"


def test_half_of_the_chats_need_no_tool_and_some_need_one() -> None:
    calls = Counter("Action:" in learned(trace)[0] for trace in of_kind("conversation"))
    assert 0.1 < calls[True] / calls.total() < 0.6, f"{calls[True]} of {calls.total()} call a tool"


@pytest.mark.parametrize("kind", ["home_memory", "recollection"])
def test_an_answer_was_observed_and_not_knowing_was_not(kind: str) -> None:
    known = 0
    traces = [one for seed in (6, 7) for one in make_traces(seed=seed) if one["kind"] == kind]
    for trace in traces:
        seen = "".join(text for text, is_learned in trace["segments"][1:] if not is_learned)
        answer = learned(trace)[-1].partition("Final Answer: ")[2].removesuffix(END)
        if trace["answer"] == "I do not know":
            assert answer.startswith("I do not know: "), answer
        elif trace["answer"] != "remember":
            assert trace["answer"] in seen, f"{answer!r} was never observed: {seen!r}"
            known += 1
    share = known / len(traces)
    assert 0.2 < share < 0.85, f"{kind}: {share:.0%} have an answer"


def test_what_is_to_be_remembered_is_kept_in_the_users_words() -> None:
    kept = [trace for trace in of_kind("home_memory") if trace["answer"] == "remember"]
    assert kept
    for trace in kept:
        call = parse_react_step(learned(trace)[0]).action
        assert call and call.tool == "remember", call
        said = call.arguments["text"].rstrip(".").lower()
        assert said in trace["question"].lower(), f"{call.arguments} of {trace['question']!r}"


def test_what_somebody_says_of_themselves_is_kept_unasked() -> None:
    kept = [trace for trace in of_kind("home_memory") if trace["answer"] == "remember"]
    unasked = [trace for trace in kept if json.dumps(trace["question"]) in learned(trace)[0]]
    assert len(kept) / 4 < len(unasked) < len(kept), f"{len(unasked)} of {len(kept)} do not ask"


def test_what_a_goal_leaves_to_the_memory_stands_in_the_prompt() -> None:
    known = 0
    for trace in of_kind("tick"):
        for said in re.findall(r"My memory says: (.+?\.) I need", "".join(learned(trace))):
            known += 1
            before = prompt_of(trace).partition("# What you remember from before")[2]
            assert said in before.partition("# Goal")[0], f"{said!r} was not recalled"
    assert known > 3, "a goal should now and then need what the memory has"


def test_a_topic_has_the_name_of_what_it_is_about() -> None:
    assert topic_of("the lamp of Dora") == "Lamp"
    assert topic_of("your uncle") == "Uncle"


def test_a_tick_with_a_message_says_it_in_its_prompt_and_keeps_the_state() -> None:
    told = 0
    for trace in of_kind("messages"):
        told += "\n\nA message from the user:\n" in prompt_of(trace)
        assert any("Action: update_state" in text for text in learned(trace)), learned(trace)
    assert told / len(of_kind("messages")) > 0.7, f"{told} have a message in their prompt"


def test_every_note_of_a_dream_holds_what_was_said_and_no_chatter() -> None:
    notes = 0
    for trace in of_kind("consolidation"):
        prompt = prompt_of(trace).rpartition("The example ends here.")[2]
        plan = json.loads(learned(trace)[0].removesuffix(END))
        for draft in plan["upserts"]:
            for line in draft["body"].splitlines():
                notes += 1
                assert re.match(r"- \d{4}-\d\d-\d\d: ", line), f"a note has its day: {line!r}"
                values = re.findall(r"\b\d+\b|\b[A-Z]\w+", line.partition(": ")[2])[1:]
                for value in values:
                    assert value.lower() in prompt.lower(), f"{value!r} of {line!r} is made up"
    assert notes > 40


def test_every_form_of_a_dreams_fact_says_its_value_in_note_and_saying() -> None:
    for name, _, _, note, said, value in FORMS:
        assert all(f"{{{value}}}" in text for text in (note, *said.split(" // "))), (
            f"{name}: {value}, {note}"
        )


def test_a_critique_says_first_what_the_draft_has() -> None:
    texts = [learned(trace)[0] for trace in of_kind("critique")]
    for text in (one for one in texts if not one.startswith("{")):
        seen, _, verdict = text.partition("SCORE:")
        assert seen.startswith(("The task asks for ", "The draft has the line: ")), text
        if found := re.search(r"must give (.+)\. It gives (.+)\.\n", seen):
            approves = "RECOMMENDATION: APPROVE" in verdict
            assert (found[1] == found[2]) == approves, f"the verdict does not follow: {text}"


def test_a_checked_verdict_follows_from_what_was_read() -> None:
    more = [trace for trace in make_traces(seed=7) if trace["kind"] == "checked_critique"]
    verdicts = Counter(trace["answer"] for trace in (*of_kind("checked_critique"), *more))
    assert 0.3 < verdicts["APPROVE"] / verdicts.total() < 0.7, verdicts
    for trace in of_kind("checked_critique"):
        last = learned(trace)[-1]
        if must := re.search(r"It must say: (.+?)(?:, which is .+)?\. The file says: (.+)", last):
            says_it = must[1] in must[2]
            assert says_it == ("Final Answer: APPROVE" in last), f"it does not follow: {last}"
