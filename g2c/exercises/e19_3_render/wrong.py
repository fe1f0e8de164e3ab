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
    caught_by="test_a_step_is_turned_into_text_once",
    says="what was rendered before is rendered again",
)
wrong(
    "The agent renders after each step, so only the newest one has no block yet.",
    (NEW, f"{NEW}[-1:]"),
    caught_by="test_steps_may_be_added_between_calls_and_in_bulk",
    says="two steps were added since the last call; both are new",
)
wrong(
    "Each call comes after a step was added, so the newest step can be rendered and kept.",
    (NEW, "pad.steps[-1:]"),
    caught_by="test_render_can_be_called_again",
    says="must not use it up or add to it twice",
)
wrong(
    "A block that no longer fits will never be shown again, so it can go from the list.",
    (f"return {KEPT}", f"del pad.blocks[:first]\n    return {ALL}"),
    caught_by="test_the_cap_forgets_no_step",
    says="pad.blocks lacks 2 of 5 blocks: the cap takes none off that list",
)
wrong(
    "A cap of n characters means the last n characters.",
    (KEPT, f"{ALL}[-pad.max_chars :]"),
    caught_by="test_a_block_is_dropped_whole",
    says="half a step is worse than none",
)
wrong(
    "The text must stay below max_chars.",
    (TOO_LONG, "size >= pad.max_chars"),
    caught_by="test_a_text_as_long_as_the_cap_fits",
    says="a text of exactly max_chars characters, here 152, is not over it; yours has 75",
)
wrong(
    "The length of the text is the sum of its blocks' lengths.",
    (LENGTH_BEFORE, "len(pad.blocks[first - 1])"),
    caught_by="test_the_blank_lines_count",
    says="one over the cap of 228, so the oldest block goes and 152 are left; yours has 229",
)
wrong(
    "A cap is a cap: a block that is longer does not fit, and goes.",
    ("    while first > 0:", f'    if {TOO_LONG}:\n        return ""\n    while first > 0:'),
    caught_by="test_the_newest_block_stays_however_long",
    says="without its last observation the model repeats its last action",
)
wrong(
    "Over the cap the beginning stays, as in any text that is cut, and the prefix is stable.",
    (LENGTH_BEFORE, "len(_BETWEEN) + len(pad.blocks[-1 - first])"),
    (KEPT, "_BETWEEN.join([*pad.blocks[: -1 - first], pad.blocks[-1]])"),
    caught_by="test_over_the_cap_the_oldest_blocks_go",
    says="two blocks of 75 and the blank line between: the newest two stay",
)
wrong(
    "It helps the model to see how long ago a step was.",
    (f"return {ALL}", f"ago = range(len(pad.blocks) - 1, -1, -1)\n        return {ALL}"),
    (ALL, r'_BETWEEN.join(f"({n} ago)\n{b}" if n else b for n, b in zip(ago, pad.blocks))'),
    caught_by="test_each_text_begins_with_the_one_before",
    says="what was rendered once must not change",
)
wrong(
    "The text of an error says that it is one; it needs no mark.",
    (OBSERVED, "{step.observation.output}"),
    caught_by="test_an_error_is_marked",
    says="an [error] mark tells the model that this is not a result to build on",
)
wrong(
    "A parse error is for the log; the model sees its thought, and tries again.",
    ('        lines.append(f"Observation: {unread.text}")\n', ""),
    caught_by="test_an_unreadable_step_is_shown_with_its_error",
    says="the model is to read why, not to see it again",
)
wrong(
    "A dict in an f-string looks like JSON but for the quotes.",
    (ARGUMENTS, """f"{dict(step.action.arguments)}".replace("'", '"')"""),
    caught_by="test_arguments_are_json",
    says="the model is to write JSON on one line",
)
wrong(
    "json.dumps with its defaults writes what json.loads reads, so they will do.",
    (ARGUMENTS, "json.dumps(step.action.arguments)"),
    caught_by="test_letters_of_any_alphabet_stay_as_they_are",
    says=r"escaped as \u00f6 a letter is hard to read for a small model",
)
wrong(
    "Without arguments `Action Input` has nothing to say, so its line is left out.",
    (LINES, r'"\n".join(line for line in lines if line != "Action Input: {}")'),
    caught_by="test_no_arguments_are_an_empty_object",
    says="a call without arguments still has an input",
)
wrong(
    "Without output `Observation` has nothing to say, so its line is left out.",
    ("if step.observation:", "if step.observation and step.observation.text:"),
    caught_by="test_an_empty_observation_still_has_its_line",
    says="without the line 'Observation: ' the model takes it for unanswered",
)
wrong(
    "A step starts with `Thought:`, thought or not, so that all look alike.",
    ("if step.thought:", "if step.thought is not None:"),
    caught_by="test_an_empty_thought_is_left_out",
    says="an empty thought has no line of its own",
)
wrong(
    "A part stands on a line, so an observation of several lines is joined into one.",
    (OBSERVED, "{' '.join(step.observation.text.split())}"),
    caught_by="test_texts_are_kept_as_they_are",
    says="spaces and line ends, the last one too, are part of what a tool answered",
)
wrong(
    "The cap is a budget: a block too long for it leaves room for shorter, older ones.",
    ("first = len(pad.blocks) - 1\n", "kept = list(pad.blocks)\n    first = len(kept) - 1\n"),
    ("            break\n", "            size -= len(_BETWEEN) + len(kept.pop(first - 1))\n"),
    (KEPT, "_BETWEEN.join(kept)"),
    caught_by="test_no_older_block_stays_where_a_newer_one_was_left_out",
    says="a history with a hole in it reads as if nothing had happened there",
)
wrong(
    "A cap bounds what is sent, and bytes are sent.",
    ("size = len(pad.blocks[first])", "size = len(pad.blocks[first].encode())"),
    (LENGTH_BEFORE, "len(_BETWEEN) + len(pad.blocks[first - 1].encode())"),
    caught_by="test_the_cap_counts_characters",
    says="as many as the cap allows, and more bytes",
)
wrong(
    "A tool's output must not pass for a step, so lines that look like markers are moved in.",
    (
        OBSERVED,
        r"{re.sub('(?m)^(?=(Thought|Action|Action Input|Observation|Final Answer):)', ' ', "
        "step.observation.text)}",
    ),
    ("import json", "import json\nimport re"),
    caught_by="test_an_output_that_looks_like_a_step_is_kept_too",
    says="what the model reads is what stands in the file",
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
    caught_by="test_an_error_stays_where_a_later_step_worked",
    says="a later success does not undo an error",
)
wrong(
    "What was left out is never shown again, so its text can go and its place stay.",
    (
        f"return {KEPT}",
        f'pad.blocks[:first] = [""] * first\n    return {KEPT}',
    ),
    caught_by="test_a_block_that_was_left_out_stays_out",
    says="A block that was made empty still has a blank line behind it",
)
wrong(
    "`if final_answer` asks whether there is one.",
    ("if step.final_answer is not None:", "if step.final_answer:"),
    caught_by="test_an_empty_final_answer_still_has_its_line",
    says="an empty answer was given, and None was not",
)
wrong(
    "A step that is equal to the one before tells the model nothing.",
    (
        "    if pad.max_chars is None",
        "    pairs = zip([None, *pad.blocks], pad.blocks)\n"
        "    pad.blocks[:] = [new for old, new in pairs if old != new]\n"
        "    if pad.max_chars is None",
    ),
    caught_by="test_two_equal_steps_have_two_blocks",
    says="each step has a block, also one that is equal to the step before",
)
