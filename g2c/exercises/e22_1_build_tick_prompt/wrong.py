"""22.1 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.1")

DATE = '    if parts.feedback:\n        blocks.append("Today is Tuesday.")\n'
TITLES = "TITLES.items()"
TEXT = "text := texts[name].strip()"
LOWER = 're.sub(r"^# ", "## ", text, flags=re.MULTILINE)'
BLOCK = r'f"# {title}\n\n{below}"'

wrong(
    "The goal is what matters most, so it comes right after the architecture.",
    (TITLES, '{"goal": TITLES["goal"], **TITLES}.items()'),
    caught_by="test_the_parts_stand_in_the_order_of_the_contract",
    says="what changes least comes first",
)
wrong(
    "An agent wants to know first where it is.",
    (TITLES, '{"state": TITLES["state"], **TITLES}.items()'),
    caught_by="test_a_change_leaves_all_that_is_before_it_as_it_was",
    says="the model's cache keeps what a prompt shares with the last one",
)
wrong(
    "Only an empty part is left out, and a newline is not empty.",
    (f"if {TEXT}:", "if texts[name]:\n            text = texts[name].strip()"),
    caught_by="test_a_part_of_white_space_is_empty",
    says="a file that holds a newline is an empty one to its author",
)
wrong(
    "An agent at work should know that nobody has reviewed it yet.",
    (TEXT, f'{TEXT} or ("(none yet)" if name == "feedback" and parts.state else "")'),
    caught_by="test_an_empty_part_leaves_no_trace",
    says="its title tells the agent of nothing",
)
wrong(
    "If memory returned paragraphs, there is something to show.",
    (f"if {TEXT}:", f'if ({TEXT}) or (name == "recalled" and parts.recalled):'),
    caught_by="test_memory_that_is_blank_altogether_has_no_title",
    says="a title over nothing tells the agent that it remembers something",
)
wrong(
    "A blank line between two paragraphs is all there is to it.",
    (TEXT, r'text := "\n\n".join(parts.recalled) if name == "recalled" else texts[name].strip()'),
    caught_by="test_a_blank_paragraph_of_memory_leaves_no_trace",
    says="one paragraph is left, and nothing around it",
)
wrong(
    "Stripped paragraphs are joined by a blank line, and the strip of the whole removes the rest.",
    (" if paragraph)", ")"),
    caught_by="test_a_blank_paragraph_between_two_leaves_no_trace_either",
    says="one blank line between two",
)
wrong(
    "A directive says what to do, and so does a user: the model should read it as from one.",
    (BLOCK, f'f"User: {{below}}" if name == "directive" else {BLOCK}'),
    caught_by="test_a_directive_is_labelled_as_the_agents_own",
    says="it would have a person's authority",
)
wrong(
    "The parts are the agent's own files, and nothing in them needs to be changed.",
    (LOWER, "text"),
    caught_by="test_no_text_can_pose_as_another_part",
    says="a text in the part identity can end it and begin another",
)
wrong(
    "Below a title of one #, all headings of a text move down by one.",
    (r'r"^# ", "## "', r'r"^(#+ )", r"#\1"'),
    caught_by="test_a_text_shown_twice_is_changed_once",
    says="would grow at each tick",
)
wrong(
    "Only titles begin with one #, so that holds for the architecture, too.",
    ("[parts.architecture.strip()]", f"[{LOWER.replace('text', 'parts.architecture.strip()')}]"),
    caught_by="test_the_architecture_stays_as_it_is",
    says="the architecture is the course's own",
)
wrong(
    "What is not blank is shown as it is, to the last newline.",
    (TEXT, "(text := texts[name]).strip()"),
    caught_by="test_white_space_around_a_part_goes",
    says="files end with newlines",
)
wrong(
    "A run of blank lines anywhere costs tokens and says nothing.",
    ("= texts[name].strip()", r'= re.sub(r"\n{3,}", "\n\n", texts[name].strip())'),
    caught_by="test_white_space_within_a_part_stays",
    says="mean what their white space says",
)
wrong(
    "A tick should know what day it is.",
    ("    return ", f"{DATE}    return "),
    caught_by="test_between_two_parts_is_one_blank_line_and_above_each_its_title",
    says="and no other word",
)
wrong(
    "splitlines is how a text is taken apart into lines.",
    (LOWER, r'"\n".join(re.sub("^# ", "## ", line) for line in text.splitlines())'),
    caught_by="test_a_line_begins_after_a_newline_and_nowhere_else",
    says="str.splitlines also ends them at a form feed",
)
wrong(
    "The strip of the whole takes away the white space around its paragraphs.",
    ("(paragraph.strip() for paragraph in parts.recalled)", "parts.recalled"),
    ("if paragraph)", "if paragraph.strip())"),
    caught_by="test_white_space_around_each_paragraph_goes",
    says="each paragraph is stripped",
)
