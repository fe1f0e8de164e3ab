"""25.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.3")

HAS = "has = {text.name: _found(words_of(text.text), lengths, pieces) for text in texts}"
NAMED = "if has[text.name] - vouched"
TELLING = (
    'telling = [(word,) for word in words if any(sign.isdigit() or sign in "@._" for sign in word)]'
)

wrong(
    "A text that says that it is trusted is trusted.",
    (
        "for name in _trusted(texts)",
        "for name in {text.name for text in texts if text.trusted}",
    ),
    caught_by="test_a_memory_made_of_a_mail_is_a_strangers_word",
    says="on its way through a memory",
)
wrong(
    "A text is as good as the texts that it was made of.",
    (
        "    while doubted:\n        for name in made_from[doubted.pop()]:",
        "    for first in list(doubted):\n        for name in made_from[first]:",
    ),
    caught_by="test_trust_is_lost_at_any_remove",
    says="these of a memory, and that of a mail",
)
wrong(
    "Only a text that is there can be doubted.",
    ("name for name in made_from if", "name for name in {t.name for t in texts} if"),
    caught_by="test_a_source_that_is_not_there_is_not_trusted",
    says="nobody knows what mail 77 was",
)
wrong(
    "What turns in a circle has no origin that could be trusted.",
    (
        "    while doubted:\n",
        "    doubted += [t.name for t in texts for s in t.made_of if t.name in made_from]\n"
        "    trusted -= {*doubted}\n"
        "    while doubted:\n",
    ),
    caught_by="test_a_circle_ends_and_is_as_good_as_what_is_in_it",
    says="so does all that it is made of",
)
wrong(
    "Whatever an untrusted text has comes from it.",
    (NAMED, "if has[text.name] and text.name not in _trusted(texts)"),
    caught_by="test_a_value_in_a_trusted_text_needs_no_other_origin",
    says="takes nothing away",
)
wrong(
    "A call is the person's if a part of it is.",
    (NAMED, "if has[text.name] and not vouched"),
    caught_by="test_one_piece_is_enough",
    says="does not make the call theirs",
)
wrong(
    "The first text that has it is where it comes from.",
    (
        f"return tuple(text.name for text in texts {NAMED})",
        f"return tuple(text.name for text in texts {NAMED})[:1]",
    ),
    caught_by="test_untrusted_texts_are_named_in_their_order",
    says="Their names are due",
)
wrong(
    "`in` says whether a text has something.",
    (
        HAS,
        "has = {\n        text.name: {o for o in pieces if ' '.join(o) in text.text.lower()}\n"
        "        for text in texts\n    }",
    ),
    caught_by="test_a_part_of_a_word_is_another_word",
    says="words are compared as a whole",
)
wrong(
    "An argument comes from a text that has all its words.",
    (
        "return {run for length in lengths for run in _runs(words, length) if run in pieces}",
        "return {piece for piece in pieces if {*piece} <= {*words}}",
    ),
    caught_by="test_words_that_stand_apart_are_not_a_piece",
    says="never one after the other",
)
wrong(
    "A value that was copied is in the call as a whole.",
    (
        "for piece in (*telling, *_runs(words, min(RUN, len(words)))):",
        "for piece in (tuple(words),):",
    ),
    caught_by="test_it_looks_however_deep",
    says="in a long text",
)
wrong(
    "Addresses and numbers are what matters in a long text.",
    (
        "(*telling, *_runs(words, min(RUN, len(words))))",
        "(*telling, *[tuple(words)][: len(words) < RUN])",
    ),
    caught_by="test_a_long_value_is_known_by_a_part_of_it",
    says="a greeting was added",
)
wrong(
    "Every word of the arguments comes from somewhere.",
    (TELLING, "telling = [(word,) for word in words]"),
    caught_by="test_a_short_value_is_compared_as_a_whole",
    says="the mail has only one word of the second call's title",
)
wrong(
    "The arguments are texts; numbers come from the model.",
    (
        "            case number:\n                yield str(number)\n",
        "            case _:\n                pass\n",
    ),
    caught_by="test_a_number_is_the_same_however_it_is_written",
    says="it is the same amount",
)
wrong(
    "True is a value as any other.",
    ("            case bool() | None:\n                pass\n", ""),
    caught_by="test_names_of_arguments_and_truth_values_have_no_origin",
    says="nobody's words",
)
wrong(
    "The shorter a word, the more exactly it must be looked for.",
    ('if len("".join(piece)) >= SHORTEST:', "if piece:"),
    caught_by="test_short_pieces_say_nothing",
    says="stands everywhere",
)
wrong(
    "A text is looked through for each piece.",
    (
        "return {run for length in lengths for run in _runs(words, length) if run in pieces}",
        "return {piece for piece in pieces for run in _runs(words, len(piece)) if run == piece}",
    ),
    caught_by="test_many_pieces_and_many_texts_take_no_long_time",
    says="is each piece looked for in each text",
)
wrong(
    "The arguments of a call are one text.",
    (
        "{piece for value in _values(arguments.values()) for piece in _pieces(words_of(value))}",
        '{*_pieces(words_of(" ".join(_values(arguments.values()))))}',
    ),
    caught_by="test_each_string_is_looked_for_by_itself",
    says="Put together, the arguments are a text that nobody wrote",
)
