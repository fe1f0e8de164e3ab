"""20.8 gone wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import partial

from g2c.memory.scoring import InvertedIndex
from g2c.memory.terms import extract_terms

from . import wrong

wrong = partial(wrong, "20.8")

Scored = list[tuple[int, float]]


def weight(term: str, index: InvertedIndex) -> float:
    return math.log(1 + len(index) / len(index.postings(term)))


def added(terms: Iterable[str], index: InvertedIndex) -> Counter[int]:
    """The scores, where each of `terms` counts."""
    scores: Counter[int] = Counter()
    for term in terms:
        for number in index.postings(term):
            scores[number] += weight(term, index)
    return scores


def ranked(scores: dict[int, float]) -> Scored:
    return sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)


def terms_of(query: str) -> dict[str, None]:
    return dict.fromkeys(extract_terms(query))


@wrong(
    caught_by="test_a_term_counts_once_however_often_the_question_says_it",
    says="the question says tea three times and means it once",
)
def what_is_said_twice_matters_twice(query: str, index: InvertedIndex) -> Scored:
    """Each word of the question adds its weight; who says a word twice means it."""
    return ranked(added(extract_terms(query), index))


@wrong(
    caught_by="test_two_forms_of_a_word_are_one_term",
    says="what must be different are the terms, not the words",
)
def different_words_are_different_terms(query: str, index: InvertedIndex) -> Scored:
    """Words that come twice are taken out of the question first, and then it is made into terms."""
    words = dict.fromkeys(query.lower().split())
    return ranked(added([term for word in words for term in extract_terms(word)], index))


@wrong(
    caught_by="test_the_only_note_there_is_can_be_found",
    says="in a memory with one note, every term is in all of its notes",
)
def the_textbooks_idf_will_do(query: str, index: InvertedIndex) -> Scored:
    """Inverse document frequency is log(N / df), and what scores nothing is not found."""
    scores: dict[int, float] = {}
    for term in terms_of(query):
        for number in (found := index.postings(term)):
            scores[number] = scores.get(number, 0.0) + math.log(len(index) / len(found))
    return ranked({number: points for number, points in scores.items() if points > 0})


@wrong(
    caught_by="test_a_term_weighs_the_logarithm_of_one_plus_n_by_df",
    says="so it weighs log(1 + 5/1), the natural logarithm",
)
def a_logarithm_is_of_two(query: str, index: InvertedIndex) -> Scored:
    """Information is measured in bits, so the logarithm is that to the base of 2."""
    scores: Counter[int] = Counter()
    for term in terms_of(query):
        for number in (found := index.postings(term)):
            scores[number] += math.log2(1 + len(index) / len(found))
    return ranked(scores)


@wrong(
    caught_by="test_a_rare_word_outweighs_two_common_ones",
    says="nine of ten texts have tea and cake, so these say little",
)
def all_words_are_equal(query: str, index: InvertedIndex) -> Scored:
    """The best text is the one that shares the most terms with the question."""
    return ranked(Counter(n for term in terms_of(query) for n in index.postings(term)))


@wrong(
    caught_by="test_the_text_with_more_of_the_questions_words_comes_first",
    says="score returns a list of pairs, each (number, score)",
)
def a_ranking_is_an_order(query: str, index: InvertedIndex) -> list[int]:
    """To rank texts is to say in which order they come, so their numbers are enough."""
    return [number for number, _ in ranked(added(terms_of(query), index))]


@wrong(
    caught_by="test_of_equal_scores_the_newest_text_comes_first",
    says="of equal scores the highest number comes first",
)
def a_stable_sort_keeps_the_order(query: str, index: InvertedIndex) -> Scored:
    """Of equal scores the first one stays first, since Python's sort is stable."""
    return sorted(added(terms_of(query), index).items(), key=lambda item: item[1], reverse=True)


@wrong(
    caught_by="test_of_equal_scores_the_newest_text_comes_first",
    says="what was noted last is likeliest still to be true",
)
def most_common_sorts_by_count(query: str, index: InvertedIndex) -> Scored:
    """Counter.most_common gives the best first, which is all that was asked for."""
    return added(sorted(terms_of(query)), index).most_common()


@wrong(
    caught_by="test_a_word_that_no_text_has_is_passed_over",
    says="that neither ends the search nor changes what Bergen weighs",
)
def every_term_must_be_there(query: str, index: InvertedIndex) -> Scored:
    """A text answers the question only if it has all of its words, as in a web search."""
    everywhere = [set(index.postings(term)) for term in terms_of(query)]
    both = set.intersection(*everywhere) if everywhere else set()
    scores = added(terms_of(query), index)
    return ranked({number: scores[number] for number in both})


@wrong(
    caught_by="test_a_word_that_no_text_has_is_passed_over",
    says="No text has zeppelin, so its df is 0",
)
def every_word_is_somewhere(query: str, index: InvertedIndex) -> Scored:
    """A term comes from the index, so some text has it and df is at least 1."""
    weights = {term: weight(term, index) for term in terms_of(query)}
    scores: Counter[int] = Counter()
    for term, points in weights.items():
        scores.update(dict.fromkeys(index.postings(term), points))
    return ranked(scores)


@wrong(
    caught_by="test_a_term_weighs_the_logarithm_of_one_plus_n_by_df",
    says="to neither N nor df is anything added",
)
def one_is_added_to_be_safe(query: str, index: InvertedIndex) -> Scored:
    """A df of 0 must not be divided by, so 1 is added to it, as smoothing does."""
    scores: Counter[int] = Counter()
    for term in terms_of(query):
        for number in (found := index.postings(term)):
            scores[number] += math.log(1 + len(index) / (1 + len(found)))
    return ranked(scores)


@wrong(
    caught_by="test_a_new_text_is_found_and_changes_the_weights",
    says="N and df are asked for each time",
)
def a_weight_can_be_kept(query: str, index: InvertedIndex) -> Scored:
    """How rare a word is hardly changes, so its weight is worked out once."""
    scores: Counter[int] = Counter()
    for term in terms_of(query):
        for number in index.postings(term):
            scores[number] += _KEPT.setdefault((id(index), term), weight(term, index))
    return ranked(scores)


_KEPT: dict[tuple[int, str], float] = {}


@wrong(
    caught_by="test_the_work_does_not_grow_with_the_index",
    says="there is no need to go through the texts and ask about each",
)
def each_text_is_asked(query: str, index: InvertedIndex) -> Scored:
    """To score the texts is to go through them, and to see which terms each has."""
    scores: dict[int, float] = {}
    for number in range(len(index)):
        found = [term for term in terms_of(query) if number in index.postings(term)]
        if found:
            scores[number] = sum(weight(term, index) for term in found)
    return ranked(scores)


@wrong(
    caught_by="test_numbers_stay_when_a_text_is_removed",
    says="Three texts are left, and the last of them still has the number 3",
)
def numbers_run_from_nought_to_n(query: str, index: InvertedIndex) -> Scored:
    """There are N texts, so a list of N scores has a place for each."""
    scores = [0.0] * len(index)
    for term in terms_of(query):
        for number in index.postings(term):
            scores[number] += weight(term, index)
    return ranked({number: points for number, points in enumerate(scores) if points})


@wrong(
    caught_by="test_the_index_stays_as_it_is",
    says="postings are the index's own lists",
)
def the_newest_first_by_turning_round(query: str, index: InvertedIndex) -> Scored:
    """Turned round, the postings have the newest first, and a stable sort then keeps it so."""
    scores: dict[int, float] = {}
    for term in terms_of(query):
        if found := index.postings(term):
            found.reverse()  # type: ignore[attr-defined]
            for number in found:
                scores[number] = scores.get(number, 0.0) + weight(term, index)
    newest = sorted(scores.items(), reverse=True)
    return sorted(newest, key=lambda item: item[1], reverse=True)


@wrong(
    caught_by="test_forms_of_a_word_find_each_other",
    says="you look for words as they stand",
)
def words_in_lower_case_are_terms(query: str, index: InvertedIndex) -> Scored:
    """The index holds words, so the question's words are looked up in lower case."""
    words = dict.fromkeys(word.strip("?!.,'").lower() for word in query.split())
    return ranked(added(words, index))


@wrong(
    caught_by="test_a_long_text_is_no_worse",
    says="it is not divided by anything",
)
def a_long_text_has_more_of_everything(query: str, index: InvertedIndex) -> Scored:
    """A long text has more words by chance, so its score is divided by how many terms it has."""
    lengths: Counter[int] = Counter()
    for numbers in index._postings.values():
        lengths.update(numbers)
    scores = added(terms_of(query), index)
    return ranked({number: points / lengths[number] for number, points in scores.items()})


@wrong(
    caught_by="test_a_part_of_a_word_is_no_match",
    says="a term matches whole or not at all",
)
def a_beginning_is_enough(query: str, index: InvertedIndex) -> Scored:
    """Who looks for a word also wants the longer words that contain it."""
    scores: Counter[int] = Counter()
    for term in terms_of(query):
        found = {n for key, numbers in index._postings.items() if term in key for n in numbers}
        for number in found:
            scores[number] += math.log(1 + len(index) / len(found))
    return ranked(scores)


@wrong(
    caught_by="test_the_weights_of_several_terms_are_added",
    says="its score is their sum",
)
def the_best_term_decides(query: str, index: InvertedIndex) -> Scored:
    """A text is as good as the rarest term that it has."""
    scores: dict[int, float] = {}
    for term in terms_of(query):
        for number in index.postings(term):
            scores[number] = max(scores.get(number, 0.0), weight(term, index))
    return ranked(scores)
