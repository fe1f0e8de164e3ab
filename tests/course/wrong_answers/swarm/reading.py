"""24.7 gone wrong."""

from collections.abc import Sequence
from functools import partial

from g2c.swarm.provided.reading import Ask, File, Question
from wrong_answers import wrong

wrong = partial(wrong, "24.7")

ORIGINALS = "[one for one in files if not one.copy_of]"
CHECKED = "return value in {one.value for one in ask(about, [name]).claims}"
LINKED = "value = _fact(value, originals, ask)"


wrong(
    "A worker is given everything, and it reads everything.",
    ("_PACK = 2_400", "_PACK = 10**9"),
    caught_by="test_what_lies_beyond_one_context_is_found",
    says="one context holds a part of the files",
)


@wrong(caught_by="test_it_reaches_the_target", says="and the target is 62")
def halves(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    """Equal parts are fair, and each fits into a context."""

    def voices(about: str) -> list[str]:
        names = [one.name for one in files if not one.copy_of]
        parts = [names[n : n + 8] for n in range(0, len(names), 8)]
        return [one.value for part in parts for one in ask(about, part).claims]

    values = voices(question.about)
    if question.kind == "total":
        return str(sum(map(int, values))) if values else None
    for _ in range(question.kind == "linked"):
        best = max(values, key=values.count, default=None)
        values = voices(best) if best else []
    twice = [one for one in values if values.count(one) > 1]
    return max(twice, key=twice.count, default=None)


wrong(
    "Each file that says it is a witness.",
    (ORIGINALS, "list(files)"),
    caught_by="test_copies_of_a_wrong_note_are_one_source",
    says="they are one source",
)
wrong(
    "Somebody who names a file has read it there.",
    (CHECKED, "return True"),
    caught_by="test_an_invented_claim_is_not_the_answer",
    says="A second worker that reads this file",
)
wrong(
    "What the files say about the thing is the answer.",
    (LINKED, "pass"),
    caught_by="test_a_linked_answer_takes_two_steps",
    says="is the first step",
)
wrong(
    "The second step asks the question again.",
    (LINKED, "value = _fact(question.about, originals, ask)"),
    caught_by="test_a_linked_answer_takes_two_steps",
    says="is the first step",
)
wrong(
    "The same number twice is one number.",
    ("sum(map(int, said.values()))", "sum({int(one) for one in said.values()})"),
    caught_by="test_a_total_adds_what_each_file_has",
    says="equal numbers of two files are two numbers",
)
wrong(
    "A total says how many files have something.",
    ("sum(map(int, said.values()))", "len(said)"),
    caught_by="test_a_total_adds_what_each_file_has",
    says="and the sum is",
)
wrong(
    "A total is a number.",
    ("str(sum(map(int, said.values())))", "sum(map(int, said.values()))"),
    caught_by="test_the_answer_is_text_or_none",
    says="an answer is text or None",
)
wrong(
    "Where nothing was found, the total is 0.",
    ("if said else None", 'if said else "0"'),
    caught_by="test_what_no_file_says_is_none",
    says="no file says it",
)
wrong(
    "Whoever is asked should say something.",
    ("return values.pop() if len(values) == 1 else None", "return values.pop() if values else ''"),
    caught_by="test_what_no_file_says_is_none",
    says="no file says it",
)
wrong(
    "The larger the part, the fewer workers are to be paid.",
    ("_PACK = 2_400", "_PACK = 8_000"),
    caught_by="test_it_reaches_the_target",
    says="and the target is 62",
)
wrong(
    "Whoever reads one file overlooks nothing.",
    ("_PACK = 2_400", "_PACK = 1"),
    caught_by="test_it_reaches_the_target",
    says="and the target is 62",
)
wrong(
    "Of a total, what one round has found is all there is.",
    ("range(4)", "range(1)"),
    caught_by="test_it_reaches_the_target",
    says="a wrong total",
)
wrong(
    "If the budget does not reach, a part of the sum is better than nothing.",
    ("_sum(known) if rounds > 1 else None", "_sum(said)"),
    caught_by="test_a_total_of_a_part_is_not_told",
    says="is no total",
)
wrong(
    "A file of which something was invented is better left out from then on.",
    ("_PACK = 2_400", "_LIARS: set[str] = set()\n_PACK = 2_400"),
    ("if one.name in known:", "if one.name in known or one.name in _LIARS:"),
    (
        CHECKED,
        "is_there = value in {one.value for one in ask(about, [name]).claims}\n"
        "    _LIARS.update([] if is_there else [name])\n    return is_there",
    ),
    caught_by="test_each_question_is_answered_from_its_own_files",
    says="from the call before",
)
