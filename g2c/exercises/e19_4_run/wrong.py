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
)
wrong(
    "A step that could not be read was none: it is made again and costs nothing.",
    (EACH_STEP, "while sum(bool(step.action) for step in record.steps) < agent.max_steps:"),
)
wrong(
    "A step that could not be read holds nothing worth keeping.",
    (ADD + IF_STUCK, IF_STUCK + "    " + ADD),
)
wrong("The answer is the result of the run, not one of its steps.", (ADD + ANSWERED, ANSWERED))
wrong(
    "A repetition may be found when the step is kept; carrying it out once more does no harm.",
    (ADD + REPEATED, ADD_ACTED + REPEATED),
)
wrong("Actions are data, so == compares them.", (" and _as_json(action) == _as_json(last)", ""))
wrong(
    "A model that repeats itself writes the same text again.",
    (AS_JSON, "json.dumps(action.arguments)"),
)
wrong("A repetition shows in the arguments.", ("action == last and ", "last is not None and "))
wrong(
    "A call that was made before gives what it gave before, so a set of all calls finds loops.",
    ("last = None", "seen = []"),
    (SAME, "any(_is_same(parsed.action, earlier) for earlier in seen)"),
    ("last = parsed.action", "seen.append(parsed.action)"),
)
wrong(
    "The last action that was carried out is that of the step just before.",
    ("last = parsed.action", "last = parsed.action or last"),
)
wrong(
    "If this step's action is the last step's action, it is a repetition.",
    (AS_JSON, "_ENCODER.encode(action and action.arguments)"),
    ("if parsed.action is None:", f"if parsed.action is None and not ({REPEATS}):"),
)
wrong("Nobody wants the same call twice, so there is nothing to switch.", (REPEATS, SAME))
wrong(
    "What must outlive one turn of the loop belongs on the agent.",
    ("last = None", 'agent.last = getattr(agent, "last", None)'),
    (SAME, "_is_same(parsed.action, agent.last)"),
    ("last = parsed.action", "agent.last = parsed.action"),
)
wrong(
    "An agent does one run at a time, so agent.record is that run's.",
    ("record = agent.start", "agent.record = agent.start"),
    (EACH_STEP, f"{EACH_STEP}\n        record = agent.record"),
    ('return record.finish("max_steps")', 'return agent.record.finish("max_steps")'),
)
wrong(
    "With halt_on_stuck an action that failed ends the run: it brought nothing.",
    (ADD_ACTED, f"{ADD_ACTED}            if agent.halt_on_stuck and {FAILED}:\n{STUCK}"),
)
wrong(
    "If a tool fails, there is nothing left to answer with.",
    (ADD_ACTED, f"{ADD_ACTED}            if {FAILED}:\n{STUCK}"),
)
wrong(
    "The loop never raises, so whatever goes wrong in it ends the run without progress.",
    ("        inference =", "        try:\n            inference ="),
    (
        COMPLETE,
        f'{COMPLETE}\n        except Exception:\n            return record.finish("no_progress")',
    ),
)
wrong(
    "agent.complete is a wrapper around agent.backend.complete; both do the same.",
    (COMPLETE, "agent.backend.complete(agent.build_prompt(record), **agent.sampling)"),
)
wrong(
    "agent.parse is parse_react_step on the completion, so that can be called at once.",
    ("import json", "import json\n\nfrom g2c.agent.parse_react_step import parse_react_step"),
    (PARSE, "parse_react_step(inference.completion)"),
)
wrong(
    "record.finish ends the run, and what it gives is the result.",
    (f"{ANSWERED}        if", f"{ANSWERED.replace('return ', '')}        elif"),
)
wrong(
    "The prompt is made from the record, so what is added to the one is in the other.",
    (EACH_STEP, f"prompt = agent.build_prompt(record)\n    {EACH_STEP}"),
    (COMPLETE, "agent.complete(prompt)"),
)
wrong(
    "A run that has used up its steps stopped by max_steps, whatever the last one was.",
    (
        ANSWERED,
        f"            if len(record.steps) == agent.max_steps:\n                break\n{ANSWERED}",
    ),
)
wrong(
    "An action that failed was not carried out, so it may be tried again.",
    ("last = parsed.action", f"last = None if parsed.action and {FAILED} else parsed.action"),
)
wrong(
    "Nobody will read what the last step's action gives, so there is no need to make it.",
    (
        "agent.act(parsed.action)",
        "agent.act(parsed.action) if len(record.steps) + 1 < agent.max_steps else None",
    ),
)
wrong(
    "A model that writes the same in capitals, or with a space more, repeats itself.",
    ("action == last and ", "last is not None and "),
    (AS_JSON, f"""''.join({AS_JSON}.casefold().replace(r"\\n", "").split())"""),
)
