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
    ("for name in _trusted(texts)", "for name in {text.name for text in texts if text.trusted}"),
)
wrong(
    "A text is as good as the texts that it was made of.",
    (
        "    while doubted:\n        for name in made_from[doubted.pop()]:",
        "    for first in list(doubted):\n        for name in made_from[first]:",
    ),
)
wrong(
    "Only a text that is there can be doubted.",
    ("name for name in made_from if", "name for name in {t.name for t in texts} if"),
)
wrong(
    "What turns in a circle has no origin that could be trusted.",
    (
        "    while doubted:\n",
        "    doubted += [t.name for t in texts for s in t.made_of if t.name in made_from]\n"
        "    trusted -= {*doubted}\n"
        "    while doubted:\n",
    ),
)
wrong(
    "Whatever an untrusted text has comes from it.",
    (NAMED, "if has[text.name] and text.name not in _trusted(texts)"),
)
wrong("A call is the person's if a part of it is.", (NAMED, "if has[text.name] and not vouched"))
wrong(
    "The first text that has it is where it comes from.",
    (
        f"return tuple(text.name for text in texts {NAMED})",
        f"return tuple(text.name for text in texts {NAMED})[:1]",
    ),
)
wrong(
    "`in` says whether a text has something.",
    (
        HAS,
        "has = {\n        text.name: {o for o in pieces if ' '.join(o) in text.text.lower()}\n"
        "        for text in texts\n    }",
    ),
)
wrong(
    "An argument comes from a text that has all its words.",
    (
        "return {run for length in lengths for run in _runs(words, length) if run in pieces}",
        "return {piece for piece in pieces if {*piece} <= {*words}}",
    ),
)
wrong(
    "A value that was copied is in the call as a whole.",
    (
        "for piece in (*telling, *_runs(words, min(RUN, len(words)))):",
        "for piece in (tuple(words),):",
    ),
)
wrong(
    "Addresses and numbers are what matters in a long text.",
    (
        "(*telling, *_runs(words, min(RUN, len(words))))",
        "(*telling, *[tuple(words)][: len(words) < RUN])",
    ),
)
wrong(
    "Every word of the arguments comes from somewhere.",
    (TELLING, "telling = [(word,) for word in words]"),
)
wrong(
    "The arguments are texts; numbers come from the model.",
    (
        "            case number:\n                yield str(number)\n",
        "            case _:\n                pass\n",
    ),
)
wrong(
    "True is a value as any other.", ("            case bool() | None:\n                pass\n", "")
)
wrong(
    "The shorter a word, the more exactly it must be looked for.",
    ('if len("".join(piece)) >= SHORTEST:', "if piece:"),
)
wrong(
    "A text is looked through for each piece.",
    (
        "return {run for length in lengths for run in _runs(words, length) if run in pieces}",
        "return {piece for piece in pieces for run in _runs(words, len(piece)) if run == piece}",
    ),
)
wrong(
    "The arguments of a call are one text.",
    (
        "{piece for value in _values(arguments.values()) for piece in _pieces(words_of(value))}",
        '{*_pieces(words_of(" ".join(_values(arguments.values()))))}',
    ),
)
