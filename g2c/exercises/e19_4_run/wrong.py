"""19.4 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "19.4")

EACH_STEP = "for _ in range(agent.max_steps):"
COMPLETE = "agent.complete(agent.build_prompt(record))"
PARSE = "agent.parse(inference)"
AS_JSON = "_ENCODER.encode(action.arguments)"
SAME = "_is_same(parsed.action, last)"
REPEATS = f"agent.loop_detection and {SAME}"
ADD = "            record.add(inference, parsed)\n"
ADD_ACTED = "            record.add(inference, parsed, agent.act(parsed.action))\n"
FAILED = "record.steps[-1].observation.is_error"
IF_STUCK = "            if agent.halt_on_stuck:\n"
ANSWERED = '            return record.finish("final_answer")\n'
REPEATED = '            return record.finish("duplicate_action")\n'
STUCK = '                return record.finish("no_progress")\n'

wrong(
    "max_steps counts the answer, too, so there are max_steps - 1 steps before it.",
    (EACH_STEP, "for _ in range(agent.max_steps - 1):"),
    caught_by="test_the_run_stops_after_max_steps",
    says="max_steps=3 means three calls to the model",
)
wrong(
    "A step that could not be read was none: it is made again and costs nothing.",
    (EACH_STEP, "while sum(bool(step.action) for step in record.steps) < agent.max_steps:"),
    caught_by="test_unreadable_steps_count_as_steps",
    says="max_steps=4 means four calls to the model, whether or not it writes what can be read",
)
wrong(
    "A step that could not be read holds nothing worth keeping.",
    (ADD + IF_STUCK, IF_STUCK + "    " + ADD),
    caught_by="test_an_unreadable_step_reaches_the_next_prompt",
    says="a step that could not be read was dropped",
)
wrong(
    "The answer is the result of the run, not one of its steps.",
    (ADD + ANSWERED, ANSWERED),
    caught_by="test_every_completion_becomes_a_step",
    says="is every completion added before the run is finished?",
)
wrong(
    "A repetition may be found when the step is kept; carrying it out once more does no harm.",
    (ADD + REPEATED, ADD_ACTED + REPEATED),
    caught_by="test_a_repeated_action_is_not_carried_out_again",
    says="look before you act",
)
wrong(
    "Actions are data, so == compares them.",
    (" and _as_json(action) == _as_json(last)", ""),
    caught_by="test_values_that_only_python_takes_for_equal_are_different",
    says="compare the text that json.dumps makes, not Python's objects",
)
wrong(
    "A model that repeats itself writes the same text again.",
    (AS_JSON, "json.dumps(action.arguments)"),
    caught_by="test_the_order_of_arguments_does_not_hide_a_repetition",
    says="did you compare them as they were written?",
)
wrong(
    "A repetition shows in the arguments.",
    ("action == last and ", "last is not None and "),
    caught_by="test_another_argument_or_another_tool_is_not_a_repetition",
    says="so is the same argument for another tool",
)
wrong(
    "A call that was made before gives what it gave before, so a set of all calls finds loops.",
    ("last = None", "seen = []"),
    (SAME, "any(_is_same(parsed.action, earlier) for earlier in seen)"),
    ("last = parsed.action", "seen.append(parsed.action)"),
    caught_by="test_an_action_may_come_back_later",
    says="only two steps in a row count",
)
wrong(
    "The last action that was carried out is that of the step just before.",
    ("last = parsed.action", "last = parsed.action or last"),
    caught_by="test_a_step_between_makes_it_no_repetition",
    says="the step just before had no action",
)
wrong(
    "If this step's action is the last step's action, it is a repetition.",
    (AS_JSON, "_ENCODER.encode(action and action.arguments)"),
    ("if parsed.action is None:", f"if parsed.action is None and not ({REPEATS}):"),
    caught_by="test_two_steps_without_action_are_not_a_repetition",
    says="None is not an action that comes twice",
)
wrong(
    "Nobody wants the same call twice, so there is nothing to switch.",
    (REPEATS, SAME),
    caught_by="test_without_loop_detection_a_repetition_is_carried_out",
    says="with loop_detection=False a repetition is as good as any action",
)
wrong(
    "What must outlive one turn of the loop belongs on the agent.",
    ("last = None", 'agent.last = getattr(agent, "last", None)'),
    (SAME, "_is_same(parsed.action, agent.last)"),
    ("last = parsed.action", "agent.last = parsed.action"),
    caught_by="test_an_agent_can_be_used_again",
    says="something of a run was kept on the agent",
)
wrong(
    "An agent does one run at a time, so agent.record is that run's.",
    ("record = agent.start", "agent.record = agent.start"),
    (EACH_STEP, f"{EACH_STEP}\n        record = agent.record"),
    ('return record.finish("max_steps")', 'return agent.record.finish("max_steps")'),
    caught_by="test_an_agent_can_run_inside_one_of_its_own_tools",
    says="what belongs to a run must not stand on the agent",
)
wrong(
    "With halt_on_stuck an action that failed ends the run: it brought nothing.",
    (ADD_ACTED, f"{ADD_ACTED}            if agent.halt_on_stuck and {FAILED}:\n{STUCK}"),
    caught_by="test_halt_on_stuck_lets_a_failed_action_pass",
    says="an action that fails is still an action",
)
wrong(
    "If a tool fails, there is nothing left to answer with.",
    (ADD_ACTED, f"{ADD_ACTED}            if {FAILED}:\n{STUCK}"),
    caught_by="test_an_error_of_a_tool_reaches_the_next_prompt",
    says="an error is an observation, not the end",
)
wrong(
    "The loop never raises, so whatever goes wrong in it ends the run without progress.",
    ("        inference =", "        try:\n            inference ="),
    (
        COMPLETE,
        f'{COMPLETE}\n        except Exception:\n            return record.finish("no_progress")',
    ),
    caught_by="test_a_model_that_cannot_be_asked_is_not_hidden",
    says="a model that cannot be asked is the caller's to know",
)
wrong(
    "agent.complete is a wrapper around agent.backend.complete; both do the same.",
    (COMPLETE, "agent.backend.complete(agent.build_prompt(record), **agent.sampling)"),
    caught_by="test_the_model_is_asked_to_stop_before_an_observation",
    says="you seem to have called the backend yourself",
)
wrong(
    "agent.parse is parse_react_step on the completion, so that can be called at once.",
    ("import json", "import json\n\nfrom g2c.agent.parse_react_step import parse_react_step"),
    (PARSE, "parse_react_step(inference.completion)"),
    caught_by="test_your_loop_drives_the_native_channel",
    says="does your loop go around one of them?",
)
wrong(
    "record.finish ends the run, and what it gives is the result.",
    (f"{ANSWERED}        if", f"{ANSWERED.replace('return ', '')}        elif"),
    caught_by="test_an_answer_ends_the_run",
    says="does every way out of it return the result of record.finish?",
)
wrong(
    "The prompt is made from the record, so what is added to the one is in the other.",
    (EACH_STEP, f"prompt = agent.build_prompt(record)\n    {EACH_STEP}"),
    (COMPLETE, "agent.complete(prompt)"),
    caught_by="test_an_action_is_carried_out_and_its_result_is_in_the_next_prompt",
    says="prompt 2 is the same as prompt 1",
)
wrong(
    "A run that has used up its steps stopped by max_steps, whatever the last one was.",
    (
        ANSWERED,
        f"            if len(record.steps) == agent.max_steps:\n                break\n{ANSWERED}",
    ),
    caught_by="test_an_answer_in_the_last_step_counts",
    says="an answer ends the run by final_answer, whichever step it comes in",
)
wrong(
    "An action that failed was not carried out, so it may be tried again.",
    ("last = parsed.action", f"last = None if parsed.action and {FAILED} else parsed.action"),
    caught_by="test_an_action_that_failed_is_repeated_by_the_same_action",
    says="what came of it makes it no other action",
)
wrong(
    "Nobody will read what the last step's action gives, so there is no need to make it.",
    (
        "agent.act(parsed.action)",
        "agent.act(parsed.action) if len(record.steps) + 1 < agent.max_steps else None",
    ),
    caught_by="test_the_last_permitted_action_is_carried_out",
    says="max_steps=2 allows for two whole steps",
)
wrong(
    "A model that writes the same in capitals, or with a space more, repeats itself.",
    ("action == last and ", "last is not None and "),
    (AS_JSON, f"""''.join({AS_JSON}.casefold().replace(r"\\n", "").split())"""),
    caught_by="test_a_letters_case_or_a_space_makes_another_action",
    says="case and spaces count",
)
