"""Secrets in what is about to be written down.

The idea to take away: a key is recognised by its form or by its randomness, and randomness alone
flags much that is ordinary. So judge a filter by its false alarms, too.
"""

from __future__ import annotations

from g2c.exercise import exercise


@exercise("25.6")
def find_secrets(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each secret, in order; those that touch or overlap are one.

    Always found, in any case, are values of 6 or more characters, to white space, quote, comma or
    semicolon:

    - on one line after a name that ends in one of `NAMES` and : or =, both perhaps quoted. Without
      quotes a bracket ends it; one that opens makes it code;
    - after "Bearer", with a digit.

    So are `BEGINNINGS` with 16 or more letters, digits, _ and - behind, not all small letters; and
    private keys in PEM, even unended.

    Of free-standing keys of 24 or more random letters and digits, 95 of 100 are found, and of
    10,000 ordinary words at most 1.

    >>> find_secrets("password: correct-horse, for the mill")
    ((10, 23),)
    """
    raise NotImplementedError
