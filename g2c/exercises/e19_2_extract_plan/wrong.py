"""19.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "19.2")

GOAL = r":[ \t]*(.*)$"
STEP = r"(?:[ \t]+(.*))?$"
RISES = "int(number) > last"

wrong(
    r"\s* after `Goal:` takes away stray spaces, and nothing else.",
    (GOAL, r":\s*(.*)$"),
    caught_by="test_an_empty_goal_does_not_take_the_next_line",
    says="'Goal:' is empty here, so the user's message is the goal",
)
wrong(
    r"\s+ after the number is the space before the step's text.",
    (STEP, r"\s+(\S.*)$"),
    caught_by="test_steps_without_text_are_dropped",
    says="it takes no text from the next line",
)
wrong(
    "A line that begins with a number and a separator is a step; models leave the space out.",
    (STEP, r"[ \t]*(.*)$"),
    caught_by="test_a_line_that_only_looks_like_a_step_is_prose",
    says="'1.5 litres' is not a step",
)
wrong(
    "Models number with `1.` or `1)`, since the prompt's example does so.",
    (r"[ \t]*[.)-]", "[.)]"),
    caught_by="test_reads_each_way_to_number",
    says="'1 -' numbers a step",
)
wrong(
    "The first five lines are the first five steps; the empty ones can be dropped afterwards.",
    ("_STEP.findall(text)", "_STEP.findall(text)[:MAX_PLAN_STEPS]"),
    caught_by="test_the_first_five_steps_that_have_text_are_kept",
    says="five steps with text are kept, the empty ones not counted",
)
wrong(
    "A model that repeats its plan writes the same lines, so a set of them is enough.",
    (RISES, "step.strip() not in steps"),
    caught_by="test_steps_whose_number_does_not_rise_are_dropped",
    says="a small model that repeats its plan counts from 1 again",
)
wrong(
    "The next step is the one numbered one higher; any other number is a slip.",
    (RISES, "int(number) == len(steps) + 1"),
    caught_by="test_numbers_may_leave_gaps",
    says="rise, and need not start at 1 nor follow one another",
)
wrong(
    "What the pattern captured can be compared as it is.",
    (RISES, "number > str(last)"),
    caught_by="test_numbers_are_compared_as_numbers",
    says="though the text '10' comes before the text '9'",
)
wrong(
    "Without `Goal:` the model has not written a plan.",
    ("if not steps:", "if not goal or not steps:"),
    caught_by="test_without_a_goal_the_message_of_the_user_is_the_goal",
    says="the steps are there, only the goal is missing",
)
wrong(
    "Plan refuses to be empty, so there is nothing to check here.",
    ("    if not steps:\n        return None\n", ""),
    caught_by="test_without_steps_there_is_no_plan",
    says="return None rather than build a Plan",
)
wrong(
    "The message is needed only where the text has no goal.",
    ("if not user_message.strip():", "if not user_message.strip() and not _GOAL.search(text):"),
    caught_by="test_an_empty_message_is_a_mistake_of_the_caller",
    says="is refused even if there is a goal: raise ValueError",
)
wrong(
    "Each `Goal:` sets the goal, line by line; a model may correct itself.",
    ("_GOAL.search(text)", "[None, *_GOAL.finditer(text)][-1]"),
    caught_by="test_the_first_of_two_goals_counts",
    says="the first line that starts with 'Goal:' counts, here 'Goal: g'",
)
wrong(
    r"str.splitlines splits at line ends, and takes care of \r\n too.",
    (r'text.replace("\r\n", "\n")', r'"\n".join(text.splitlines())'),
    caught_by="test_only_a_newline_ends_a_line",
    says="and not, as str.splitlines has it",
)
wrong(
    "A plan begins with its goal, so it is looked for above the steps.",
    (
        "_GOAL.search(text)",
        "_GOAL.search(text[: m.start()] if (m := _STEP.search(text)) else text)",
    ),
    caught_by="test_the_goal_may_stand_below_the_steps",
    says="where it stands among the others says nothing",
)
wrong(
    "Wherever a model writes `goal:`, what follows is its goal.",
    (r"^[ \t]*goal", r"[ \t]*goal"),
    caught_by="test_a_goal_that_does_not_begin_its_line_is_none",
    says="the line 'My goal: g' starts with 'M' and not with 'Goal:'",
)
wrong(
    r"\s* before a colon or a separator takes away stray spaces, and nothing else.",
    (r"goal[ \t]*:", r"goal\s*:"),
    (r"[ \t]*[.)-]", r"\s*[.)-]"),
    caught_by="test_the_parts_of_a_line_stand_on_one_line",
    says=r"Did you believe that \s is spaces and tabs?",
)
wrong(
    "`if not text` turns away whatever is not text.",
    (
        "        if not isinstance(value, str):",
        "        if value is None or value == '':",
    ),
    ("_STEP.findall(text)", "_STEP.findall(str(text))"),
    ("text = text.replace", "text = str(text).replace"),
    caught_by="test_something_other_than_text_is_a_mistake_of_the_caller",
    says="are not two strings",
)
wrong(
    "A step is dropped that says the same as the one before.",
    ("if step.strip() and int", "if step.strip() not in ('', *steps) and int"),
    caught_by="test_goal_and_steps_are_kept_as_they_are_written",
    says="a step may say the same as the one before",
)
