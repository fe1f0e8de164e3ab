"""What an agent does in its home: it talks on, it remembers, and its loop gets messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from g2c.evaluation.draw import Draw
from g2c.evaluation.families.blanks import calculate, fill, fill_apart
from g2c.evaluation.families.steps import read
from g2c.evaluation.tasks import Call, HomeTask, MessageTask
from g2c.evaluation.vocabulary import messages as sent
from g2c.evaluation.vocabulary import sessions as of

CHAT = ("list_files", "calculator", "read_file", "recall", "remember")
"""The tools of a chat, as a home gives them to a small model."""

MEMORY = ("recall", "remember", "read_topic", "calculator")


def conversation(draw: Draw) -> Iterator[HomeTask]:
    """Questions that rest on what was said: it is in the prompt, it was put right, a sum is made of
    it, or it says which file to read. Each four times."""

    def ask(
        words: dict[str, str], said: Sequence[str], question: str, expected: str, **parts: object
    ) -> HomeTask:
        earlier = tuple(
            (one.format(**words), answer)
            for one, answer in zip(said, draw.sample(of.ANSWERS, len(said)), strict=True)
        )
        return HomeTask(
            "conversation",
            "",
            question.format(**words),
            expected.format(**words),
            CHAT,
            earlier=earlier,
            **parts,  # type: ignore[arg-type]
        )

    for said, question, expected in draw.table(of.SAID_BEFORE, of.MORE_SAID_BEFORE):
        yield ask(fill(draw), said, question, expected)
    for said, question, expected, wrong in draw.table(of.CORRECTED, of.MORE_CORRECTED):
        words = fill(draw)
        words |= {f"new_{blank}": text for blank, text in fill_apart(draw, words).items()}
        yield ask(words, said, question, expected, wrong=(wrong.format(**words),))
    for said, question, expression in draw.table(of.RECKONED, of.MORE_RECKONED):
        words = fill(draw)
        call = {"expression": expression.format(**words)}
        result = calculate(**call)
        yield ask(words, said, question, result, solution=(("calculator", call),))
    for said, question, line, expected in draw.table(of.POINTED, of.MORE_POINTED):
        words, beside = fill(draw), fill(draw)
        files = {words["file"]: line.format(**words) + "\n", "notes.md": "Nothing of note.\n"}
        told = (*said, beside["place"] + " is far away.")
        yield ask(words, told, question, expected, files=files, solution=(read(words["file"]),))


def memory(draw: Draw) -> Iterator[HomeTask]:
    """What the memory keeps in topics, of an earlier session, and not at all; what is to be kept;
    and topics that the user names."""

    def ask(words: dict[str, str], question: str, expected: str, *calls: Call) -> HomeTask:
        asked = question.format(**words)
        return HomeTask(
            "memory", "", asked, expected.format(**words), MEMORY, solution=calls or (look(asked),)
        )

    def look(asked: str) -> Call:
        return "recall", {"query": asked}

    def beside(words: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
        others = [fill_apart(draw, words) for _ in range(2)]
        return tuple(
            (
                "{thing} and {place}".format(**one).title(),
                "a note",
                "{person} saw it.".format(**one),
            )
            for one in others
        )

    for about, body, question, expected in draw.table(of.TOPICS_KEPT, of.MORE_TOPICS_KEPT):
        words = fill(draw)
        topic = (words["thing"].title(), about.format(**words), body.format(**words))
        task = ask(words, question, expected)
        yield replace(task, topics=(*beside(words), topic))
    for said, question, expected in draw.table(of.SAID_LONG_AGO, of.MORE_SAID_LONG_AGO):
        words = fill(draw)
        other = "{other} likes {goods}.".format(**words)
        yield replace(ask(words, question, expected), said=(said.format(**words), other))
    for body, question in draw.table(of.SILENT, of.MORE_SILENT):
        words = fill(draw)
        topic = (words["thing"].title(), "a note", body.format(**words))
        yield replace(ask(words, question, ""), topics=(*beside(words), topic))
    for question, expected in draw.table(of.TO_KEEP, of.MORE_TO_KEEP):
        words = fill(draw)
        text = question.format(**words).partition(": ")[2] or question.format(**words)
        call = ("remember", {"name": words["thing"], "text": text})
        yield replace(ask(words, question, expected, call), keeps=True)
    for name, body, question, expected in draw.table(of.OPENED, of.MORE_OPENED):
        words = fill(draw)
        topic = (name, f"what is known of the {name.lower()}", body.format(**words))
        task = ask(words, question, expected, ("read_topic", {"name": name}))
        yield replace(task, topics=(*beside(words), topic))


def messages(draw: Draw) -> Iterator[MessageTask]:
    """Ticks with a message: what is to be written has changed, or only now is said, or the user
    wants to know something. Each four times."""
    for form in (
        *draw.table(sent.CHANGED, sent.MORE_CHANGED),
        *draw.table(sent.SENT, sent.MORE_SENT),
    ):
        for _ in range(2):
            words = fill(draw)
            goal, message, text = (one.format(**words) for one in form)
            yield MessageTask("messages", "", goal, text, words["file"], message=message)
    for goal, text, message, answer in draw.table(sent.INQUIRED, sent.MORE_INQUIRED) * 2:
        words = fill(draw)
        told = text.format(**words)
        yield MessageTask(
            "messages",
            "",
            goal.format(text=told, **words),
            told,
            words["file"],
            message=message,
            answer=answer.format(**words),
        )
