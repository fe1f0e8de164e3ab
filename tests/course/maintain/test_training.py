"""How traces become what a model trains on. maintain/training/ itself checks what needs PyTorch."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from g2c.inference import EmbeddedBackend
from maintain.training.chat import render
from maintain.training.examples import (
    Example,
    TrainingText,
    by_length,
    by_start,
    plan_batches,
    read_traces,
    shared_start,
    tokenize,
)


class Letters:
    """A tokenizer whose tokens are the letters, but for `->`, which is one."""

    def encode(self, text: str, add_special_tokens: bool) -> SimpleNamespace:
        tokens = text.replace("->", "\0")
        ids, offsets, start = [], [], 0
        for token in tokens:
            end = start + (2 if token == "\0" else 1)
            ids.append(ord(token))
            offsets.append((start, end))
            start = end
        return SimpleNamespace(ids=ids, offsets=offsets)


def learned_text(example: Example) -> str:
    chosen = [chr(i) for i, own in zip(example.ids, example.learned, strict=True) if own]
    return "".join(chosen).replace("\0", "->")


class TestTokenize:
    def test_only_what_the_model_writes_is_learned(self):
        trace = TrainingText("k", (("Q:", False), (" 4.", True), ("\nQ:", False), (" 5.", True)))
        example = tokenize(trace, Letters())
        assert "".join(map(chr, example.ids)) == "Q: 4.\nQ: 5."
        assert learned_text(example) == " 4. 5."

    def test_text_is_cut_anew_where_the_model_begins_since_the_prompt_ended_there(self):
        example = tokenize(TrainingText("k", (("a-", False), (">b", True))), Letters())
        assert "\0" not in map(chr, example.ids), "no token can lie across the end of a prompt"
        assert learned_text(example) == ">b"

    def test_text_is_not_cut_where_the_model_ends_since_the_next_prompt_has_both(self):
        example = tokenize(
            TrainingText("k", (("a", False), ("b-", True), (">c", False))), Letters()
        )
        assert "\0" in map(chr, example.ids), "what it wrote and what follows are one text"
        assert learned_text(example) == "b", "a token that is half given is not learned"

    def test_a_trace_may_begin_with_what_the_model_writes(self):
        assert (
            learned_text(tokenize(TrainingText("k", (("ab", True), ("c", False))), Letters()))
            == "ab"
        )


class TestReadTraces:
    def test_a_line_is_a_trace(self, tmp_path):
        file = tmp_path / "t.jsonl"
        file.write_text(json.dumps({"kind": "k", "segments": [["a", False], ["b", True]]}) + "\n")
        assert read_traces(file) == [TrainingText("k", (("a", False), ("b", True)))]

    @pytest.mark.parametrize(
        "line", ["{", "[]", '{"kind": "k"}', '{"kind": "k", "segments": [["a", false]]}']
    )
    def test_a_line_that_teaches_nothing_is_named(self, tmp_path, line):
        file = tmp_path / "t.jsonl"
        file.write_text(line + "\n")
        with pytest.raises(ValueError, match="line 1"):
            read_traces(file)


def example(given: str, learned: str = "!") -> Example:
    return tokenize(TrainingText("k", ((given, False), (learned, True))), Letters())


def of_lengths(*lengths: int) -> list[Example]:
    """Examples that begin in different ways."""
    return [example(chr(number) * (n - 1)) for number, n in enumerate(lengths, 65)]


class TestSets:
    def sets(self, *given: str) -> list[list[str]]:
        traces = [TrainingText("k", ((text, False), ("!", True))) for text in given]
        made = by_start([(trace, tokenize(trace, Letters())) for trace in traces])
        return [sorted("".join(map(chr, one.ids)) for one in those) for those in made]

    def test_traces_with_the_same_paragraphs_first_are_one_set(self):
        alike = [f"Tools.\n\nExamples.\n\nQuestion {n}?\n\nThought:" for n in range(9)]
        other = [f"Task.\n\nDraft {n}.\n\nCritique:" for n in range(9)]
        assert self.sets(*alike, *other) == [[f"{t}!" for t in those] for those in (alike, other)]

    def test_a_start_is_as_long_as_enough_traces_share(self):
        one, another = (f"Tools.\n\n{examples}\n\n" for examples in ("A.", "B."))
        sets = self.sets(*[f"{one}{n}" for n in range(8)], *[f"{another}{n}" for n in range(7)])
        assert sorted(map(len, sets)) == [7, 8], "seven share too little, but the tools do"

    def test_traces_that_begin_as_no_other_are_one_set(self):
        assert list(map(len, self.sets("a\n\nb", "c\n\nd", "e"))) == [3]


class TestSharedStart:
    def test_it_ends_where_the_first_two_differ(self):
        assert shared_start([example("ab1"), example("ab2"), example("ab13")]) == 2

    def test_it_ends_before_the_token_after_which_the_model_begins(self):
        same = [example("abc", "x"), example("abc", "y")]
        assert shared_start(same) == 2, "the third token's output is what is learned from"

    def test_what_is_learned_first_leaves_nothing_to_share(self):
        assert shared_start([Example("k", (1, 2), (True, True))] * 2) == 0

    def test_one_example_shares_nothing(self):
        assert shared_start([example("abc")]) == 0


def in_order(plan: list[list[list[Example]]]) -> list[Example]:
    return [one for batch in plan for group in batch for one in group]


class TestBatches:
    def test_every_pass_has_all_examples_in_an_order_of_its_own(self):
        ten = of_lengths(*range(10, 20))
        order = in_order(plan_batches([ten[:4], ten[4:]], 2, 3, 30, seed=0))
        first, second = order[:10], order[10:]
        assert set(first) == set(second) == set(ten)
        assert first != second

    def test_a_batch_ends_with_the_group_that_fills_it(self):
        plan = plan_batches([of_lengths(*[10] * 9)], 1, 3, 20, seed=0)  # groups of two
        for batch in plan[:-1]:
            sizes = list(map(len, batch))
            assert sum(sizes[:-1]) < 3 <= sum(sizes)

    def test_a_group_is_of_one_set(self):
        ones = [example(f"one {n}") for n in range(6)]
        twos = [example(f"two {n}") for n in range(6)]
        for batch in plan_batches([ones, twos], 1, 2, 20, seed=0):
            for group in batch:
                assert set(group) <= set(ones) or set(group) <= set(twos)

    def test_the_seed_decides_and_nothing_else(self):
        sets = [of_lengths(*range(10, 20))]
        assert plan_batches(sets, 1.5, 2, 30, seed=1) == plan_batches(sets, 1.5, 2, 30, seed=1)
        assert plan_batches(sets, 1.5, 2, 30, seed=1) != plan_batches(sets, 1.5, 2, 30, seed=2)

    def test_rows_filled_up_to_the_longest_stay_within_the_limit(self):
        groups = by_length(of_lengths(5, 90, 30, 6, 31, 250), 100)
        assert sorted(len(e.ids) for group in groups for e in group) == [5, 6, 30, 31, 90, 250]
        for group in groups:
            filled = len(group) * max(len(e.ids) for e in group)
            assert filled <= 100 or len(group) == 1, "a long row goes alone"

    def test_a_start_that_all_share_takes_no_room(self):
        rows = [example("s" * 90 + f"{n}") for n in range(9)]  # two tokens each after it
        assert list(map(len, by_length(rows, 18))) == [9]


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "user", "content": "What is the capital of France?"}],
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "  Hello?\n"}],
    ],
)
def test_a_chat_is_rendered_as_llama_cpp_renders_it(messages):
    model = EmbeddedBackend()
    raw = model.complete(render(messages), max_new_tokens=1, temperature=0)
    reply = model._llama.ask({"messages": messages, "n_predict": 1, "stream": True})

    assert reply.prompt_tokens == raw.prompt_tokens
    assert reply.metadata["cache_n"] == raw.prompt_tokens - 1, (
        "after the same text, all tokens of the chat but the last must be in the cache"
    )
