"""Prompts that are kept for the next process: which one is taken, and what is wrong with a file."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path

import pytest

from g2c.inference.embedded import prompt_cache
from g2c.inference.embedded.prompt_cache import MAX_A_PROCESS, MIN_LETTERS, MIN_TOKENS, PromptCache

RULES = "You are an agent. " * 100
LONG = MIN_TOKENS


class Model:
    """Holds the text that it read last, or that was restored."""

    def __init__(self, folder: Path, key: str = "model") -> None:
        self.holds = ""
        self.done: list[str] = []
        self._folder = folder
        self._fronts = PromptCache(folder, key, self._slot)

    def ask(self, prompt: str, read: int = LONG) -> list[str]:
        """The actions on the slot for this prompt."""
        self.done = []
        self._fronts.fetch({"prompt": prompt})
        self.holds = prompt
        self._fronts.keep({"prompt": prompt}, read)
        return self.done

    def _slot(self, action: str, name: str) -> None:
        self.done.append(action)
        if action == "save":
            (self._folder / name).write_text(self.holds)
        elif action == "restore":
            self.holds = (self._folder / name).read_text()


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path


class TestWhatIsKept:
    def test_a_later_process_takes_what_begins_alike(self, folder):
        assert Model(folder).ask(RULES + "Monday") == ["save"]
        assert Model(folder).ask(RULES + "Tuesday", read=4) == ["restore"]

    def test_a_chat_is_known_by_its_messages(self, folder):
        def chat(question):
            return {"messages": [{"role": "system", "content": RULES}, {"content": question}]}

        done = []

        def slot(action, name):
            done.append(action)
            (folder / name).touch()

        PromptCache(folder, "model", slot).keep(chat("Monday"), LONG)
        PromptCache(folder, "model", slot).fetch(chat("Tuesday"))
        assert done == ["save", "restore"]

    def test_a_prompt_of_which_little_was_read_is_not_kept(self, folder):
        assert Model(folder).ask(RULES, read=MIN_TOKENS - 1) == []

    def test_a_file_with_another_beginning_is_not_taken(self, folder):
        Model(folder).ask(RULES)
        assert Model(folder).ask("Else. " + RULES, read=4) == []

    def test_the_longest_front_is_taken(self, folder):
        Model(folder).ask(RULES)
        Model(folder).ask(RULES + "A diary. " * 300)
        model = Model(folder)
        model.ask(RULES + "A diary. " * 300 + "Monday", read=4)
        assert len([*folder.glob("*.state")]) == 2
        assert "restore" in model.done

    def test_a_known_fact_is_not_added(self, folder):
        Model(folder).ask(RULES + "x" * (MIN_LETTERS - 1))
        model = Model(folder)
        assert model.ask(RULES, read=4) == ["restore"]
        assert model.ask(RULES + "x" * (MIN_LETTERS - 1), read=4) == []

    def test_a_second_front_is_taken_once_the_first_is_put_aside(self, folder):
        planner = "Plan. " * 300
        before = Model(folder)
        before.ask(planner)
        before.ask(RULES)
        model = Model(folder)
        assert model.ask(planner, read=4) == ["restore"]
        assert model.ask(RULES, read=4) == ["park", "restore"]
        assert model.ask(planner, read=4) == []

    def test_another_model_takes_nothing(self, folder):
        Model(folder, "one").ask(RULES)
        assert Model(folder, "other").ask(RULES, read=4) == []

    def test_a_process_keeps_a_few(self, folder):
        model = Model(folder)
        for number in range(MAX_A_PROCESS + 2):
            model.ask(f"{number}. {RULES}")
        assert len([*folder.glob("*.state")]) == MAX_A_PROCESS

    def test_those_that_were_not_used_for_longest_go_first(self, folder, monkeypatch):
        monkeypatch.setattr(prompt_cache, "MAX_BYTES", 4 * len(RULES))
        model = Model(folder)
        for number in range(3):
            model.ask(f"{number}. {RULES}")
            for record in folder.glob("*.json"):
                text = json.loads(record.read_text())["text"]
                os.utime(record, (int(text[0]), int(text[0])))
        Model(folder).ask("0. " + RULES, read=4)  # it was used now
        Model(folder).ask("3. " + RULES)
        texts = {json.loads(record.read_text())["text"][0] for record in folder.glob("*.json")}
        assert texts == {"0", "2", "3"}

    def test_leftovers_of_a_killed_process_are_removed_later(self, folder):
        old = folder / "1.part"
        old.touch()
        os.utime(old, (0, 0))
        Model(folder).ask(RULES)
        assert not old.exists()


class TestDamage:
    def state(self, folder: Path, text: str = RULES) -> Path:
        before = {*folder.glob("*.state")}
        Model(folder).ask(text)
        (state,) = {*folder.glob("*.state")} - before
        return state

    @pytest.mark.parametrize("damage", ["torn", "flipped", "empty"])
    def test_a_damaged_file_is_removed_and_made_anew(self, folder, damage):
        state = self.state(folder)
        whole = state.read_bytes()
        flipped = whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]
        state.write_bytes({"torn": whole[:-1], "flipped": flipped, "empty": b""}[damage])
        model = Model(folder)
        assert model.ask(RULES) == ["save"]
        assert state.read_bytes() == whole

    def test_swapped_files_are_found(self, folder):
        one, other = self.state(folder), self.state(folder, "Plan. " * 300)
        one_bytes = one.read_bytes()
        shutil.copy(other, one)
        other.write_bytes(one_bytes)
        assert Model(folder).ask(RULES, read=4) == []
        assert Model(folder).ask("Plan. " * 300, read=4) == []

    @pytest.mark.parametrize("record", ["", "[]", "{}", '{"text": ', "\x00"])
    def test_a_record_that_cannot_be_read_is_passed_over(self, folder, record):
        state = self.state(folder)
        state.with_suffix(".json").write_text(record)
        assert Model(folder).ask(RULES, read=4) == []

    def test_a_file_without_its_record_is_passed_over(self, folder):
        self.state(folder).with_suffix(".json").unlink()
        assert Model(folder).ask(RULES, read=4) == []

    @pytest.mark.parametrize("error", [OSError, HTTPException, ValueError])
    def test_a_slot_that_fails_is_nobodys_concern(self, folder, error):
        def slot(*_):
            raise error("no")

        self.state(folder)
        broken = PromptCache(folder, "model", slot)
        broken.fetch({"prompt": RULES})
        broken.keep({"prompt": RULES}, LONG)
        assert not [*folder.glob("*.part")]

    def test_a_folder_that_is_gone_is_nobodys_concern(self, folder):
        kept = PromptCache(folder / "gone", "model", lambda *_: None)
        kept.fetch({"prompt": RULES})
        kept.keep({"prompt": RULES}, LONG)


ASK = """
import sys
from g2c.inference import EmbeddedBackend
model = EmbeddedBackend(keep=sys.argv[1] != "forget", exact=sys.argv[1] != "fast")
for prompt in sys.argv[2:]:
    result = model.complete(prompt, max_new_tokens=24)
    print(result.metadata["cache_n"] > 200, repr(result.completion), flush=True)
"""
PROMPT = "The tide table of the harbour, line by line. " * 25


@pytest.mark.slow
class TestProcesses:
    """With the real model, and processes as a person would start them."""

    @pytest.fixture
    def ask(self, tmp_path, monkeypatch):
        monkeypatch.setenv("G2C_CACHE", str(tmp_path))
        monkeypatch.delenv("G2C_KEEP_PROMPTS", raising=False)

        def run(*arguments: str) -> list[tuple[str, str]]:
            done = subprocess.run(
                [sys.executable, "-c", ASK, *arguments], capture_output=True, text=True, timeout=600
            )
            assert (done.stderr, done.returncode) == ("", 0)
            return [tuple(line.split(" ", 1)) for line in done.stdout.splitlines()]

        return run

    def test_a_second_process_says_the_same_and_reads_less(self, ask):
        prompts = (PROMPT + "Monday:", "Plan. " + PROMPT, PROMPT + "Friday:")
        without = ask("forget", *prompts)
        first, second = ask("keep", *prompts), ask("keep", *prompts)
        assert [line[0] for line in first] == ["False", "False", "True"]
        assert [line[0] for line in second] == ["True", "True", "True"]
        assert [line[1] for line in first] == [line[1] for line in second]
        assert [line[1] for line in without] == [line[1] for line in second]

    def test_an_exact_model_shares_no_prompts_with_one_that_is_not(self, ask, monkeypatch):
        monkeypatch.delenv("G2C_EXACT")
        shared = [ask(way, PROMPT)[0][0] for way in ("fast", "keep", "fast", "keep")]
        assert shared == ["False", "False", "True", "True"]

    def test_a_damaged_file_changes_nothing(self, ask, tmp_path):
        ((_, said),) = ask("keep", PROMPT)
        (state,) = (tmp_path / "prompts").glob("*.state")
        whole = state.read_bytes()
        state.write_bytes(whole[:-9] + b"\xff" + whole[-8:])  # TestDamage has the other kinds
        assert ask("keep", PROMPT) == [("False", said)]
        assert ask("keep", PROMPT) == [("True", said)]

    def test_the_switch_keeps_nothing(self, ask, tmp_path, monkeypatch):
        ask("forget", PROMPT)
        monkeypatch.setenv("G2C_KEEP_PROMPTS", "0")
        ask("keep", PROMPT)
        assert not (tmp_path / "prompts").exists()

    def test_processes_at_once_do_not_clash(self, ask):
        with ThreadPoolExecutor(3) as pool:
            said = list(pool.map(lambda _: ask("keep", PROMPT, "Plan. " + PROMPT), range(3)))
        assert len({tuple(line[1] for line in process) for process in said}) == 1

    def test_a_model_whose_cache_folder_cannot_be_made_answers(self, ask, tmp_path, monkeypatch):
        (tmp_path / "file").touch()
        monkeypatch.setenv("G2C_CACHE", str(tmp_path / "file/cache"))
        script = (
            "from g2c.inference import EmbeddedBackend\n"
            "model = EmbeddedBackend()\n"
            "said = model.complete('The capital of France is', max_new_tokens=1, top_k=1)\n"
            "print(said.completion)"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert (done.stdout, done.stderr) == (" Paris\n", "")
