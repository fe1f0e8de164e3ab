"""Taking what has the form of a secret out of a text, before the text leaves this machine."""

import re

_WORD = r"[^\s\"',;}\\]{6,}"
_NAME = "(?:(?:api|access|secret|private)[_-]?key|token|secret|password|passwd)"
_SECRET = re.compile(
    rf"{_NAME}\b\\?[\"']?\s*[:=]\s*"
    r"(?:[|>][-+\d]*[ \t]*(?:\r?\n[ \t]+[^\n]*)+|"  # a block of YAML
    # A quoted value goes to its own closing quote, also in JSON that is a text in other JSON.
    r"([\"'])(?:\\.|(?!\1)[^\n\\])+\1|\\([\"'])(?:\\\\\\?.|(?!\\\2)[^\n])+\\\2"
    rf"|\\?[\"']?{_WORD})"
    rf"|(?:bearer|\bauthorization\\?[\"']?\s*[:=]\s*\\?[\"']?\w+)\s+{_WORD}"
    rf"|<[\w:.-]*{_NAME}(?:\s[^<>]*)?>[^<\n]+(?=</)"  # XML
    r"|\bcookie\\?[\"']?\s*:\s*\\?[\"']?[^\s=;\"'\\]+=[^\n\"'\\]+"
    # As curl takes a name and a password; two numbers are a user and a group.
    r"|(?:(?<=\s-u\s)|(?<=--user[\s=]))(?!\d+:\d+\b|\w+://)"
    r"(?:\"[^\"\n:]+:[^\"\n]+\"|'[^'\n:]+:[^'\n]+'|[^\s:\"']+:[^\s\"']+)"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"  # a JSON Web Token
    r"|(?<=://)[^\s/:\"']*:[^\s/\"']+(?=@)"  # a name and a password in a URL
    r"|\b(?:sk|pk|ghp|gho|xox[abp]|hf|AKIA)[-_]?[A-Za-z0-9_-]{16,}",
    re.IGNORECASE,
)


REDACTED = "[redacted]"


def redacted(text: str) -> str:
    """The text without what has the form of a key, a token or a password.

    Secrets without such a form stay: this is a filter, not a guarantee.

    >>> redacted("api_key=abcdef123456, then Bearer 0123456789"), redacted("the key is small")
    ('[redacted], then [redacted]', 'the key is small')
    >>> redacted('{"password": "correct horse battery"}'), redacted("ftp://eve:s3cret@host/a")
    ('{"[redacted]}', 'ftp://[redacted]@host/a')
    """
    return _SECRET.sub(REDACTED, text)
