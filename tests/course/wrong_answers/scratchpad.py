"""19.3 gone wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

from g2c.agent import AgentStep, Scratchpad

from . import wrong

wrong = partial(wrong, "19.3")


def block(step: AgentStep) -> str:
    lines = [f"Thought: {step.thought}"] if step.thought else []
    if step.action:
        arguments = json.dumps(step.action.arguments, ensure_ascii=False)
        lines += [f"Action: {step.action.tool}", f"Action Input: {arguments}"]
    return "\n".join(lines + ending(step))


def ending(step: AgentStep) -> list[str]:
    """The lines after the action."""
    if step.observation:
        mark = "[error] " if step.observation.is_error else ""
        return [f"Observation: {mark}{step.observation.output}"]
    if step.parse_error:
        return [f"Observation: [error] {step.parse_error}"]
    return [f"Final Answer: {step.final_answer}"] if step.final_answer is not None else []


def fill(pad: Scratchpad) -> list[str]:
    for step in pad._steps[len(pad._blocks) :]:
        pad._blocks.append(block(step))
    return pad._blocks


def capped(blocks: list[str], max_chars: int | None) -> str:
    kept = list(blocks)
    while max_chars is not None and len(kept) > 1 and len("\n\n".join(kept)) > max_chars:
        del kept[0]
    return "\n\n".join(kept)


@wrong(
    caught_by="test_a_step_is_turned_into_text_once",
    says="what was rendered before is rendered again",
)
def everything_is_rendered_again(self: Scratchpad) -> str:
    """The same steps give the same text, so the cache is kept however often it is made."""
    return capped([block(step) for step in self._steps], self.max_chars)


@wrong(
    caught_by="test_steps_may_be_added_between_calls_and_in_bulk",
    says="two steps were added since the last call; both are new",
)
def one_step_is_new_at_each_call(self: Scratchpad) -> str:
    """The agent renders after each step, so only the newest one has no block yet."""
    if len(self._blocks) < len(self._steps):
        self._blocks.append(block(self._steps[-1]))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_render_can_be_called_again",
    says="must not use it up or add to it twice",
)
def each_call_brings_a_step(self: Scratchpad) -> str:
    """Each call comes after a step was added, so the newest step can be rendered and kept."""
    if self._steps:
        self._blocks.append(block(self._steps[-1]))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_the_cap_forgets_no_step",
    says="the cap chooses from the blocks and leaves the list of them as it is",
)
def dropped_blocks_can_be_deleted(self: Scratchpad) -> str:
    """A block that no longer fits will never be shown again, so it can go from the list."""
    blocks = fill(self)
    while self.max_chars is not None and len(blocks) > 1:
        if len("\n\n".join(blocks)) <= self.max_chars:
            break
        del blocks[0]
    return "\n\n".join(blocks)


@wrong(
    caught_by="test_a_block_is_dropped_whole",
    says="half a step is worse than none",
)
def the_last_characters_are_the_newest(self: Scratchpad) -> str:
    """A cap of n characters means the last n characters."""
    text = "\n\n".join(fill(self))
    return text if self.max_chars is None else text[-self.max_chars :]


@wrong(
    caught_by="test_a_text_as_long_as_the_cap_fits",
    says="a text of exactly max_chars characters, here 152, is not over it; yours has 75",
)
def the_cap_is_out_of_bounds(self: Scratchpad) -> str:
    """The text must stay below max_chars."""
    kept = list(fill(self))
    while self.max_chars and len(kept) > 1 and len("\n\n".join(kept)) >= self.max_chars:
        del kept[0]
    return "\n\n".join(kept)


@wrong(
    caught_by="test_the_blank_lines_count",
    says="one over the cap of 228, so the oldest block goes and 152 are left; yours has 229",
)
def only_blocks_have_length(self: Scratchpad) -> str:
    """The length of the text is the sum of its blocks' lengths."""
    kept = list(fill(self))
    while self.max_chars and len(kept) > 1 and sum(map(len, kept)) > self.max_chars:
        del kept[0]
    return "\n\n".join(kept)


@wrong(
    caught_by="test_the_newest_block_stays_however_long",
    says="without its last observation the model repeats its last action",
)
def nothing_may_be_longer_than_the_cap(self: Scratchpad) -> str:
    """A cap is a cap: a block that is longer does not fit, and goes."""
    kept = list(fill(self))
    while self.max_chars is not None and len("\n\n".join(kept)) > self.max_chars:
        del kept[0]
    return "\n\n".join(kept)


@wrong(
    caught_by="test_over_the_cap_the_oldest_blocks_go",
    says="two blocks of 75 and the blank line between: the newest two stay",
)
def the_beginning_is_what_matters(self: Scratchpad) -> str:
    """Over the cap the beginning stays, as in any text that is cut, and the prefix is stable."""
    kept = list(fill(self))
    while self.max_chars is not None and len(kept) > 1:
        if len("\n\n".join(kept)) <= self.max_chars:
            break
        del kept[-2]
    return "\n\n".join(kept)


@wrong(
    caught_by="test_each_text_begins_with_the_one_before",
    says="what was rendered once must not change",
)
def steps_are_numbered_from_the_newest(self: Scratchpad) -> str:
    """It helps the model to see how long ago a step was."""
    blocks = fill(self)
    ago = range(len(blocks) - 1, -1, -1)
    texts = [f"({n} ago)\n{text}" if n else text for n, text in zip(ago, blocks, strict=True)]
    return capped(texts, self.max_chars)


@wrong(
    caught_by="test_an_error_is_marked",
    says="an [error] mark tells the model that this is no result to build on",
)
def an_error_speaks_for_itself(self: Scratchpad) -> str:
    """The text of an error says that it is one; it needs no mark."""
    for step in self._steps[len(self._blocks) :]:
        text = block(step)
        if step.observation and step.observation.is_error:
            text = text.replace("Observation: [error] ", "Observation: ")
        self._blocks.append(text)
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_an_unreadable_step_is_shown_with_its_error",
    says="the model is to read why, not to see it again",
)
def a_parse_error_is_the_programs_affair(self: Scratchpad) -> str:
    """A parse error is for the log; the model sees its thought, and tries again."""
    for step in self._steps[len(self._blocks) :]:
        self._blocks.append(f"Thought: {step.thought}" if step.parse_error else block(step))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_arguments_are_json",
    says="the model is to write JSON on one line",
)
def a_dict_prints_as_json(self: Scratchpad) -> str:
    """A dict in an f-string looks like JSON but for the quotes."""
    for step in self._steps[len(self._blocks) :]:
        lines = [f"Thought: {step.thought}"] if step.thought else []
        if step.action:
            arguments = str(dict(step.action.arguments)).replace("'", '"')
            lines += [f"Action: {step.action.tool}", f"Action Input: {arguments}"]
        self._blocks.append("\n".join(lines + ending(step)))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_letters_of_any_alphabet_stay_as_they_are",
    says=r"escaped as \u00f6 a letter is hard to read for a small model",
)
def json_is_json(self: Scratchpad) -> str:
    """json.dumps with its defaults writes what json.loads reads, so they will do."""
    for step in self._steps[len(self._blocks) :]:
        lines = [f"Thought: {step.thought}"] if step.thought else []
        if step.action:
            arguments = json.dumps(step.action.arguments)
            lines += [f"Action: {step.action.tool}", f"Action Input: {arguments}"]
        self._blocks.append("\n".join(lines + ending(step)))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_no_arguments_are_an_empty_object",
    says="a call without arguments still has an input",
)
def no_arguments_need_no_line(self: Scratchpad) -> str:
    """A line that has nothing to say is left out: no arguments, no Action Input."""
    for step in self._steps[len(self._blocks) :]:
        self._blocks.append(block(step).replace("\nAction Input: {}", ""))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_an_empty_observation_still_has_its_line",
    says="without the line 'Observation: ' the model takes it for unanswered",
)
def an_empty_result_needs_no_line(self: Scratchpad) -> str:
    """A line that has nothing to say is left out: no output, no Observation."""
    for step in self._steps[len(self._blocks) :]:
        self._blocks.append(block(step).removesuffix("\nObservation: "))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_an_empty_thought_is_left_out",
    says="an empty thought has no line of its own",
)
def every_step_has_a_thought(self: Scratchpad) -> str:
    """A step starts with `Thought:`, thought or not, so that all look alike."""
    for step in self._steps[len(self._blocks) :]:
        self._blocks.append(block(step) if step.thought else f"Thought: \n{block(step)}")
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_texts_are_kept_as_they_are",
    says="spaces and line ends, the last one too, are part of what a tool answered",
)
def an_observation_is_one_line(self: Scratchpad) -> str:
    """A part stands on a line, so an observation of several lines is joined into one."""
    for step in self._steps[len(self._blocks) :]:
        text = block(step)
        if step.observation:
            joined = " ".join(step.observation.output.split())
            text = text.removesuffix(step.observation.output) + joined
        self._blocks.append(text)
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_no_older_block_stays_where_a_newer_one_was_left_out",
    says="a history with a hole in it reads as if nothing had happened there",
)
def whatever_fits_is_kept(self: Scratchpad) -> str:
    """The cap is a budget: a block that is too long for it leaves room for shorter, older ones."""
    blocks = fill(self)
    kept, left = blocks[-1:], (self.max_chars or 10**9) - len("".join(blocks[-1:]))
    for text in reversed(blocks[:-1]):
        if len(text) + 2 <= left:
            kept.insert(0, text)
            left -= len(text) + 2
    return "\n\n".join(kept)


@wrong(
    caught_by="test_texts_are_kept_as_they_are",
    says="thought and answer are kept with the spaces around them",
)
def what_the_model_wrote_is_stripped(self: Scratchpad) -> str:
    """White space around a thought or an answer means nothing, and costs tokens."""
    for step in self._steps[len(self._blocks) :]:
        final_answer = step.final_answer and step.final_answer.strip()
        self._blocks.append(
            block(replace(step, thought=step.thought.strip(), final_answer=final_answer))
        )
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_texts_are_kept_as_they_are",
    says="line ends, the last one too, are part of what a tool answered",
)
def a_block_ends_without_white_space(self: Scratchpad) -> str:
    """A file ends with a newline; the blank line between blocks is to be one line."""
    for step in self._steps[len(self._blocks) :]:
        if step.observation:
            output = step.observation.output.rstrip()
            step = replace(step, observation=replace(step.observation, output=output))
        self._blocks.append(block(step))
    return capped(self._blocks, self.max_chars)


@wrong(
    caught_by="test_arguments_are_json",
    says="with its arguments in the order in which they came",
)
def sorted_arguments_are_easier_to_read(self: Scratchpad) -> str:
    """An object has no order, so the names may stand in that of the alphabet."""
    for step in self._steps[len(self._blocks) :]:
        if step.action:
            arguments = dict(sorted(step.action.arguments.items()))
            step = replace(step, action=replace(step.action, arguments=arguments))
        self._blocks.append(block(step))
    return capped(self._blocks, self.max_chars)
