"""23.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "23.2")

wrong(
    "A kind's time is how long its spans lasted.",
    ("own[span.kind] += span.seconds - covered", "own[span.kind] += span.seconds"),
    caught_by="test_time_in_children_is_not_a_spans_own_time",
    says="7 of them were the model's",
)
wrong(
    "What the children took is the sum of what each took.",
    ("covered += max(0.0, end - start)", "covered += child.seconds"),
    caught_by="test_two_side_by_side_are_taken_off_once",
    says="7 s, though the tools' add up to 10",
)
wrong(
    "From the first child's beginning to the last one's end, the children worked.",
    (
        "covered, until = 0.0, span.start",
        "covered, until = 0.0, span.start\n        children = "
        "below[span.id]\n        covered = (max(c.end for c in children) - min(c.start for c in "
        "children)) if children else 0.0",
    ),
    ("            covered += max(0.0, end - start)\n", ""),
    caught_by="test_a_gap_between_children_is_its_own",
    says="from 3 to 6 nothing ran below the agent",
)
wrong(
    "A child's time is within its parent's.",
    ("min(child.end, span.end)", "child.end"),
    caught_by="test_a_child_that_outlives_its_parent",
    says="after 4 there is no agent that could have waited",
)
wrong(
    "All time of one's own was waited for.",
    ("            critical[kind],\n", "            own[kind],\n"),
    caught_by="test_nobody_waits_for_the_faster_of_two",
    says="without it the run takes as long",
)
wrong(
    "Only the child that ended last was waited for.",
    (
        "                waited.append(child)\n",
        "                waited.append(child)\n                break\n",
    ),
    caught_by="test_before_the_slow_one_began_the_other_was_waited_for",
    says="both count",
)
wrong(
    "The longest child was waited for.",
    ("key=lambda child: child.end, reverse=True", "key=lambda child: child.seconds, reverse=True"),
    caught_by="test_the_end_decides_and_not_the_length",
    says="the model ended last",
)
wrong(
    "One that had begun before was waited for as well.",
    ("            if child.end <= until:\n", "            if child.start < until:\n"),
    caught_by="test_one_that_was_still_running_when_the_next_began_is_off_the_path",
    says="the tool had not ended by then",
)
wrong(
    "The path does not go below the first children.",
    (
        "                waited.append(child)\n",
        "                critical[child.kind] += child.seconds\n",
    ),
    caught_by="test_the_path_goes_down",
    says="the agent for what is below it",
)
wrong(
    "There is one run in a trace.",
    ("waited = list(below[None])", "waited = below[None][:1]"),
    caught_by="test_two_runs_in_one_trace_are_both_waited_for",
    says="nobody waited",
)
wrong(
    "What worked longest comes first.",
    ("key=lambda row: -row.critical_s", "key=lambda row: -row.self_s"),
    caught_by="test_the_longest_wait_comes_first",
    says="nobody waited for it",
)
wrong(
    "A run's row has the tokens of all its calls.",
    (
        "sum(span.input_tokens or 0 for span in spans if span.kind == kind)",
        "sum(span.input_tokens or 0 for span in spans if kind in ('agent', span.kind))",
    ),
    caught_by="test_tokens_are_added_up_by_kind",
    says="nobody pays for them twice",
)
wrong(
    "A span that took 0 seconds is not counted.",
    (
        "sum(span.kind == kind for span in spans)",
        "sum(span.kind == kind and span.seconds > 0 for span in spans)",
    ),
    caught_by="test_spans_are_counted",
    says="one that took no time is one of them",
)
wrong(
    "A kind without time of its own has nothing to show.",
    ("for kind in sorted(own)", "for kind in sorted(own) if own[kind]"),
    caught_by="test_a_child_that_ends_as_the_next_begins_was_waited_for",
    says="each kind of a span has a row, and 'agent' has none",
)
