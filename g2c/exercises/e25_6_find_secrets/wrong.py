"""25.6 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "25.6")

NAMES = "(?:{'|'.join(NAMES)})"
ENTROPY = "entropy >= 3.5"
DISORDER = 'return entropy >= 3.5 and (groups.count("digit") > 1 or len(groups) > 0.45 * len(run))'
SPANS = (
    "found = [match.span(match.lastgroup or 0) for form in _FORMS for match in form.finditer(text)]"
)
JOIN = "if joined and start <= joined[-1][1]:"

wrong(
    "What is found is what is hidden, name and all.",
    (SPANS, "found = [match.span() for form in _FORMS for match in form.finditer(text)]"),
)
wrong(
    "A random key has 4.5 bits of entropy a character, as the scanners have it.",
    (ENTROPY, "entropy >= 4.5"),
)
wrong("What has much entropy is a key.", (DISORDER, "return entropy >= 3.5"))
wrong(
    "A word of the right length is a key wherever it stands.",
    (
        "(?<![\\w+/.@-])[A-Za-z0-9]{24,}+(?![\\w+/=@]|[.-]\\w)",
        "(?<![A-Za-z\\d])[A-Za-z\\d]{24,}+(?![A-Za-z\\d])",
    ),
)
wrong("The name is the word password, and not a part of another name.", (NAMES, "\\b" + NAMES))
wrong(
    "A name that has the word in it names a secret.", (NAMES + '[\\"\']?"', NAMES + '\\w*[\\"\']?"')
)
wrong("Whatever stands after the colon is the value.", ('(?![(\\[{{<]))"', ')"'))
wrong("A bearer is followed by a key.", ("(?=[^\\s\\\"',;\\d]*+\\d)(?P<value>", "(?P<value>"))
wrong("What begins like a key is one.", ("(?=[a-z_-]*+[A-Z0-9])", ""))
wrong("A block of lines goes to the last end.", ("-----.*?(?:-----END", "-----.*(?:-----END"))
wrong("Each rule has its own finds.", (JOIN, "if joined and (start, end) == joined[-1]:"))
wrong("The rules are in order, so the finds are.", ("in sorted(found):", "in found:"))
wrong(
    "A pattern may look again.",
    ('r"-----BEGIN' if False else "(?s)-----BEGIN [A-Z ]*PRIVATE", "(?s)-----BEGIN .*?PRIVATE"),
)
