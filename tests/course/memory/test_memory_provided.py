"""The parts of module 20: transcripts' lines, the index, topics, and the words of recall."""

import asyncio
import json
import re
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from cases import each

from g2c.memory.app.layers import MemoryIndex, TranscriptLog
from g2c.memory.app.recall import Recall, make_recall_tool, read_choice
from g2c.memory.core.index import MAX_LINE_CHARS, MAX_LINES, link_to
from g2c.memory.core.line_pattern import LinePattern, count_lines
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import MAX_SOURCES, MAX_TOPIC_BYTES, Topics, slugify
from g2c.memory.core.transcripts import line_of, turn_of
from g2c.memory.core.types import MemoryStoreError, Pointer, Recollection, TopicDraft, Turn

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)
FIELDS = {"ts": NOW.isoformat(), "agent_id": "a1", "role": "user", "content": "hello"}
NO_TURNS = [
    *(b"", b"   ", b"# a note", b"[1]", b"null", b'"x"', b'{"role": "user"}', b"\xff\xfe"),
    json.dumps(FIELDS).encode()[:-3],
    *(b"[" * 100_000, b"1" * 5_000),
]


def turn(content: str = "hello", ts: datetime = NOW) -> Turn:
    return Turn(ts, "a1", "user", content)


class TestTranscriptAsync:
    def test_the_event_loop_goes_on_while_a_turn_is_written(self, tmp_path: Path) -> None:
        went_on = threading.Event()
        written = []

        class SlowLog(TranscriptLog):
            def append(self, turn: Turn) -> None:
                assert went_on.wait(30), "the event loop stood still during append_async"
                written.append(turn)

        async def main() -> None:
            task = asyncio.create_task(SlowLog(tmp_path).append_async(turn()))
            await asyncio.sleep(0)
            went_on.set()
            await task

        asyncio.run(main())
        assert written == [turn()]


class TestTranscriptLine:
    def test_times_are_stored_in_utc(self) -> None:
        new_york = timezone(timedelta(hours=-4))
        stored = line_of(turn(ts=datetime(2026, 4, 21, 22, tzinfo=new_york)))
        assert b'"ts": "2026-04-22T02:00:00+00:00"' in stored

    @each(NO_TURNS, "text")
    def test_a_line_that_holds_no_turn_is_none(self, text: bytes) -> None:
        assert turn_of(text) is None

    @each(
        [{"ts": "yesterday"}, {"ts": 1}, {"ts": "2026-04-21T09:00:00"}, {"content": None}], "field"
    )
    def test_a_field_that_is_wrong_makes_it_none(self, field: dict[str, Any]) -> None:
        assert turn_of(json.dumps({**FIELDS, **field}).encode()) is None


class TestTranscriptPattern:
    def found(self, pattern: str, text: str, **options: Any) -> list[int]:
        return [place for place, _ in LinePattern(pattern, **options).lines_in(text.encode())]

    @each(
        [("tea", [0, 2]), ("^tea", [0]), ("tea$", [2]), ("caf.$", [3]), ("", [0, 2, 3])],
        "pattern and its lines",
    )
    def test_a_pattern_is_matched_against_each_line(self, case: tuple[str, list[int]]) -> None:
        pattern, lines = case
        assert self.found(pattern, "tea time\n\nmore tea\nt-a at the café\n") == lines

    @each(["[^b]*c", r"a\s*c", "(?s:a.*c)", r"\Ac", "(?<!\n)c", "[^a]++$"], "pattern")
    def test_a_pattern_sees_one_line(self, pattern: str) -> None:
        alone = [place for place in (0, 1) if re.search(pattern, "ac"[place])]
        assert self.found(pattern, "a\nc\n") == alone

    @each(
        [("größe", "GRÖSSE"), ("É", "café"), ("kilo", "\u212a\u0130lo"), ("tea", "日 TEA")],
        "pattern and text",
    )
    def test_case_is_ignored_in_any_alphabet(self, case: tuple[str, str]) -> None:
        pattern, text = case
        alone = bool(re.search(pattern, text, re.IGNORECASE))
        assert self.found(pattern, f"x\n{text}\n", ignore_case=True) == [1] * alone

    def test_a_file_that_is_not_utf_8_is_searched_too(self) -> None:
        assert [*LinePattern("t.a").lines_in(b"\xff tea\n")] == [(0, b"\xff tea")]

    @each([b"", b"a", b"a\n", b"\n\na"], "block")
    def test_lines_are_counted_by_their_newlines(self, block: bytes) -> None:
        assert count_lines(block) == block.count(b"\n")


@pytest.fixture
def index(tmp_path: Path) -> MemoryIndex:
    return MemoryIndex(tmp_path / "MEMORY.md")


def write_lines(index: MemoryIndex, *lines: str) -> None:
    index.file.write_text("".join(f"{text}\n" for text in lines), encoding="utf-8")


def lines_of(index: MemoryIndex) -> list[str]:
    return index.file.read_text("utf-8").splitlines()


def pointer(name: str, description: str = "what is known") -> str:
    return f"- [topics/{name}.md](topics/{name}.md) — {description}"


class TestIndexLookup:
    def test_a_name_is_matched_whole(self, index: MemoryIndex) -> None:
        write_lines(index, pointer("auth-module"), pointer("oauth"))
        assert index.lookup("auth") is None, "auth is neither auth-module nor oauth"
        found = index.lookup("oauth")
        assert found == Pointer("topics/oauth.md", "what is known") == index.lookup(found.file)

    def test_a_link_to_nowhere_is_not_a_pointer(self, index: MemoryIndex) -> None:
        assert index.pointers == () and index.render() == "" and index.lookup("auth") is None
        write_lines(index, "# Memory", "- a note", pointer("auth"), "- [x] done")
        assert index.pointers == (Pointer("topics/auth.md", "what is known"),)

    def test_remove_takes_one_pointer_and_nothing_else(self, index: MemoryIndex) -> None:
        write_lines(index, "# Memory", pointer("auth-module"), pointer("auth"))
        index.remove("topics/auth.md")
        index.remove("topics/auth.md")
        assert lines_of(index) == ["# Memory", pointer("auth-module")]

    def test_texts_in_a_prompt_are_within_the_limits(self, index: MemoryIndex) -> None:
        write_lines(index, *(pointer(f"n{number}", "x" * 500) for number in range(300)))
        lines = index.render().splitlines()
        assert len(lines) == MAX_LINES and max(map(len, lines)) == MAX_LINE_CHARS
        assert lines[-1].startswith(link_to("topics/n299.md")) and lines[-1].endswith("…")


HOSTILE_NAMES = [
    *("../../etc/passwd", "/etc/passwd", "a/b", "a\\b", "C:\\x", "..", ".", "-", "~", "", " "),
    *("CON", "nul.md", "x" * 300, "日" * 300, "\x00", "a\x00b", "\u202egnp.exe", "\ud800"),
    *("\uff0e\uff0e\uff0fetc", "\u2024\u2024/x", "..%2f..%2fetc", "a\n---\nb", "MEMORY.md"),
]


class TestTopics:
    @pytest.fixture
    def topics(self, tmp_path: Path) -> Topics:
        return Topics(tmp_path / "topics")

    def draft(self, name: str = "Auth module", body: str = "Log in.") -> TopicDraft:
        return TopicDraft(name, "how people log in", "project", body)

    def test_a_topic_is_text_that_a_person_can_read(self, topics: Topics) -> None:
        topics.write(self.draft(), NOW)
        assert topics.path_of("auth-module").read_text() == (
            "---\nname: Auth module\ndescription: how people log in\ntype: project\n"
            "updated: 2026-04-21 09:00:00+00:00\n---\n\nLog in.\n"
        )

    def test_a_name_and_a_description_are_one_line(self, topics: Topics) -> None:
        topic = topics.write(TopicDraft("a\n---\nb: [", "c\u2028d", "note", ""), NOW)
        assert (topic.name, topic.description) == ("a --- b: [", "c d")
        assert topics.read(topic.slug) == topic

    def test_another_type_is_refused_with_the_set_and_still_read(self, topics: Topics) -> None:
        draft = TopicDraft("Tea", "", "beverage", "Green.")
        with pytest.raises(MemoryStoreError, match=r"user, person, .* note; got 'beverage'"):
            topics.write(draft, NOW)
        topics.folder.mkdir()
        topics.path_of("Tea").write_text("---\nname: Tea\ntype: beverage\n---\n\nGreen.\n")
        assert topics.read("Tea").type == "beverage"

    def test_sources_are_kept_once_each_and_the_newest_where_they_are_many(
        self, topics: Topics
    ) -> None:
        sources = [f"transcripts/2026-04-21.jsonl:{n}" for n in range(1, MAX_SOURCES + 9)]
        draft = TopicDraft("Tea", "", "note", "Green.", (*sources, *sources[-3:]))
        topics.write(draft, NOW)
        assert topics.read("Tea").sources == tuple(sources[-MAX_SOURCES:])

    def test_a_head_with_sources_that_are_not_a_list_of_texts_is_body(self, topics: Topics) -> None:
        topics.folder.mkdir()
        for sources in ("x", "[[x]]", "{}"):
            topics.path_of("Tea").write_text(f"---\nname: Tea\nsources: {sources}\n---\n\nGreen.")
            with pytest.warns(UserWarning, match="cannot be read"):
                assert topics.read("Tea").sources == ()

    def test_a_topic_over_the_limit_is_refused_with_both_sizes(self, topics: Topics) -> None:
        kept = topics.write(self.draft(), NOW)
        with pytest.raises(MemoryStoreError, match=r"would have 25,\d\d\d bytes.* 25,000"):
            topics.write(self.draft(body="ü" * (MAX_TOPIC_BYTES // 2)), NOW)
        assert topics.read("auth-module") == kept

    def test_a_broken_head_is_read_as_body_with_a_warning(self, topics: Topics) -> None:
        broken = [
            "---\nname: [\n---\nbody",
            "---\nname: a\nno end",
            "---\n- a\n---\nb",
            "---\nname: {}\n---\n",
        ]
        for text in broken:
            topics.write(self.draft(), NOW)
            topics.path_of("auth-module").write_text(text)
            with pytest.warns(UserWarning, match="auth-module.md cannot be read"):
                topic = topics.read("auth-module")
            assert topic.body == text.strip("\n") and topic.name == "auth-module"

    def test_a_file_without_a_head_is_all_body(self, topics: Topics) -> None:
        topics.write(self.draft(), NOW)
        topics.path_of("auth-module").write_bytes(b"\xef\xbb\xbf# Auth\r\nis \xff")
        assert topics.read("auth-module").body == "# Auth\nis \\xff"

    def test_a_head_may_be_edited_by_hand(self, topics: Topics) -> None:
        topics.write(self.draft(), NOW)
        topics.path_of("auth-module").write_text("---\nname: 1.0\nupdated: 2026-04-21\n---\nx")
        topic = topics.read("auth-module")
        assert (topic.name, topic.type, topic.body) == ("1.0", "", "x")
        assert topic.updated == datetime(2026, 4, 21, tzinfo=UTC)

    def test_deleting_says_whether_there_was_one(self, topics: Topics) -> None:
        topics.write(self.draft(), NOW)
        assert [topics.delete("auth-module"), topics.delete("auth-module")] == [True, False]

    def test_a_topic_that_is_not_there_is_named_with_those_that_are(self, topics: Topics) -> None:
        topics.write(self.draft(), NOW)
        with pytest.raises(MemoryStoreError, match=r"no topic 'auth'; there are: auth-module\."):
            topics.read("auth")

    def test_a_search_needs_every_word(self, topics: Topics) -> None:
        old = topics.write(self.draft("a", "Log in with a token."), NOW)
        new = topics.write(self.draft("b", "TOKEN"), NOW + timedelta(days=1))
        assert topics.search("token") == (new, old)
        assert topics.search("token with") == (old,)
        drunk = topics.write(TopicDraft("Caf\u00e9", "Where.", "note", "Cafe\u0301 au lait."), NOW)
        for query in ("caf\u00e9", "CAFE\u0301 lait"):
            assert topics.search(query) == (drunk,)

    def test_no_name_leads_out_of_the_folder(self, tmp_path: Path) -> None:
        for number, name in enumerate(HOSTILE_NAMES):
            topics = Topics(tmp_path / str(number) / "topics")
            topic = topics.write(self.draft(name), NOW)
            assert [*(tmp_path / str(number)).rglob("*.*")] == [topics.path_of(topic.slug)], name
            assert re.fullmatch(r"[\w-]{1,40}", topic.slug) and "_" not in topic.slug, name
            assert topic.slug not in ("con", "nul"), "Windows keeps these names for itself"
            assert topics.read(topic.slug) == topic == topics.read(name)

    def test_names_that_mean_different_things_do_not_meet(self) -> None:
        different = [
            *("C", "C++", "C#", "c\u0441", "\u0441c", "CON", "con x", "x" * 300, "x" * 301),
            *("\u0939\u093f\u0928", "\u0939\u0940\u0928", "!", "?", ""),
        ]
        assert len({slugify(name) for name in different}) == len(different)

    @each(["Auth module", "auth-module", " AUTH_MODULE.", "\uff41uth\u2014module"], "name")
    def test_names_that_differ_in_case_and_punctuation_are_one_topic(self, name: str) -> None:
        assert slugify(name) == "auth-module"

    @each(["\u3164", "\uffa0\u115f", "\u1160.", "\u200b"], "name")
    def test_a_name_that_nobody_sees_has_a_slug_that_is_seen(self, name: str) -> None:
        assert re.fullmatch("topic-[0-9a-f]{8}", slugify(name))


class TestRecallParts:
    @each(["", "What did you do?", "I'm not. Don't! He's.", "How much was it?"], "text")
    def test_filler_leaves_no_terms(self, text: str) -> None:
        assert extract_terms(text) == []

    @each(["paint", "Paints", "PAINTED", "painting", "paintings"], "form")
    def test_forms_of_a_word_are_one_term(self, form: str) -> None:
        assert extract_terms(form) == ["paint"]

    def test_words_that_only_look_like_filler_stay(self) -> None:
        assert extract_terms("I won in May") == ["won", "may"]

    @each(
        [
            *("", "[1]", "{", "}{", '{"best": 1}', '{"best": [1, null, {"note": true}]}'),
            *('{"best": ' + "[" * 100_000 + "}", '{"best": [{"note": ' + "1" * 5000 + "}]}"),
        ],
        "text",
    )
    def test_an_answer_without_a_choice_chooses_nothing(self, text: str) -> None:
        assert read_choice(text, 3) == {}

    def test_the_tool_tells_what_was_found_and_where(self) -> None:
        found = [Recollection("The boat is red.", Path("topics/boat.md"), 8, "", 1.0)]
        assert make_recall_tool(lambda query: found).func(query="boat") == (
            "The boat is red. (boat.md:8)"
        )
        assert (
            make_recall_tool(lambda query: []).func(query="tea") == "Nothing is known about 'tea'."
        )

    @each([0, -1], "k")
    def test_nothing_cannot_be_asked_for(self, k: int) -> None:
        with pytest.raises(MemoryStoreError, match="k"):
            Recall(Topics("nowhere"))("tea", k)
