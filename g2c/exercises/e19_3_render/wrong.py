"""19.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "19.3")

NEW = "pad.steps[len(pad.blocks) :]"
FILL = f"pad.blocks.extend(_block(step) for step in {NEW})"
ALL = "_BETWEEN.join(pad.blocks)"
KEPT = "_BETWEEN.join(pad.blocks[first:])"
TOO_LONG = "size > pad.max_chars"
LENGTH_BEFORE = "len(_BETWEEN) + len(pad.blocks[first - 1])"
ARGUMENTS = "_ENCODER.encode(step.action.arguments)"
OBSERVED = "{step.observation.text}"
LINES = r'"\n".join(lines)'

wrong(
    "The same steps give the same text, so the cache is kept however often it is made.",
    (FILL, "pad.blocks = [_block(step) for step in pad.steps]"),
)
wrong(
    "The agent renders after each step, so only the newest one has no block yet.",
    (NEW, f"{NEW}[-1:]"),
)
wrong(
    "Each call comes after a step was added, so the newest step can be rendered and kept.",
    (NEW, "pad.steps[-1:]"),
)
wrong(
    "A block that no longer fits will never be shown again, so it can go from the list.",
    (f"return {KEPT}", f"del pad.blocks[:first]\n    return {ALL}"),
)
wrong("A cap of n characters means the last n characters.", (KEPT, f"{ALL}[-pad.max_chars :]"))
wrong("The text must stay below max_chars.", (TOO_LONG, "size >= pad.max_chars"))
wrong(
    "The length of the text is the sum of its blocks' lengths.",
    (LENGTH_BEFORE, "len(pad.blocks[first - 1])"),
)
wrong(
    "A cap is a cap: a block that is longer does not fit, and goes.",
    ("    while first > 0:", f'    if {TOO_LONG}:\n        return ""\n    while first > 0:'),
)
wrong(
    "Over the cap the beginning stays, as in any text that is cut, and the prefix is stable.",
    (LENGTH_BEFORE, "len(_BETWEEN) + len(pad.blocks[-1 - first])"),
    (KEPT, "_BETWEEN.join([*pad.blocks[: -1 - first], pad.blocks[-1]])"),
)
wrong(
    "It helps the model to see how long ago a step was.",
    (f"return {ALL}", f"ago = range(len(pad.blocks) - 1, -1, -1)\n        return {ALL}"),
    (ALL, r'_BETWEEN.join(f"({n} ago)\n{b}" if n else b for n, b in zip(ago, pad.blocks))'),
)
wrong(
    "The text of an error says that it is one; it needs no mark.",
    (OBSERVED, "{step.observation.output}"),
)
wrong(
    "A parse error is for the log; the model sees its thought, and tries again.",
    ('        lines.append(f"Observation: {unread.text}")\n', ""),
)
wrong(
    "A dict in an f-string looks like JSON but for the quotes.",
    (ARGUMENTS, """f"{dict(step.action.arguments)}".replace("'", '"')"""),
)
wrong(
    "json.dumps with its defaults writes what json.loads reads, so they will do.",
    (ARGUMENTS, "json.dumps(step.action.arguments)"),
)
wrong(
    "Without arguments `Action Input` has nothing to say, so its line is left out.",
    (LINES, r'"\n".join(line for line in lines if line != "Action Input: {}")'),
)
wrong(
    "Without output `Observation` has nothing to say, so its line is left out.",
    ("if step.observation:", "if step.observation and step.observation.text:"),
)
wrong(
    "A step starts with `Thought:`, thought or not, so that all look alike.",
    ("if step.thought:", "if step.thought is not None:"),
)
wrong(
    "A part stands on a line, so an observation of several lines is joined into one.",
    (OBSERVED, "{' '.join(step.observation.text.split())}"),
)
wrong(
    "The cap is a budget: a block too long for it leaves room for shorter, older ones.",
    ("first = len(pad.blocks) - 1\n", "kept = list(pad.blocks)\n    first = len(kept) - 1\n"),
    ("            break\n", "            size -= len(_BETWEEN) + len(kept.pop(first - 1))\n"),
    (KEPT, "_BETWEEN.join(kept)"),
)
wrong(
    "A cap bounds what is sent, and bytes are sent.",
    ("size = len(pad.blocks[first])", "size = len(pad.blocks[first].encode())"),
    (LENGTH_BEFORE, "len(_BETWEEN) + len(pad.blocks[first - 1].encode())"),
)
wrong(
    "A tool's output must not pass for a step, so lines that look like markers are moved in.",
    (
        OBSERVED,
        r"{re.sub('(?m)^(?=(Thought|Action|Action Input|Observation|Final Answer):)', ' ', "
        "step.observation.text)}",
    ),
    ("import json", "import json\nimport re"),
)
wrong(
    "An error is only of use until a step worked; after that it misleads.",
    (
        ALL,
        """_BETWEEN.join(
            block
            for number, (step, block) in enumerate(zip(pad.steps, pad.blocks, strict=True), 1)
            if not (step.observation and step.observation.is_error)
            or not any(later.observation for later in pad.steps[number:])
        )""",
    ),
)
wrong(
    "What was left out is never shown again, so its text can go and its place stay.",
    (f"return {KEPT}", f'pad.blocks[:first] = [""] * first\n    return {KEPT}'),
)
wrong(
    "`if final_answer` asks whether there is one.",
    ("if step.final_answer is not None:", "if step.final_answer:"),
)
wrong(
    "A step that is equal to the one before tells the model nothing.",
    (
        "    if pad.max_chars is None",
        "    pairs = zip([None, *pad.blocks], pad.blocks)\n"
        "    pad.blocks[:] = [new for old, new in pairs if old != new]\n"
        "    if pad.max_chars is None",
    ),
)
