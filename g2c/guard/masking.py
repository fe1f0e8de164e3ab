"""Secrets in what is about to be written down.

The idea to take away: a key is known by its form or by its disorder, and disorder alone calls
much that is ordinary a key. So a filter is worth what its false alarms are.
"""

from __future__ import annotations

from g2c.exercise import exercise


@exercise("25.6")
def find_secrets(text: str) -> tuple[tuple[int, int], ...]:
    """Where the secrets of a text stand: start and end of each, in order. Those that touch or
    overlap are one.

    Always found, in any case, is a value of 6 or more characters up to white space, a quote, comma
    or semicolon:

    - after a name that ends in password, passwd, secret, token or api key (also api_key, api-key,
      apikey) and : or =, both perhaps quoted, on one line. A value without quotes ends at a bracket
      too; if that opens, it is code;
    - after "Bearer", if it has a digit.

    So are one of `BEGINNINGS`, then 16 or more letters, digits, _ and -, not all of them lower
    case; and a private key in PEM, even without its end.

    Of keys of 24 or more random letters and digits, 95 of 100 are found. Ordinary text has 1 false
    find in 10,000 words at most.

    >>> find_secrets("password: correct-horse, for the mill")
    ((10, 23),)
    """
    raise NotImplementedError
