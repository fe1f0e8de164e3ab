"""22.6 gone wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from g2c.loop.config import CONSTITUTION, WRITABLE
from g2c.loop.credentials import find_credentials
from g2c.loop.invariants import ROOM, Rule, explain

from . import wrong

wrong = partial(wrong, "22.6")

Texts = dict[str, str]
Check = Callable[[str, str], bool]


def is_same(old: str, new: str) -> bool:
    return old == new


def grew(old: str, new: str) -> bool:
    return len(new) > max(2 * len(old), ROOM)


def shrank(old: str, new: str) -> bool:
    return (len(old) > ROOM and 2 * len(new) < len(old)) or vanished(old, new)


def vanished(old: str, new: str) -> bool:
    return bool(old.strip()) and not new.strip()


def has_open_fence(old: str, new: str) -> bool:
    return len(re.findall(r"^ *```", new, re.MULTILINE)) % 2 == 1


def has_new_credential(old: str, new: str) -> bool:
    return bool(find_credentials(new) - find_credentials(old))


def broken_rules(
    before: Texts,
    after: Texts,
    closed: Callable[[str], bool],
    *,
    files: Iterable[str] | None = None,
    same: Check = is_same,
    growth: Check = grew,
    shrinkage: Check = shrank,
    fences: Check = has_open_fence,
    credentials: Check = has_new_credential,
) -> Iterator[tuple[Rule, str]]:
    """What is broken, with the named parts of a right answer replaced."""
    checks: dict[Rule, Check] = {
        "read-only": lambda old, new: closed(file),
        "growth": growth,
        "shrinkage": shrinkage,
        "fences": fences,
        "credentials": credentials,
    }
    for file in sorted(before.keys() | after.keys()) if files is None else files:
        if file not in after:
            yield "removed", file
        elif file not in before:
            yield "added", file
        elif not same(before[file], after[file]):
            for rule, breaks in checks.items():
                if breaks(before[file], after[file]):
                    yield rule, file


def closed_to(writable: Iterable[str]) -> Callable[[str], bool]:
    return lambda file: file == CONSTITUTION or file not in writable


def sentences(broken: Iterable[tuple[Rule, str]]) -> tuple[str, ...]:
    return tuple(explain(rule, file) for rule, file in broken)


@wrong(caught_by="test_no_file_may_be_removed", says="a loop over these never meets it")
def over_what_will_be(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """The change is what stands in `after`, so that is what has to be looked at."""
    return sentences(broken_rules(before, after, closed_to(writable), files=sorted(after)))


@wrong(caught_by="test_no_file_may_be_added", says="a loop over these never meets it")
def over_what_was(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """What has to be protected is what stands in `before`."""
    return sentences(broken_rules(before, after, closed_to(writable), files=sorted(before)))


@wrong(
    caught_by="test_the_constitution_may_not_change",
    says="look at every file that there is, and not only at those that may change",
)
def over_what_is_writable(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """An agent can only write what is writable, so the rest need not be looked at."""
    files = sorted(file for file in writable if file in before)
    return sentences(broken_rules(before, after, closed_to(writable), files=files))


@wrong(
    caught_by="test_the_constitution_stays_to_the_last_character",
    says="whoever strips or folds them before comparing lets small changes through",
)
def blanks_at_the_end_are_nothing(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """A newline at the end comes and goes with the editor, and is no change."""

    def same(old: str, new: str) -> bool:
        return old.strip() == new.strip()

    return sentences(broken_rules(before, after, closed_to(writable), same=same))


@wrong(
    caught_by="test_the_constitution_is_closed_even_where_writable_names_it",
    says="one wrong argument must not open the constitution",
)
def writable_is_writable(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """The constitution is not in `writable`, so it needs no rule of its own."""
    return sentences(broken_rules(before, after, lambda file: file not in writable))


@wrong(
    caught_by="test_only_the_files_in_writable_may_change",
    says="writable is an argument: here it holds identity.md alone",
)
def only_the_constitution_is_closed(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """There are five files, and all but the constitution are the agent's."""
    return sentences(broken_rules(before, after, closed_to(WRITABLE)))


@wrong(
    caught_by="test_lengths_are_in_characters",
    says="500 characters are 500 in any alphabet",
)
def a_file_is_as_long_as_on_disk(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """A file's length is its number of bytes."""

    def growth(old: str, new: str) -> bool:
        return len(new.encode()) > max(2 * len(old.encode()), ROOM)

    return sentences(broken_rules(before, after, closed_to(writable), growth=growth))


@wrong(
    caught_by="test_twice_as_long_is_within_the_bound",
    says="at most twice: from 600 characters to 1200 is twice",
)
def nothing_doubles(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A file that is twice as long has doubled, which it must not."""

    def growth(old: str, new: str) -> bool:
        return len(new) > ROOM and len(new) >= 2 * len(old)

    return sentences(broken_rules(before, after, closed_to(writable), growth=growth))


@wrong(
    caught_by="test_a_short_file_may_grow_to_500_characters",
    says="or it could never begin to grow",
)
def twice_is_twice(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """Twice the length is the bound, for short files as for long ones."""

    def growth(old: str, new: str) -> bool:
        return len(new) > 2 * len(old)

    return sentences(broken_rules(before, after, closed_to(writable), growth=growth))


@wrong(
    caught_by="test_a_short_file_may_grow_to_500_characters",
    says="the bound is the larger of the two, and not their sum",
)
def room_on_top(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A file may double, and has 500 characters of room besides."""

    def growth(old: str, new: str) -> bool:
        return len(new) > 2 * len(old) + ROOM

    return sentences(broken_rules(before, after, closed_to(writable), growth=growth))


@wrong(
    caught_by="test_a_long_file_keeps_half_of_its_text",
    says="where 1001 is odd, old // 2 is rounded down",
)
def half_of_a_whole_number(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """Half of n is n // 2."""

    def shrinkage(old: str, new: str) -> bool:
        return (len(old) > ROOM and len(new) < len(old) // 2) or vanished(old, new)

    return sentences(broken_rules(before, after, closed_to(writable), shrinkage=shrinkage))


@wrong(
    caught_by="test_a_short_file_may_become_shorter",
    says="a file of 12 characters, at most 500, is soon said in fewer words",
)
def no_file_loses_half(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A short file has even less to lose, so it keeps half too."""

    def shrinkage(old: str, new: str) -> bool:
        return 2 * len(new) < len(old) or vanished(old, new)

    return sentences(broken_rules(before, after, closed_to(writable), shrinkage=shrinkage))


@wrong(
    caught_by="test_a_short_file_may_become_shorter",
    says="a file of 500 characters, at most 500",
)
def long_from_500_on(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A file of 500 characters is a long one."""

    def shrinkage(old: str, new: str) -> bool:
        return (len(old) >= ROOM and 2 * len(new) < len(old)) or vanished(old, new)

    return sentences(broken_rules(before, after, closed_to(writable), shrinkage=shrinkage))


@wrong(
    caught_by="test_a_short_file_may_not_be_emptied",
    says="what vanishes altogether is not tidied up but lost",
)
def short_files_are_free(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """The bound is for long files, and a short one may become nothing."""

    def shrinkage(old: str, new: str) -> bool:
        return len(old) > ROOM and 2 * len(new) < len(old)

    return sentences(broken_rules(before, after, closed_to(writable), shrinkage=shrinkage))


@wrong(caught_by="test_a_short_file_may_not_be_emptied", says="'\\n' is blank")
def empty_is_without_characters(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """A file is empty where its text is ''."""

    def shrinkage(old: str, new: str) -> bool:
        return (len(old) > ROOM and 2 * len(new) < len(old)) or (old != "" and new == "")

    return sentences(broken_rules(before, after, closed_to(writable), shrinkage=shrinkage))


@wrong(
    caught_by="test_each_file_has_bounds_of_its_own",
    says="persona.md has still more than doubled",
)
def the_prompt_as_a_whole(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """What counts is how long all files are together, for they all go into one prompt."""
    old, new = (sum(map(len, texts.values())) for texts in (before, after))

    def growth(one: str, other: str) -> bool:
        return grew(one, other) and new > max(2 * old, ROOM)

    return sentences(broken_rules(before, after, closed_to(writable), growth=growth))


@wrong(
    caught_by="test_backticks_inside_a_line_are_no_fence",
    says="counting all ``` in a text finds those in a sentence",
)
def three_backticks_are_a_fence(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """Fences are what `count` finds of three backticks."""

    def fences(old: str, new: str) -> bool:
        return new.count("```") % 2 == 1

    return sentences(broken_rules(before, after, closed_to(writable), fences=fences))


@wrong(caught_by="test_a_fence_may_be_indented", says="in a list a fence has spaces before it")
def a_fence_stands_at_the_margin(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """A line is a fence if it starts with three backticks."""

    def fences(old: str, new: str) -> bool:
        return sum(line.startswith("```") for line in new.splitlines()) % 2 == 1

    return sentences(broken_rules(before, after, closed_to(writable), fences=fences))


@wrong(
    caught_by="test_each_file_closes_its_own_fences",
    says="two open fences in two files are even in number and close nothing",
)
def fences_of_the_whole_prompt(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """The files are joined into one prompt, so fences are counted there."""
    joined = "\n".join(after.values())

    def fences(old: str, new: str) -> bool:
        return has_open_fence("", joined) and has_open_fence(old, new)

    return sentences(broken_rules(before, after, closed_to(writable), fences=fences))


@wrong(
    caught_by="test_an_old_fault_in_a_file_that_did_not_change_is_no_fault_of_the_change",
    says="if that counted, no edit could ever be made again",
)
def every_file_must_be_sound(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """What is in `after` must be sound, all of it."""
    broken = set(broken_rules(before, after, closed_to(writable)))
    broken |= {
        ("fences", file) for file in before.keys() & after if has_open_fence("", after[file])
    }
    order = ["removed", "added", "read-only", "growth", "shrinkage", "fences", "credentials"]
    return sentences(sorted(broken, key=lambda one: (one[1], order.index(one[0]))))


@wrong(
    caught_by="test_a_changed_file_must_be_sound_whatever_it_was",
    says="the fence was open before and is open now, in a file that was changed",
)
def an_old_fault_may_stay(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A fence that was open before was not opened by this change."""

    def fences(old: str, new: str) -> bool:
        return has_open_fence("", new) and not has_open_fence("", old)

    return sentences(broken_rules(before, after, closed_to(writable), fences=fences))


@wrong(
    caught_by="test_a_credential_that_was_there_is_no_fault_of_the_change",
    says="only what was not in the file before counts",
)
def no_credential_at_all(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A file with a key in it is not to be written."""

    def credentials(old: str, new: str) -> bool:
        return bool(find_credentials(new))

    return sentences(broken_rules(before, after, closed_to(writable), credentials=credentials))


@wrong(
    caught_by="test_a_credential_in_place_of_another_is_new",
    says="compare what was found and not how much",
)
def no_more_credentials_than_before(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """There may not be more keys than there were."""

    def credentials(old: str, new: str) -> bool:
        return len(find_credentials(new)) > len(find_credentials(old))

    return sentences(broken_rules(before, after, closed_to(writable), credentials=credentials))


@wrong(
    caught_by="test_a_credential_of_another_file_is_new_to_this_one",
    says="now a second file has it",
)
def known_is_known(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A key that stands in one of the files is no secret to the others."""
    known = find_credentials("\n".join(before.values()))

    def credentials(old: str, new: str) -> bool:
        return not find_credentials(new) <= known

    return sentences(broken_rules(before, after, closed_to(writable), credentials=credentials))


@wrong(caught_by="test_every_broken_rule_is_named", says="should hear all reasons")
def one_reason_is_enough(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A file that breaks one rule is refused, and the others need not be asked."""
    broken = {
        file: rule for rule, file in reversed([*broken_rules(before, after, closed_to(writable))])
    }
    return sentences((broken[file], file) for file in sorted(broken))


@wrong(
    caught_by="test_files_come_in_alphabetical_order",
    says="file by file in alphabetical order, be they of before or of after",
)
def rule_by_rule(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """First the files that are gone or new, then what is wrong with the others."""
    broken = list(broken_rules(before, after, closed_to(writable)))
    return sentences(sorted(broken, key=lambda one: one[0] not in ("removed", "added")))


@wrong(
    caught_by="test_a_credential_that_was_there_is_no_fault_of_the_change",
    says="less was found than before, and nothing that is new",
)
def the_same_credentials_or_none(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """What is found afterwards has to be what was found before, unless nothing is."""

    def credentials(old: str, new: str) -> bool:
        return bool(find_credentials(new)) and find_credentials(new) != find_credentials(old)

    return sentences(broken_rules(before, after, closed_to(writable), credentials=credentials))


@wrong(
    caught_by="test_a_file_that_was_blank_may_stay_so",
    says="a file that is blank has no text that could vanish",
)
def a_newline_is_a_text(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A file that had characters had something to lose."""

    def shrinkage(old: str, new: str) -> bool:
        return (len(old) > ROOM and 2 * len(new) < len(old)) or bool(old and not new.strip())

    return sentences(broken_rules(before, after, closed_to(writable), shrinkage=shrinkage))


@wrong(caught_by="test_only_spaces_may_stand_before_a_fence", says="the rule names spaces")
def indented_is_indented(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """A fence may be indented, with whatever one indents."""

    def fences(old: str, new: str) -> bool:
        return sum(line.lstrip().startswith("```") for line in new.split("\n")) % 2 == 1

    return sentences(broken_rules(before, after, closed_to(writable), fences=fences))


@wrong(
    caught_by="test_a_line_begins_after_a_newline_and_nowhere_else",
    says="finds a fence inside this line",
)
def lines_are_what_splitlines_says(
    before: Texts, after: Texts, *, writable=WRITABLE
) -> tuple[str, ...]:
    """splitlines is how a text is taken apart into lines."""

    def fences(old: str, new: str) -> bool:
        return sum(line.lstrip(" ").startswith("```") for line in new.splitlines()) % 2 == 1

    return sentences(broken_rules(before, after, closed_to(writable), fences=fences))


@wrong(
    caught_by="test_files_come_in_alphabetical_order",
    says="it is the order of sorted, in which capitals come first",
)
def as_in_a_dictionary(before: Texts, after: Texts, *, writable=WRITABLE) -> tuple[str, ...]:
    """In the alphabet a capital stands where the small letter does."""
    files = sorted(before.keys() | after.keys(), key=str.lower)
    return sentences(broken_rules(before, after, closed_to(writable), files=files))
