"""Secrets in what is about to be written down.

The idea to take away: a key is recognised by its form or by its randomness, and randomness alone
flags much that is ordinary. So judge a filter by its false alarms, too.
"""

from __future__ import annotations

from g2c.exercise import exercise


@exercise("25.6")
def find_secrets(text: str) -> tuple[tuple[int, int], ...]:
    """Return each secret's start and end, in order. Merge secrets that touch or overlap.

    Always find, ignoring case, values of 6 or more characters, up to white space, quote, comma or
    semicolon:

    - on one line after a name that ends in one of `NAMES` and : or =, both optionally quoted.
      Unquoted, it ends at a closing bracket; an opening one makes it code;
    - after "Bearer", with a digit.

    Always find words that begin with `BEGINNINGS` and 16 or more letters, digits, _ and -, not all
    small letters; and private keys in PEM, even unended.

    Find 95 of 100 free-standing keys of 24 or more random letters and digits, and at most 1 of
    10,000 ordinary words.

    >>> find_secrets("password: correct-horse, for the mill")
    ((10, 23),)
    """
    raise NotImplementedError
