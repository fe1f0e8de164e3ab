"""What the small model is taught can be read by the course, and is right."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from training_traces import make_traces, run_generator

from g2c.agent.parser import parse_react_step
from g2c.critic.provided.prompts import critique_from_json
from g2c.memory.assembled.recall import read_choice
from g2c.memory.provided.plan import parse_plan
from g2c.solutions.agent.planner import extract_plan
from g2c.solutions.critic.critique import parse_critique
from maintain.training.kinds import AGENT, KINDS
from maintain.training.kinds.code_drafts import CODE
from maintain.training.kinds.instructions import make_request
from maintain.training.record import END, Completion, segments_of
from maintain.training.scenario import calculate

pytestmark = pytest.mark.long

REACT = (*AGENT, "tick", "messages", "conversation", "home_memory", "recollection")
LONGEST = 1600


def learned(trace: dict[str, Any]) -> list[str]:
    return [text for text, is_learned in trace["segments"] if is_learned]


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    found = [trace for trace in make_traces() if trace["kind"] in kinds]
    assert found, f"there should be traces of the kinds {kinds}"
    return found


def test_every_kind_of_the_table_is_in_the_mixture() -> None:
    counted = Counter(trace["kind"] for trace in make_traces())
    assert counted.keys() == KINDS.keys(), f"of these there is none: {KINDS.keys() - counted}"


@pytest.mark.long
def test_a_seed_decides_every_letter(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("again", 3), ("other", 4)):
        run_generator(60, seed, tmp_path / name)
    one, again, other = ((tmp_path / name).read_bytes() for name in ("one", "again", "other"))
    assert one == again, "the same count and seed should give the same file"
    assert one != other, "another seed should give another file"


def test_a_trace_ends_with_what_the_model_writes_and_is_not_too_long() -> None:
    for trace in make_traces():
        text, is_learned = trace["segments"][-1]
        assert is_learned, f"{trace['kind']}: the last piece is not learned: {text!r}"
        assert text.endswith((END, "</draft>")), f"{trace['kind']} ends with {text[-30:]!r}"
        size = len("".join(text for text, _ in trace["segments"])) / 3.5
        assert size <= LONGEST, f"{trace['kind']}: about {size:.0f} tokens"


def test_no_gap_and_no_mark_of_a_table_is_left() -> None:
    for trace in make_traces():
        for text in (*trace["given"], *learned(trace)):
            left = re.search(r"\{[a-z_]+\}| // | \| ", text)
            assert left is None, f"{trace['kind']} has {left and left[0]!r} in {text!r}"


def test_what_an_agent_learns_to_write_is_a_step_that_the_parser_reads() -> None:
    for trace in of_kind(*REACT):
        for text in learned(trace):
            step = parse_react_step(text.removesuffix(END))
            assert step.parse_error is None, f"{text!r} was read as {step.parse_error}"
            is_last = text.endswith(END)
            assert (step.final_answer is not None) == is_last, f"{text!r} was read as {step}"
            assert is_last or text.endswith("\nObservation:"), f"{text!r} goes on after its call"


def test_the_final_answer_holds_the_value_that_was_asked_for() -> None:
    for trace in of_kind(*REACT):
        answer = parse_react_step(learned(trace)[-1].removesuffix(END)).final_answer
        assert answer and trace["answer"] in answer, f"{trace['answer']!r} is not in {answer!r}"


def test_sums_are_right_and_given_to_the_calculator() -> None:
    for trace in of_kind("arithmetic", "word_problem"):
        call = parse_react_step(learned(trace)[0]).action
        assert call is not None and call.tool == "calculator", f"{trace['question']}: {call}"
        value = calculate(call.arguments["expression"])
        assert value == trace["answer"], f"{trace['question']}: {value}, not {trace['answer']}"


def test_an_answer_stands_in_an_observation_unless_no_tool_was_needed() -> None:
    for trace in of_kind("read_file", "read_compute", "unseen_tool", "recovery"):
        seen = [text for text, is_learned in trace["segments"][1:] if not is_learned]
        assert any(trace["answer"] in text for text in seen), f"{trace['answer']}: {seen}"


def test_a_mistake_of_the_models_own_is_shown_and_not_learned() -> None:
    mistakes = [
        text
        for trace in of_kind("recovery")
        for text, is_learned in trace["segments"][1:]
        if not is_learned and "Action Input:" in text
    ]
    calls = [text for trace in of_kind("recovery") for text in learned(trace)]
    wrong = re.compile(r'"(file|name|filename|file_path)"')
    assert any(wrong.search(text) for text in mistakes), mistakes
    assert not any(wrong.search(text) for text in calls), "a wrong argument is learned"


def test_plans_are_read_whole() -> None:
    for trace in of_kind("plan"):
        (text,) = learned(trace)
        plan = extract_plan("Goal:" + text.removesuffix(END), trace["question"])
        lines = text.removesuffix(END).splitlines()
        assert plan is not None and len(plan.steps) == len(lines) - 1, f"{text!r}: {plan}"
        assert plan.goal == trace["answer"], f"{plan.goal!r} is not {trace['answer']!r}"


def test_critiques_are_read_and_say_what_they_are_to_say() -> None:
    verdicts = Counter()
    for trace in of_kind("critique"):
        text = learned(trace)[0].removesuffix(END)
        critique = critique_from_json(text) if text.startswith("{") else parse_critique(text)
        assert critique.parse_error is None, f"{text!r}: {critique.parse_error}"
        assert critique.recommendation == trace["answer"], f"{text!r}: {trace['answer']}"
        assert bool(critique.issues) != critique.approved, f"issues and verdict differ: {text!r}"
        verdicts[critique.recommendation] += 1
    share = verdicts["APPROVE"] / verdicts.total()
    assert 0.35 < share < 0.65, f"{share:.0%} are approvals, so one word would be right mostly"


def test_consolidation_plans_are_plans_for_the_topics_of_the_prompt() -> None:
    for trace in of_kind("consolidation"):
        prompt = trace["segments"][0][0].rpartition("The example ends here.")[2]
        known = re.findall(r"\(slug: ([^,]+),", prompt)
        plan = parse_plan(learned(trace)[0].removesuffix(END), known)
        assert plan.summary == trace["answer"]


def test_a_choice_among_notes_is_read() -> None:
    for trace in of_kind("rerank"):
        chosen = read_choice(learned(trace)[0].removesuffix(END), len(trace["given"]) - 1)
        assert list(chosen) == [int(trace["answer"]) - 1], f"{chosen}: {trace['answer']}"


def test_a_reply_has_the_words_of_its_request() -> None:
    rng = random.Random(1)
    for request, reply in (make_request(rng) for _ in range(300)):
        if "nothing else" in request or request.startswith(("Type ", "Which number stands")):
            assert reply in request, f"{request!r} is replied to by {reply!r}"


def test_a_native_turn_is_one_line_of_json() -> None:
    for trace in of_kind("native"):
        *calls, answer = (json.loads(text.removesuffix(END)) for text in learned(trace))
        assert all(call.keys() == {"tool", "arguments"} for call in calls), f"{calls}"
        assert trace["answer"] in answer["answer"], f"{trace['answer']}: {answer}"


@pytest.mark.parametrize("make", CODE, ids=lambda make: make.__name__.strip("_"))
def test_a_fault_makes_a_function_wrong_and_without_it_the_function_is_right(make: Any) -> None:
    task, good, faults, check = make(random.Random(1))

    def holds(code: str) -> bool:
        names: dict[str, Any] = {}
        try:
            exec(code, names)
            return bool(eval(check, names))
        except Exception:
            return False

    assert holds(good), f"{check} should hold of the solution of: {task}"
    for old, new, issue in faults:
        assert old in good, f"{old!r} is no part of the solution of: {task}"
        assert not holds(good.replace(old, new, 1)), f"not a fault: {issue}"


def test_a_text_that_the_program_wrote_anew_begins_a_new_text() -> None:
    from g2c.inference.scripted import Call

    calls = [Call("complete", "Q\nThought:"), Call("complete", "Q\nObservation: no.\n\nThought:")]
    pieces = segments_of(calls, [Completion(" hm", learn=False), Completion(" yes")])
    assert pieces == (("Q\nObservation: no.\n\nThought:", False), (" yes", True))


def test_the_scripts_end_is_where_generation_ends() -> None:
    assert Completion(f" I know.\nFinal Answer: 4{END}").script == " I know.\nFinal Answer: 4"
