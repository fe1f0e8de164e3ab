"""20.8 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "20.8")

TERMS = "dict.fromkeys(extract_terms(query))"
WEIGHT = "math.log(1 + len(index) / len(numbers))"
ITEMS = "scores.items()"
RANKED = f"sorted({ITEMS}, key=lambda item: (item[1], item[0]), reverse=True)"

wrong(
    "Each word of the question adds its weight; a person who says a word twice means it.",
    (TERMS, "extract_terms(query)"),
    caught_by="test_a_term_counts_once_however_often_the_question_says_it",
    says="the question says tea three times and means it once",
)
wrong(
    "Words that come twice are taken out of the question first, and then it is made into terms.",
    (TERMS, 'extract_terms(" ".join(dict.fromkeys(query.lower().split())))'),
    caught_by="test_two_forms_of_a_word_are_one_term",
    says="what must be different are the terms, not the words",
)
wrong(
    "Inverse document frequency is log(N / df), and what scores nothing is not found.",
    ("1 + len(index)", "len(index)"),
    (ITEMS, f"[(n, s) for n, s in {ITEMS} if s > 0]"),
    caught_by="test_the_only_note_there_is_can_be_found",
    says="in a memory with one note, every term is in all of its notes",
)
wrong(
    "Information is measured in bits, so the logarithm is to the base of 2.",
    ("math.log(", "math.log2("),
    caught_by="test_a_term_weighs_the_logarithm_of_one_plus_n_by_df",
    says="so it weighs log(1 + 5/1), the natural logarithm",
)
wrong(
    "The best text is the one that shares the most terms with the question.",
    (WEIGHT, "1"),
    caught_by="test_a_rare_word_outweighs_two_common_ones",
    says="nine of ten texts have tea and cake, so these say little",
)
wrong(
    "To rank texts is to say in which order they come, so their numbers are enough.",
    (RANKED, f"[number for number, _ in {RANKED}]"),
    caught_by="test_the_text_with_more_of_the_questions_words_comes_first",
    says="score returns a list of pairs, each (number, score)",
)
wrong(
    "Of equal scores the first one stays first, since Python's sort is stable.",
    ("(item[1], item[0])", "item[1]"),
    caught_by="test_of_equal_scores_the_newest_text_comes_first",
    says="of equal scores the highest number comes first",
)
wrong(
    "Counter.most_common gives the best first, which is all that was asked for.",
    ("import math", "import math\nfrom collections import Counter"),
    (RANKED, "Counter(scores).most_common()"),
    caught_by="test_of_equal_scores_the_newest_text_comes_first",
    says="what was noted last is likeliest still to be true",
)
wrong(
    "A text answers the question only if it has all of its words, as in a web search.",
    (ITEMS, f"[i for i in {ITEMS} if all(i[0] in index.postings(t) for t in {TERMS})]"),
    caught_by="test_a_word_that_no_text_has_is_passed_over",
    says="that neither ends the search nor changes what Bergen weighs",
)
wrong(
    "A term comes from the index, so some text has it and df is at least 1.",
    ("if numbers := index.postings(term):", "for numbers in [index.postings(term)]:"),
    caught_by="test_a_word_that_no_text_has_is_passed_over",
    says="No text has zeppelin, so its df is 0",
)
wrong(
    "A df of 0 must not be divided by, so 1 is added to it, as smoothing does.",
    ("/ len(numbers)", "/ (1 + len(numbers))"),
    caught_by="test_a_term_weighs_the_logarithm_of_one_plus_n_by_df",
    says="to neither N nor df is anything added",
)
wrong(
    "How rare a word is hardly changes, so its weight is worked out once.",
    (WEIGHT, f"vars(score).setdefault((id(index), term), {WEIGHT})"),
    caught_by="test_a_new_text_is_found_and_changes_the_weights",
    says="N and df are asked for each time",
)
wrong(
    "To score the texts is to go through them, and to see which terms each has.",
    ("in numbers:", "in [n for n in range(len(index)) if n in index.postings(term)]:"),
    caught_by="test_the_work_does_not_grow_with_the_index",
    says="there is no need to go through the texts and ask about each",
)
wrong(
    "There are N texts, so a list of N scores has a place for each.",
    ("scores: dict[int, float] = {}", "scores = [0.0] * len(index)"),
    ("scores.get(number, 0.0)", "scores[number]"),
    (ITEMS, "[(n, s) for n, s in enumerate(scores) if s]"),
    caught_by="test_numbers_stay_when_a_text_is_removed",
    says="Three texts are left, and the last of them still has the number 3",
)
wrong(
    "Turned round, the postings have the newest first, and a stable sort then keeps it so.",
    ("weight =", "numbers.reverse()\n            weight ="),
    ("(item[1], item[0])", "item[1]"),
    caught_by="test_the_index_stays_as_it_is",
    says="postings are the index's own lists",
)
wrong(
    "The index holds words, so the question's words are looked up in lower case.",
    (TERMS, "{word.strip('?!.,'): None for word in query.lower().split()}"),
    caught_by="test_forms_of_a_word_find_each_other",
    says="you look for words as they stand",
)
wrong(
    "A long text has more words by chance, so its score is divided by how many terms it has.",
    (ITEMS, f"[(n, s / sum(n in p for p in index._postings.values())) for n, s in {ITEMS}]"),
    caught_by="test_a_long_text_is_no_worse",
    says="it is not divided by anything",
)
wrong(
    "A person who looks for a word also wants the longer words that contain it.",
    ("index.postings(term)", "{n for t, ns in index._postings.items() if term in t for n in ns}"),
    caught_by="test_a_part_of_a_word_is_no_match",
    says="a term matches whole or not at all",
)
wrong(
    "A text is as good as the rarest term that it has.",
    ("scores.get(number, 0.0) + weight", "max(scores.get(number, 0.0), weight)"),
    caught_by="test_the_weights_of_several_terms_are_added",
    says="its score is their sum",
)
