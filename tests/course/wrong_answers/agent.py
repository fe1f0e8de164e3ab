"""19.4 gone wrong."""

from __future__ import annotations

import json
from functools import partial

from g2c.agent import Action, Agent, AgentRunResult, parse_react_step

from . import wrong

wrong = partial(wrong, "19.4")


def same(one: Action | None, other: Action | None) -> bool:
    return one is not None and other is not None and key(one) == key(other)


def key(action: Action) -> str:
    return json.dumps([action.tool, action.arguments], sort_keys=True)


@wrong(
    caught_by="test_the_run_stops_after_max_steps",
    says="max_steps=3 means three calls to the model",
)
def the_last_step_is_for_the_answer(self: Agent, user_message: str) -> AgentRunResult:
    """max_steps counts the answer, too, so there are max_steps - 1 steps before it."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps - 1):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_unreadable_steps_count_as_steps",
    says="max_steps=4 means four calls to the model, whether or not it writes what can be read",
)
def an_unreadable_step_is_tried_again(self: Agent, user_message: str) -> AgentRunResult:
    """A step that could not be read was none: it is made again and costs nothing."""
    record, last, taken = self._start(user_message), None, 0
    while taken < self.max_steps:
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
            taken += 1
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_unreadable_step_reaches_the_next_prompt",
    says="a step that could not be read was dropped",
)
def only_what_was_read_is_kept(self: Agent, user_message: str) -> AgentRunResult:
    """A step that could not be read holds nothing worth keeping."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.parse_error:
            if self.halt_on_stuck:
                record.add(inference, parsed)
                return record.finish("no_progress")
            last = None
            continue
        if parsed.action is None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_every_completion_becomes_a_step",
    says="is every completion added before the run is finished?",
)
def an_answer_is_no_step(self: Agent, user_message: str) -> AgentRunResult:
    """The answer is the result of the run, not one of its steps."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_a_repeated_action_is_not_carried_out_again",
    says="look before you act",
)
def act_then_look(self: Agent, user_message: str) -> AgentRunResult:
    """A repetition is found when the step is kept; that it was carried out once more is no harm."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        observation = self._act(parsed.action) if parsed.action else None
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        record.add(inference, parsed, observation)
        if parsed.action is None and self.halt_on_stuck:
            return record.finish("no_progress")
        if self.loop_detection and same(parsed.action, last):
            return record.finish("duplicate_action")
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_values_that_only_python_takes_for_equal_are_different",
    says="compare the text that json.dumps makes, not Python's objects",
)
def equal_dicts_are_equal_arguments(self: Agent, user_message: str) -> AgentRunResult:
    """Actions are data, so == compares them."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and parsed.action == last:
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_the_order_of_arguments_does_not_hide_a_repetition",
    says="did you compare them as they were written?",
)
def equal_calls_are_written_alike(self: Agent, user_message: str) -> AgentRunResult:
    """A model that repeats itself writes the same text again."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        written = parsed.action and json.dumps([parsed.action.tool, parsed.action.arguments])
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and written == last:
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = written
    return record.finish("max_steps")


@wrong(
    caught_by="test_another_argument_or_another_tool_is_no_repetition",
    says="so is the same argument for another tool",
)
def equal_arguments_are_an_equal_call(self: Agent, user_message: str) -> AgentRunResult:
    """The arguments are what a repetition shows in."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        arguments = parsed.action and json.dumps(parsed.action.arguments, sort_keys=True)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and arguments == last:
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = arguments
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_action_may_come_back_later",
    says="only two steps in a row count",
)
def any_earlier_action_is_a_repetition(self: Agent, user_message: str) -> AgentRunResult:
    """A call that was made before gives what it gave before, so a set of all calls finds loops."""
    record, seen = self._start(user_message), set()
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and key(parsed.action) in seen:
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
            seen.add(key(parsed.action))
    return record.finish("max_steps")


@wrong(
    caught_by="test_a_step_between_makes_it_no_repetition",
    says="the step just before had no action",
)
def the_last_action_is_the_step_before(self: Agent, user_message: str) -> AgentRunResult:
    """The last action that was carried out is that of the step just before."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
            last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_two_steps_without_action_are_no_repetition",
    says="None is not an action that comes twice",
)
def equal_keys_are_a_repetition(self: Agent, user_message: str) -> AgentRunResult:
    """If this step's key is the last step's key, it is a repetition."""
    record, last = self._start(user_message), ""
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        now = key(parsed.action) if parsed.action else None
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if self.loop_detection and now == last:
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        observation = self._act(parsed.action) if parsed.action else None
        record.add(inference, parsed, observation)
        if parsed.action is None and self.halt_on_stuck:
            return record.finish("no_progress")
        last = now
    return record.finish("max_steps")


@wrong(
    caught_by="test_without_loop_detection_a_repetition_is_carried_out",
    says="with loop_detection=False a repetition is as good as any action",
)
def a_repetition_is_always_a_loop(self: Agent, user_message: str) -> AgentRunResult:
    """Nobody wants the same call twice, so there is nothing to switch."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_agent_can_be_used_again",
    says="something of a run was kept on the agent",
)
def the_agent_remembers_its_last_action(self: Agent, user_message: str) -> AgentRunResult:
    """What must outlive one turn of the loop belongs on self."""
    record = self._start(user_message)
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, getattr(self, "last", None)):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
            self.last = parsed.action
            continue
        self.last = None
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_agent_can_run_inside_one_of_its_own_tools",
    says="what belongs to a run must not stand on self",
)
def the_agent_has_one_record(self: Agent, user_message: str) -> AgentRunResult:
    """An agent does one run at a time, so self.record is that run's."""
    self.record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(self.record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            self.record.add(inference, parsed)
            return self.record.finish("final_answer")
        if parsed.action is None:
            self.record.add(inference, parsed)
            if self.halt_on_stuck:
                return self.record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            self.record.add(inference, parsed)
            return self.record.finish("duplicate_action")
        else:
            observation = self._act(parsed.action)
            self.record.add(inference, parsed, observation)
        last = parsed.action
    return self.record.finish("max_steps")


@wrong(
    caught_by="test_halt_on_stuck_lets_a_failed_action_pass",
    says="an action that fails is still an action",
)
def a_failed_action_is_no_progress(self: Agent, user_message: str) -> AgentRunResult:
    """With halt_on_stuck an action that failed ends the run: it brought nothing."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        observation = None
        if parsed.action:
            if self.loop_detection and same(parsed.action, last):
                record.add(inference, parsed)
                return record.finish("duplicate_action")
            observation = self._act(parsed.action)
        record.add(inference, parsed, observation)
        if self.halt_on_stuck and (observation is None or observation.is_error):
            return record.finish("no_progress")
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_error_of_a_tool_reaches_the_next_prompt",
    says="an error is an observation, not the end",
)
def a_failed_tool_ends_the_run(self: Agent, user_message: str) -> AgentRunResult:
    """Where a tool fails there is nothing left to answer with."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            observation = self._act(parsed.action)
            record.add(inference, parsed, observation)
            if observation.is_error:
                return record.finish("no_progress")
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_a_model_that_cannot_be_asked_is_not_hidden",
    says="a model that cannot be asked is the caller's to know",
)
def a_run_never_raises(self: Agent, user_message: str) -> AgentRunResult:
    """The loop never raises, so whatever goes wrong in it ends the run without progress."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        try:
            inference = self._complete(self._build_prompt(record))
        except Exception:
            return record.finish("no_progress")
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_the_model_is_asked_to_stop_before_an_observation",
    says="you seem to have called the backend yourself",
)
def the_backend_can_be_asked_directly(self: Agent, user_message: str) -> AgentRunResult:
    """self._complete is a wrapper around self.backend.complete; both do the same."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self.backend.complete(self._build_prompt(record), **self.sampling)
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_your_loop_drives_the_native_channel",
    says="does your loop go around one of them?",
)
def a_completion_is_always_text(self: Agent, user_message: str) -> AgentRunResult:
    """self._parse is parse_react_step on the completion, so that can be called at once."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = parse_react_step(inference.completion)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_the_order_of_arguments_does_not_hide_a_repetition",
    says="JSON objects have no order, at any depth",
)
def sorting_the_items_sorts_the_object(self: Agent, user_message: str) -> AgentRunResult:
    """Sorted by name, the arguments of two equal calls are written alike."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        key = None
        if parsed.action:
            items = sorted((name, repr(value)) for name, value in parsed.action.arguments.items())
            key = (parsed.action.tool, items)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and key == last:
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = key
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_answer_ends_the_run",
    says="does every way out of it return the result of record.finish?",
)
def finishing_ends_the_run(self: Agent, user_message: str) -> AgentRunResult:
    """record.finish ends the run, and what it gives is the result."""
    record, last = self._start(user_message), None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            record.finish("final_answer")
        elif parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_action_is_carried_out_and_its_result_is_in_the_next_prompt",
    says="prompt 2 is the same as prompt 1",
)
def the_prompt_follows_the_record(self: Agent, user_message: str) -> AgentRunResult:
    """The prompt is made from the record, so what is added to the one is in the other."""
    record, last = self._start(user_message), None
    prompt = self._build_prompt(record)
    for _ in range(self.max_steps):
        inference = self._complete(prompt)
        parsed = self._parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


@wrong(
    caught_by="test_an_answer_in_the_last_step_counts",
    says="an answer ends the run by final_answer, whichever step it comes in",
)
def the_steps_are_used_up_first(self: Agent, user_message: str) -> AgentRunResult:
    """A run that has used up its steps stopped by max_steps, whatever the last one was."""
    record, last = self._start(user_message), None
    for number in range(1, self.max_steps + 1):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        if self.loop_detection and same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        record.add(inference, parsed, self._act(parsed.action) if parsed.action else None)
        if number == self.max_steps:
            return record.finish("max_steps")
        if parsed.final_answer is not None:
            return record.finish("final_answer")
        if parsed.action is None and self.halt_on_stuck:
            return record.finish("no_progress")
        last = parsed.action
    raise AssertionError("max_steps is at least 1")
