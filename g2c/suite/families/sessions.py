"""Sessions in an agent's home: a continued conversation, a memory, and messages to its loop."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from g2c.suite.draw import Draw
from g2c.suite.families.blanks import calculate, fill, fill_apart
from g2c.suite.families.steps import read
from g2c.suite.tasks import Call, HomeTask, MessageTask
from g2c.suite.vocabulary import both, vocabulary

CHAT = ("list_files", "calculator", "read_file", "recall", "remember")
"""The tools of a small model's chat in a home."""

MEMORY = ("recall", "remember", "read_topic", "calculator")


def conversation(draw: Draw) -> Iterator[HomeTask]:
    """Questions whose answer depends on the conversation: it is in the prompt, it was corrected, it
    is part of a sum, or it names the file to read. Each kind four times."""

    def ask(
        words: dict[str, str], said: Sequence[str], question: str, expected: str, **parts: object
    ) -> HomeTask:
        answers = draw.sample(vocabulary()["answers"], len(said))
        earlier = zip([sentence.format(**words) for sentence in said], answers, strict=True)
        return HomeTask(
            question.format(**words),
            expected.format(**words),
            CHAT,
            earlier=tuple(earlier),
            **parts,  # type: ignore[arg-type]
        )

    for said, question, expected in draw.table(*both("said_before")):
        yield ask(fill(draw), said, question, expected)
    for said, question, expected, wrong in draw.table(*both("corrected")):
        words = fill(draw)
        words |= {f"new_{blank}": text for blank, text in fill_apart(draw, words).items()}
        yield ask(words, said, question, expected, wrong=(wrong.format(**words),))
    for said, question, expression in draw.table(*both("reckoned")):
        words = fill(draw)
        call = {"expression": expression.format(**words)}
        result = calculate(**call)
        yield ask(words, said, question, result, solution=(("calculator", call),))
    for said, question, line, expected in draw.table(*both("pointed")):
        words, beside = fill(draw), fill(draw)
        files = {words["file"]: line.format(**words) + "\n", "notes.md": "Nothing of note.\n"}
        told = (*said, beside["place"] + " is far away.")
        yield ask(words, told, question, expected, files=files, solution=(read(words["file"]),))


def memory(draw: Draw) -> Iterator[HomeTask]:
    """Questions about things in the memory's topics, in an earlier session, and nowhere; things to
    remember; and topics that the user names."""

    def ask(words: dict[str, str], question: str, expected: str, *calls: Call) -> HomeTask:
        asked = question.format(**words)
        return HomeTask(asked, expected.format(**words), MEMORY, solution=calls or (look(asked),))

    def look(asked: str) -> Call:
        return "recall", {"query": asked}

    def beside(words: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
        others = [fill_apart(draw, words) for _ in range(2)]
        return tuple(
            (
                "{thing} and {place}".format(**other).title(),
                "a note",
                "{person} saw it.".format(**other),
            )
            for other in others
        )

    for about, body, question, expected in draw.table(*both("topics_kept")):
        words = fill(draw)
        topic = (words["thing"].title(), about.format(**words), body.format(**words))
        task = ask(words, question, expected)
        yield replace(task, topics=(*beside(words), topic))
    for said, question, expected in draw.table(*both("said_long_ago")):
        words = fill(draw)
        other = "{other} likes {goods}.".format(**words)
        yield replace(ask(words, question, expected), said=(said.format(**words), other))
    for body, question in draw.table(*both("silent")):
        words = fill(draw)
        topic = (words["thing"].title(), "a note", body.format(**words))
        yield replace(ask(words, question, ""), topics=(*beside(words), topic))
    for question, expected in draw.table(*both("to_keep")):
        words = fill(draw)
        text = question.format(**words).partition(": ")[2] or question.format(**words)
        call = ("remember", {"name": words["thing"], "text": text})
        yield replace(ask(words, question, expected, call), keeps=True)
    for name, body, question, expected in draw.table(*both("opened")):
        words = fill(draw)
        topic = (name, f"what is known of the {name.lower()}", body.format(**words))
        task = ask(words, question, expected, ("read_topic", {"name": name}))
        yield replace(task, topics=(*beside(words), topic))


def messages(draw: Draw) -> Iterator[MessageTask]:
    """Ticks with a message: it changes what is to be written, says it for the first time, or asks a
    question. Each kind four times."""
    for form in (*draw.table(*both("changed")), *draw.table(*both("sent"))):
        for _ in range(2):
            words = fill(draw)
            goal, message, text = (template.format(**words) for template in form)
            yield MessageTask(goal, text, words["file"], message=message)
    for goal, text, message, answer in draw.table(*both("inquired")) * 2:
        words = fill(draw)
        told = text.format(**words)
        yield MessageTask(
            goal.format(text=told, **words),
            told,
            words["file"],
            message=message,
            answer=answer.format(**words),
        )
