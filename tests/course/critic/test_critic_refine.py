"""Module 21's critique and loop on every text and every script, and `g2c review refine`."""

import re
from pathlib import Path

import pytest
from checkout import Checkout
from command import g2c
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.critic import recall_pitfalls, remember_critique
from g2c.critic.app.roles import Critic, Generator, Refiner
from g2c.critic.core.prompts import critique_from_json, render_critique
from g2c.critic.core.types import Critique, Round
from g2c.exercises.e21_1_parse_critique.solution import parse_critique
from g2c.exercises.e21_2_run_refinement_loop.solution import run_refinement_loop
from g2c.inference import BackendError, EmbeddedBackend
from g2c.memory import MemoryStore

# The same examples each time, and no limit by the clock: a failure here is never by chance.
repeatable = settings(derandomize=True, max_examples=200)

markers = st.sampled_from(["SCORE", "issues", "**Recommendation**", "# RECOMMENDATION", "HM"])
bodies = st.one_of(
    st.sampled_from(
        ["APPROVE", "approve.", "**REVISE**", "APPROVE | REVISE", "7/10", "11", "- a\n* b", "none"]
    ),
    st.sampled_from(
        [
            "",
            "\n",
            "\r\n",
            " ",
            "**",
            "9" * 400,
            "\N{ARABIC-INDIC DIGIT FIVE}",
            "\N{LATIN SMALL LETTER LONG S}",
        ]
    ),
    st.text(max_size=12),
)
lines = st.builds("{}{}{}".format, markers, st.sampled_from([":", " : ", ":**", "", "\n"]), bodies)
texts = st.lists(lines | bodies, max_size=8).map("\n".join)


@repeatable
@given(texts)
def test_every_text_has_a_critique(text: str) -> None:
    critique = parse_critique(text)
    assert critique.score is None or 0 <= critique.score <= 10
    assert all(issue.strip() == issue != "" for issue in critique.issues)
    assert not (critique.approved and critique.parse_error)


@repeatable
@given(texts)
def test_nothing_is_approved_without_a_line_that_says_so(text: str) -> None:
    line = r"^(?:[ \t#]|\*\*)*recommendation[ \t*]*:[ \t*]*approve[ \t*]*\.?[ \t*]*\r?$"
    said = re.search(line, text, re.IGNORECASE | re.MULTILINE)
    assert said or not parse_critique(text).approved


@repeatable
@given(texts)
def test_a_line_that_says_revise_is_never_outvoted(text: str) -> None:
    assert not parse_critique(f"{text}\nRECOMMENDATION: REVISE").approved


words = st.from_regex(r"[a-z][a-z ]{0,20}[a-z]", fullmatch=True).filter(lambda word: word != "none")
critiques = st.builds(
    Critique,
    st.none() | st.integers(0, 100).map(lambda tenths: tenths / 10),
    st.lists(words, max_size=4).map(tuple),
    st.sampled_from(["APPROVE", "REVISE"]),
)


@repeatable
@given(critiques)
def test_a_critique_shown_to_a_model_reads_back_the_same(critique: Critique) -> None:
    assert parse_critique(render_critique(critique)) == critique


@repeatable
@given(st.integers(0, 10), st.lists(words, max_size=3).map(tuple))
def test_both_forms_say_the_same(score: int, issues: tuple[str, ...]) -> None:
    critique = Critique(score, issues, "REVISE")
    assert critique_from_json(render_critique(critique, "json")) == critique


answers = st.sampled_from(["approve", "revise", "error"])


@repeatable
@given(st.lists(answers, min_size=20, max_size=20), st.integers(1, 5))
def test_whatever_happens_the_loop_keeps_its_bounds(script: list[str], max_rounds: int) -> None:
    played = iter(script)
    judged: list[str] = []
    written: list[str] = []
    heard: list[Round] = []
    calls = 0

    def play() -> str:
        nonlocal calls
        calls += 1
        if (answer := next(played)) == "error":
            raise BackendError("no model")
        return answer

    def write(*_: object) -> str:
        play()
        written.append(f"draft {len(written)}")
        return written[-1]

    def judge(task: str, draft: str) -> Critique:
        answer = play()
        judged.append(draft)
        return Critique(recommendation="APPROVE" if answer == "approve" else "REVISE")

    state = run_refinement_loop(
        "a task",
        generator=write,
        critic=judge,
        refiner=write,
        max_rounds=max_rounds,
        on_round=heard.append,
    )
    assert state.calls == calls <= 2 * max_rounds
    assert [round.draft for round in state.rounds] == judged
    assert state.final_draft == (judged[-1] if judged else None)
    assert tuple(heard) == state.rounds
    assert [round.number for round in heard] == list(range(1, len(heard) + 1))
    assert state.converged == (state.stopped_reason == "approved")
    assert state.converged == any(round.critique.approved for round in heard)
    assert (state.error is not None) == (state.stopped_reason == "error")
    assert [*judged, *([state.unreviewed] if state.unreviewed else [])] == written


TASK = "Say in one sentence what a compiler does."


def test_a_draft_is_shown_the_five_newest_remembered_issues(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    for number in range(8):
        remember_critique(store, Critique(issues=(f"Issue {number}.",)), TASK)
    shown = [f"- Issue {number}." for number in (7, 6, 5, 4, 3)]
    assert recall_pitfalls(store, TASK).splitlines() == shown


@pytest.mark.slow
def test_a_real_model_goes_through_a_round() -> None:
    model = EmbeddedBackend()
    state = run_refinement_loop(
        TASK,
        generator=Generator(model, max_new_tokens=24),
        critic=Critic(model, max_new_tokens=100),
        refiner=Refiner(model),
        max_rounds=1,
    )
    assert state.error is None and state.calls == 2, state
    (only,) = state.rounds
    assert "compiler" in only.draft, "the draft is about the task"
    assert "<draft>" not in only.draft and "Task:" not in only.draft, "it is the draft alone"
    assert only.critique.score is not None, "the critique has the form of its prompt's examples"


@pytest.mark.slow
def test_a_person_has_a_draft_of_their_own_refined(tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("I do [not] know.\n", "utf-8")
    home = tmp_path / "home"
    # Without its adapter, because with it the model approves, and an approval is not kept.
    arguments = ["review", "refine", TASK, "--rounds", "1", "--json", "--model", "embedded-plain"]
    done = g2c(*arguments, "--draft", str(draft), "--home", str(home), root=tmp_path)
    approved = "stopped: approved" in done.stdout
    assert done.returncode == (0 if approved else 1), done.stderr
    assert "round 1" in done.stdout and "I do [not] know." in done.stdout
    assert "Final draft" in done.stdout and "calls, stopped:" in done.stdout
    assert "Issues  " in done.stdout, "they are told of, also where there are none"
    assert "Not read" not in done.stdout, "a JSON schema leaves nothing to misread"
    transcript = "".join(file.read_text("utf-8") for file in home.glob("memory/transcripts/*"))
    assert '"role": "critic"' in transcript, "what the critic found is kept"


@pytest.mark.slow
def test_another_model_judges_than_the_one_that_writes(tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("A compiler.", "utf-8")
    arguments = ["review", "refine", TASK, "--rounds", "1", "--json", "--draft", str(draft)]
    verdicts = []
    for models in (
        ["--model", "embedded"],
        ["--model", "embedded", "--judge-model", "embedded-plain"],
    ):
        done = g2c(*arguments, *models, root=tmp_path)
        assert done.stdout.count("Model:") == len(models) / 2, done.stdout + done.stderr
        verdicts.append("stopped: approved" in done.stdout)
    assert verdicts == [True, False], "with its adapter the model approves, without it does not"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["   "], "Say what to write."),
        ([TASK, "--draft", "nowhere.txt"], "nowhere.txt"),
        ([TASK, "--draft", "empty.txt"], "empty.txt is empty"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    done = g2c("review", "refine", *arguments, root=tmp_path)
    assert done.returncode == 1 and says in done.stderr


def test_a_loop_that_is_not_written_yet_is_one_line(tmp_path: Path) -> None:
    done = Checkout(tmp_path).g2c("review", "refine", TASK, "--model", "embedded")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "21.2 run_refinement_loop: not started" in done.stderr
