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
    caught_by="test_the_value_is_found_and_not_the_name",
    says="Their names are not",
)
wrong(
    "A random key has 4.5 bits of entropy a character, as the scanners have it.",
    (ENTROPY, "entropy >= 4.5"),
    caught_by="test_keys_without_a_name_are_known_by_their_disorder",
    says="what does it come to for 24 characters",
)
wrong(
    "What has much entropy is a key.",
    (DISORDER, "return entropy >= 3.5"),
    caught_by="test_hashes_numbers_pictures_and_long_names_are_not_secrets",
    says="lose something",
)
wrong(
    "A word of the right length is a key wherever it stands.",
    (
        "(?<![\\w+/.@-])[A-Za-z0-9]{24,}+(?![\\w+/=@]|[.-]\\w)",
        "(?<![A-Za-z\\d])[A-Za-z\\d]{24,}+(?![A-Za-z\\d])",
    ),
    caught_by="test_a_key_joined_to_more_is_not_a_key",
    says="as random as keys, and far more frequent",
)
wrong(
    "The name is the word password, and not a part of another name.",
    (NAMES, "\\b" + NAMES),
    caught_by="test_a_name_may_begin_with_anything",
    says="the value is the secret",
)
wrong(
    "A name that has the word in it names a secret.",
    (NAMES + '[\\"\']?"', NAMES + '\\w*[\\"\']?"'),
    caught_by="test_words_about_secrets_are_none",
    says="a name ends in the word",
)
wrong(
    "Whatever stands after the colon is the value.",
    ('(?![(\\[{{<]))"', ')"'),
    caught_by="test_code_that_fetches_a_secret_has_none",
    says="says where the secret comes from",
)
wrong(
    "A bearer is followed by a key.",
    ("(?=[^\\s\\\"',;\\d]*+\\d)(?P<value>", "(?P<value>"),
    caught_by="test_a_token_after_bearer_is_found_if_it_has_a_digit",
    says="have no digit",
)
wrong(
    "What begins like a key is one.",
    ("(?=[a-z_-]*+[A-Z0-9])", ""),
    caught_by="test_known_beginnings_are_found_with_what_follows",
    says="are a name",
)
wrong(
    "A block of lines goes to the last end.",
    ("-----.*?(?:-----END", "-----.*(?:-----END"),
    caught_by="test_a_private_key_is_found_from_begin_to_end",
    says="each block by itself",
)
wrong(
    "Each rule has its own finds.",
    (JOIN, "if joined and (start, end) == joined[-1]:"),
    caught_by="test_finds_that_overlap_or_touch_are_one",
    says="spoils the text",
)
wrong(
    "The rules are in order, so the finds are.",
    ("in sorted(found):", "in found:"),
    caught_by="test_the_order_is_that_of_the_text",
    says="from the front to the back",
)
wrong(
    "A pattern may look again.",
    ('r"-----BEGIN' if False else "(?s)-----BEGIN [A-Z ]*PRIVATE", "(?s)-----BEGIN .*?PRIVATE"),
    caught_by="test_the_time_grows_with_the_text_and_not_faster",
    says="begin again within it",
)
