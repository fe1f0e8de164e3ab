"""Recall's score, and what is built on it: the rules that a person would state."""

import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cases import each

from g2c.inference import BackendError, ScriptedBackend
from g2c.memory.app.corpus import Corpus
from g2c.memory.app.layers import TranscriptLog
from g2c.memory.app.recall import Recall, make_recall_tool, rank
from g2c.memory.core.paragraphs import Paragraph
from g2c.memory.core.scoring import score
from g2c.memory.core.terms import InvertedIndex
from g2c.memory.core.topics import Topics
from g2c.memory.core.types import TopicDraft, Turn


def places(points: float) -> float:
    return round(points, 3)


def weight(n: int, df: int) -> float:
    return places(math.log(1 + n / df))


class TestRecallScore:
    """`test_memory_recall.py` has a scan of all texts beside it."""

    def test_the_index_stays_as_it_is(self) -> None:
        index = InvertedIndex()
        for text in ("tea, milk", "tea", "milk", "tea"):
            index.add(text)
        before = {term: list(index.postings(term)) for term in ("tea", "milk", "zeppelin")}
        score("tea milk zeppelin", index)
        after = {term: list(index.postings(term)) for term in before}
        assert after == before, (
            "postings are the index's own lists, for all questions to come, and they were changed"
        )

    def test_the_work_does_not_grow_with_the_index(self) -> None:
        asked: list[str] = []

        class Watched(InvertedIndex):
            def postings(self, term: str) -> Sequence[int]:
                asked.append(term)
                return super().postings(term)

        index = Watched()
        for _ in range(500):
            index.add("It rains.")
        index.add("The tea is cold.")
        assert [number for number, _ in score("cold tea", index)] == [500]
        assert len(asked) <= 10, "the postings name the texts that have a term"


def notes(*texts: str, file: str = "notes.md") -> list[Paragraph]:
    """Paragraphs of one file, on lines 1, 2, and so on."""
    return [Paragraph(text, Path(file), line) for line, text in enumerate(texts, 1)]


def corpus_of(*paragraphs: Paragraph) -> Corpus:
    corpus = Corpus()
    corpus.add(paragraphs)
    return corpus


class TestRecallSearch:
    def test_a_paragraph_shares_in_what_its_neighbour_scored(self) -> None:
        said = notes("Hello.", "Where did you go on holiday?", "To Bergen.", "How nice.")
        found = corpus_of(*said).search("Where was the holiday?", 20)
        own = math.log(1 + 4 / 1)
        assert [(paragraph.line, places(points)) for paragraph, points in found] == [
            (2, places(0.8 * own)),
            (3, places(0.7 * own)),
            (1, places(0.7 * own)),
            (4, places(0.7 * 0.7 * own)),
        ], (
            "a term counts 0.7 for each step; the answer shares no word with the question, and a "
            "paragraph that asks keeps 0.8"
        )

    def test_a_term_that_stands_twice_nearby_counts_once(self) -> None:
        said = notes("The cat sleeps.", "The cat eats.", "A cup.", "A hat.", "A map.", "A pen.")
        found = corpus_of(*said).search("cat", 20)
        cat = math.log(1 + 6 / 2)
        assert {paragraph.line: places(points) for paragraph, points in found} == {
            1: weight(6, 2),
            2: weight(6, 2),
            3: places(0.7 * cat),
            4: places(0.7**2 * cat),
            5: places(0.7**3 * cat),
        }, "a word beside itself does not make a paragraph answer more of the question"

    def test_earlier_words_are_not_an_answer_to_a_question(self) -> None:
        file = Path("day.jsonl")
        turns = [Paragraph(text, file, 1) for text in ("I like tea.", "My dog is Rex.")]
        asked = Paragraph("What became of the boat?", file, 3, is_question=True)
        answer = Paragraph("It sank.", file, 4)
        corpus = corpus_of(*turns, asked, answer)
        found = corpus.search("what  became of the BOAT?", 20)
        assert [paragraph.text for paragraph, _ in found] == ["It sank."], (
            "the question has all of its own words, so what stands above it would come before what "
            "has some of them"
        )
        found = corpus.search("Which boat?", 20)
        assert "My dog is Rex." in [paragraph.text for paragraph, _ in found], (
            "another question, of whose subject it may have been said"
        )

    def test_files_are_not_neighbours(self) -> None:
        corpus = corpus_of(*notes("A holiday.", file="a.md"), *notes("To Bergen.", file="b.md"))
        assert [paragraph.file.name for paragraph, _ in corpus.search("holiday", 20)] == ["a.md"]

    def test_a_topic_is_found_by_its_name_and_with_its_place(self, tmp_path: Path) -> None:
        topics = Topics(tmp_path)
        body = "It was bought in May.\n\nIt is red."
        topics.write(TopicDraft("Boat", "a boat", "fact", body), datetime(2026, 4, 21, tzinfo=UTC))
        found = Recall(topics)("Is the boat red?")
        assert [hit.excerpt for hit in found[:1]] == ["It is red."], (
            "the words of a topic's name count for its paragraphs: this one has boat and red"
        )
        best = found[0]
        lines = best.file.read_text(encoding="utf-8").splitlines()
        assert lines[best.line - 1] == "It is red.", "a line is counted in the file, head and all"

    def test_without_a_model_the_reason_says_so(self) -> None:
        found = corpus_of(*notes("The boat is red.", "It rains.")).search("red boats", 20)
        assert [hit.reason for hit in rank("red boats", found, 3, None)] == [
            "In lexical order (no model was asked): it has red, boats.",
            "In lexical order (no model was asked): it stands beside a match.",
        ]

    def test_a_model_puts_its_choice_first(self) -> None:
        found = corpus_of(*notes("red tea", "red milk", "red boat")).search("red", 20)
        third, second, first = (paragraph.line for paragraph, _ in found)
        answer = {"best": [{"note": 3, "reason": "It is\nabout tea."}, {"note": 2, "reason": ""}]}
        hits = rank("red", found, 3, ScriptedBackend([json.dumps(answer)]))
        assert [(hit.line, hit.reason) for hit in hits] == [
            (first, "It is about tea."),
            (second, "The model gave no reason: it has red."),
            (third, "In lexical order (the model chose no more): it has red."),
        ]

    @each(["I cannot.", "{}", '{"best": [{"note": 9}]}', BackendError("It is off.")], "answer")
    def test_an_answer_that_cannot_be_used_leaves_the_order(self, answer: Any) -> None:
        found = corpus_of(*notes("red tea", "red milk")).search("red", 20)
        hits = rank("red", found, 3, ScriptedBackend([answer]))
        assert [hit.line for hit in hits] == [2, 1]
        problem = "It is off" if isinstance(answer, Exception) else "cannot be read"
        assert all("In lexical order" in hit.reason and problem in hit.reason for hit in hits)

    def test_a_persons_words_come_before_the_agents_answer(self, tmp_path: Path) -> None:
        said = [
            ("user", "My boat is in the blue harbour."),
            ("user", "It rains."),
            ("assistant", "Your boat is in the red harbour."),
        ]
        log = TranscriptLog(tmp_path / "transcripts")
        for minute, (role, text) in enumerate(said):
            log.append(Turn(datetime(2026, 4, 21, 9, minute, tzinfo=UTC), "a", role, text))
        topics = Topics(tmp_path / "topics")
        found = [hit.excerpt for hit in Recall(topics, log)("In which harbour is my boat?")]
        assert found[0] == said[0][1] and found[-1] == said[2][1]
        quoted = f'- 2026-04-21: "{said[0][1]}"'
        topics.write(TopicDraft("Said", "", "user", quoted), datetime(2026, 4, 22, tzinfo=UTC))
        found = [hit.excerpt for hit in Recall(topics, log)("In which harbour is my boat?")]
        assert found[0] == quoted and said[0][1] not in found, "once is enough"

    def test_one_loops_log_does_not_take_all_places(self, tmp_path: Path) -> None:
        topics = Topics(tmp_path / "topics")
        for name in ("Loop 2026-04-20", "Loop 2026-04-21", "Ada"):
            texts = [f"{name} bakes bread and bread {n}." for n in (1, 2, 3)]
            body = "\n\n".join(texts) if "Loop" in name else "Ada likes rye bread."
            draft = TopicDraft(name, "", "episode", body)
            topics.write(draft, datetime(2026, 4, 21, tzinfo=UTC))
        found = [hit.file.name for hit in Recall(topics)("Who bakes bread?", k=4)]
        assert sorted(found[:3]) == ["ada.md", "loop-2026-04-20.md", "loop-2026-04-21.md"]
        assert "loop" in found[3]

    def test_the_closest_paragraph_of_a_loops_log_comes_first(self, tmp_path: Path) -> None:
        topics = Topics(tmp_path / "topics")
        goal = "On that day a loop had this goal: Write tour.txt. Then write list.txt."
        plan = (
            "Tick 1 (continue)\n"
            'Action: update_state {"text": "Done: tour.txt. Next: list.txt."} -> It is kept.\n'
            "Answer: tour.txt is written."
        )
        wrote = (
            "Write list.txt. It is to say: milk\n"
            'Action: write_file {"path": "list.txt", "text": "milk"} -> list.txt is written.\n'
            "Answer: list.txt now says: milk"
        )
        checked = (
            "Tick 3 (done)\n"
            "Action: update_state {} -> The state is kept and reaches the next tick.\n"
            "Action: finish {} -> The loop ends after this tick, and nobody reads the state.\n"
            "Answer: Done: all. list.txt is written and checked."
        )
        body = "\n\n".join([goal, plan, wrote, checked])
        draft = TopicDraft("Loop 2026-04-20", "", "episode", body)
        topics.write(draft, datetime(2026, 4, 21, tzinfo=UTC))
        recall = Recall(topics)
        for question in ("What became of list.txt?", "What does list.txt say?"):
            found = [hit.excerpt for hit in recall(question)]
            assert "says: milk" in found[0], (
                f"all ticks have the file's name, and the newest says only that it was checked; "
                f"{question!r} found first: {found[0]}"
            )
        assert "tour.txt is written" in recall("Is tour.txt written?")[0].excerpt
        log = recall("list.txt", 9)
        assert len(log) == 4, "its others are found, too"
        shown = make_recall_tool(lambda query: log).func(query="list.txt")
        assert shown.count("(loop-2026-04-20.md:") == 1 and "says: milk" in shown, (
            "a model is shown one of them, whose place it cannot take for another's"
        )
