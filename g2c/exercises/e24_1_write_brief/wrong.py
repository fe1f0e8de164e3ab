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
)
wrong(
    "Sorted is sorted: the numbers are what stands between the brackets.",
    (NUMBERS, "[int(number) for number in sorted({*POINTER.findall(task)})]"),
)
wrong(
    "Each pointer gets its step.",
    (NUMBERS, "sorted(int(number) for number in POINTER.findall(task))"),
)
wrong(
    "What is too large is not a step; anything less is one.",
    ("if not 1 <= number <= len(steps)", "if number > len(steps)"),
)
wrong(
    "A step without a result has a call, and that is what the worker gets.",
    (
        "if step.action is None or step.observation is None:",
        "if step.action is not None and step.observation is None:\n"
        '        return f"[{number}] {step.action.tool}"\n'
        "    if step.action is None:",
    ),
)
wrong(
    "An empty result is not a result.",
    ("or step.observation is None:", "or not (step.observation and step.observation.text):"),
)
wrong("A line ends with a newline.", (ENDS, r'LINE_END = re.compile(r"\n")'))
wrong(
    "An empty line says nothing, so it needs no mark.",
    (MARKED, r'return re.sub(LINE_END.pattern + r"(?=.)", r"\g<0>> ", text)'),
)
wrong(
    "White space at the ends of a result is nothing that a worker needs.",
    ("{step.observation.text}", "{step.observation.text.strip()}"),
)
wrong("What a tool gave is its output.", ("{step.observation.text}", "{step.observation.output}"))
wrong("JSON is ASCII, and any reader can decode it.", (", ensure_ascii=False", ""))
wrong(
    "A brief that is too long is shortened, and says so at its end.",
    (
        REFUSES,
        "if len(brief) > max_chars:\n"
        '        return brief[: max_chars - 6] + " [...]"\n'
        "    if (over := 0) > 0:",
    ),
)
wrong(
    "The bound is for what is added; the task is as long as it is.",
    (REFUSES, "if (over := len(brief) - len(task) - max_chars) > 0:"),
)
