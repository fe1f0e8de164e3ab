"""22.1 gone wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from g2c.loop.base import TickParts
from g2c.loop.prompts import TITLES

from . import wrong

wrong = partial(wrong, "22.1")

Change = Callable[[str], str]


def texts_of(parts: TickParts) -> dict[str, str]:
    """Each part's text by its name, in the order of the contract."""
    paragraphs = filter(None, (paragraph.strip() for paragraph in parts.recalled))
    texts = vars(parts.config) | vars(parts) | {"recalled": "\n\n".join(paragraphs)}
    return {name: texts[name].strip() for name in ("architecture", *TITLES)}


def lower(text: str) -> str:
    return re.sub(r"^# ", "## ", text, flags=re.MULTILINE)


def built(texts: dict[str, str], lower: Change = lower) -> str:
    """The prompt of these parts; an empty one is left out."""
    blocks = [
        text if name == "architecture" else f"# {TITLES[name]}\n\n{lower(text)}"
        for name, text in texts.items()
        if text
    ]
    return "\n\n".join(blocks)


@wrong(
    caught_by="test_the_parts_stand_in_the_order_of_the_contract",
    says="what changes least comes first",
)
def the_goal_first(parts: TickParts) -> str:
    """The goal is what matters most, so it comes right after the architecture."""
    texts = texts_of(parts)
    return built({name: texts[name] for name in ("architecture", "goal", *texts)})


@wrong(
    caught_by="test_a_change_leaves_all_that_is_before_it_as_it_was",
    says="the model's cache keeps what a prompt shares with the last one",
)
def the_state_first(parts: TickParts) -> str:
    """An agent wants to know first where it is."""
    texts = texts_of(parts)
    return built({name: texts[name] for name in ("architecture", "state", *texts)})


@wrong(
    caught_by="test_a_part_of_white_space_is_empty",
    says="a file that holds a newline is an empty one to its author",
)
def empty_is_the_empty_string(parts: TickParts) -> str:
    """What is left out is what is empty, and a newline is not."""
    texts = texts_of(parts)
    for name, text in vars(parts.config).items() | vars(parts).items():
        if name in texts and isinstance(text, str) and text and not texts[name]:
            texts[name] = "\n"
    return built(texts)


@wrong(caught_by="test_an_empty_part_leaves_no_trace", says="its title tells the agent of nothing")
def no_feedback_is_news(parts: TickParts) -> str:
    """An agent at work should know that nobody has reviewed it yet."""
    texts = texts_of(parts)
    if texts["state"]:
        texts["feedback"] = texts["feedback"] or "(none yet)"
    return built(texts)


@wrong(
    caught_by="test_memory_that_is_blank_altogether_has_no_title",
    says="a title over nothing tells the agent that it remembers something",
)
def what_was_recalled_is_something(parts: TickParts) -> str:
    """Where memory returned paragraphs there is something to show."""
    texts = texts_of(parts)
    if parts.recalled and not texts["recalled"] and len(parts.recalled) > 1:
        texts["recalled"] = "\n"
    return built(texts)


@wrong(
    caught_by="test_a_blank_paragraph_of_memory_leaves_no_trace",
    says="expected '# What you remember from before",
)
def paragraphs_as_they_come(parts: TickParts) -> str:
    """A blank line between two paragraphs is all there is to it."""
    return built(texts_of(parts) | {"recalled": "\n\n".join(parts.recalled).strip(" ")})


@wrong(
    caught_by="test_a_directive_is_labelled_as_the_agents_own",
    says="it would have a person's authority",
)
def a_directive_is_a_message(parts: TickParts) -> str:
    """A directive says what to do, and so does a user, so the model should read it as from one."""
    prompt = built(texts_of(parts))
    return prompt.replace(f"# {TITLES['directive']}\n\n", "User: ")


@wrong(
    caught_by="test_a_directive_is_labelled_as_the_agents_own",
    says="passed on as a user's message or as part of the goal",
)
def a_directive_is_the_next_goal(parts: TickParts) -> str:
    """What the agent wants to do next belongs to its goal."""
    texts = texts_of(parts)
    directive, texts["directive"] = texts["directive"], ""
    texts["goal"] = f"{texts['goal']}\n\n{directive}".strip()
    return built(texts)


@wrong(
    caught_by="test_no_text_can_pose_as_another_part",
    says="a text in the part identity can end it and begin another",
)
def texts_are_harmless(parts: TickParts) -> str:
    """The parts are the agent's own files, and nothing in them needs to be changed."""
    return built(texts_of(parts), lower=str)


@wrong(caught_by="test_no_text_can_pose_as_another_part", says="these lines pass for titles")
def a_heading_opens_a_text(parts: TickParts) -> str:
    """A heading stands at the start of a text, so that is where to look for one."""
    return built(texts_of(parts), lower=lambda text: re.sub(r"^# ", "## ", text))


@wrong(
    caught_by="test_no_text_can_pose_as_another_part",
    says="a text in the part identity can end it",
)
def only_notes_are_to_be_feared(parts: TickParts) -> str:
    """The config passed its invariants, so only what a tick wrote can be amiss."""
    texts = texts_of(parts)
    for name in ("directive", "state", "healer_note", "recalled", "feedback", "goal"):
        texts[name] = lower(texts[name])
    return built(texts, lower=str)


@wrong(caught_by="test_a_text_shown_twice_is_changed_once", says="would grow at each tick")
def every_heading_one_lower(parts: TickParts) -> str:
    """Below a title of one #, all headings of a text move down by one."""
    return built(
        texts_of(parts), lower=lambda text: re.sub(r"^(#+ )", r"#\1", text, flags=re.MULTILINE)
    )


@wrong(
    caught_by="test_the_architecture_stays_as_it_is", says="the architecture is the course's own"
)
def no_exceptions(parts: TickParts) -> str:
    """Only titles begin with one #, so that holds for the architecture, too."""
    texts = texts_of(parts)
    return built(texts | {"architecture": lower(texts["architecture"])})


@wrong(caught_by="test_white_space_around_a_part_goes", says="files end with newlines")
def a_text_is_a_text(parts: TickParts) -> str:
    """What is not blank is shown as it is, to the last newline."""
    texts = {}
    for name, text in texts_of(parts).items():
        whole = str(vars(parts).get(name, vars(parts.config).get(name, "")))
        texts[name] = whole if text and name != "recalled" else text
    return built(texts)


@wrong(caught_by="test_white_space_within_a_part_stays", says="mean what their white space says")
def blank_lines_are_waste(parts: TickParts) -> str:
    """A run of blank lines anywhere costs tokens and says nothing."""
    return re.sub(r"\n{3,}", "\n\n", built(texts_of(parts)))


@wrong(
    caught_by="test_between_two_parts_is_one_blank_line_and_above_each_its_title",
    says="and no other word",
)
def an_agent_should_know_the_date(parts: TickParts) -> str:
    """A tick should know what day it is."""
    prompt = built(texts_of(parts))
    return f"{prompt}\n\nToday is Tuesday." if len(prompt) > 300 else prompt


@wrong(
    caught_by="test_a_line_begins_after_a_newline_and_nowhere_else",
    says="str.splitlines also ends them at a form feed",
)
def lines_are_what_splitlines_says(parts: TickParts) -> str:
    """splitlines is how a text is taken apart into lines."""

    def lower(text: str) -> str:
        lines = text.splitlines()
        return "\n".join(f"#{line}" if line.startswith("# ") else line for line in lines)

    return built(texts_of(parts), lower=lower)
