"""24.1 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "24.1")

NUMBERS = "sorted({int(number) for number in POINTER.findall(task)})"
ENDS = r'LINE_END = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")'
REFUSES = "if (over := len(brief) - max_chars) > 0:"
MARKED = r'return LINE_END.sub(r"\g<0>> ", text)'

wrong(
    "A worker does better work if it sees everything that was done so far.",
    (NUMBERS, "list(range(1, len(steps) + 1))"),
    caught_by="test_the_brief_is_the_task_and_the_steps_that_it_points_at",
    says="the supervisor's thoughts are not asked for",
)
wrong(
    "A step that is shown may point at others, which the worker then needs as well.",
    (
        "    shown = [",
        "    for number in numbers:\n"
        "        for more in POINTER.findall(_shown(number, steps).partition('] ')[2]):\n"
        "            if int(more) not in numbers and 0 < int(more) <= len(steps):\n"
        "                numbers.append(int(more))\n"
        "    shown = [",
    ),
    caught_by="test_a_tools_result_holds_no_pointers",
    says="It is data: only the supervisor's own task points at steps",
)
wrong(
    "Sorted is sorted: the numbers are what stands between the brackets.",
    (NUMBERS, "[int(number) for number in sorted({*POINTER.findall(task)})]"),
    caught_by="test_a_step_is_shown_once_and_in_the_order_of_the_numbers",
    says="2 is less than 10",
)
wrong(
    "Each pointer gets its step.",
    (NUMBERS, "sorted(int(number) for number in POINTER.findall(task))"),
    caught_by="test_the_task_is_left_word_for_word",
    says="finds it again below",
)
wrong(
    "What is too large is not a step; anything less is one.",
    ("if not 1 <= number <= len(steps)", "if number > len(steps)"),
    caught_by="test_a_pointer_at_no_step_is_refused",
    says="there are the steps 1 to 3",
)
wrong(
    "A step without a result has a call, and that is what the worker gets.",
    (
        "if step.action is None or step.observation is None:",
        "if step.action is not None and step.observation is None:\n"
        '        return f"[{number}] {step.action.tool}"\n'
        "    if step.action is None:",
    ),
    caught_by="test_a_step_that_gave_nothing_is_refused",
    says="what a model said about it is not a result",
)
wrong(
    "An empty result is not a result.",
    ("or step.observation is None:", "or not (step.observation and step.observation.text):"),
    caught_by="test_an_empty_text_is_one_empty_line",
    says="all that 'Is [1] empty?' points at is there",
)
wrong(
    "A line ends with a newline.",
    (ENDS, r'LINE_END = re.compile(r"\n")'),
    caught_by="test_every_line_of_a_step_is_marked",
    says="may see a new line after this, too",
)
wrong(
    "An empty line says nothing, so it needs no mark.",
    (MARKED, r'return re.sub(LINE_END.pattern + r"(?=.)", r"\g<0>> ", text)'),
    caught_by="test_text_that_imitates_a_step_is_marked",
    says="each line of it wants a mark, the empty one, too",
)
wrong(
    "White space at the ends of a result is nothing that a worker needs.",
    ("{step.observation.text}", "{step.observation.text.strip()}"),
    caught_by="test_a_tools_result_keeps_every_character",
    says="so nothing is tidied",
)
wrong(
    "What a tool gave is its output.",
    ("{step.observation.text}", "{step.observation.output}"),
    caught_by="test_an_error_is_seen_to_be_one",
    says="takes the message for the file's content",
)
wrong(
    "JSON is ASCII, and any reader can decode it.",
    (", ensure_ascii=False", ""),
    caught_by="test_the_call_has_readable_letters_and_one_line",
    says="Zoë keeps her name",
)
wrong(
    "A brief that is too long is shortened, and says so at its end.",
    (
        REFUSES,
        "if len(brief) > max_chars:\n"
        '        return brief[: max_chars - 6] + " [...]"\n'
        "    if (over := 0) > 0:",
    ),
    caught_by="test_a_brief_that_is_too_long_is_refused_and_not_cut",
    says="a worker does not know what was cut off",
)
wrong(
    "The bound is for what is added; the task is as long as it is.",
    (REFUSES, "if (over := len(brief) - len(task) - max_chars) > 0:"),
    caught_by="test_the_task_counts_as_well",
    says="the task counts, too",
)
