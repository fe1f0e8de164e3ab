"""Taking what has the form of a secret out of a text, before the text leaves this machine."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"(?i)(?:bearer\s+|(?:api[_-]?key|token|secret|password|passwd)\b[\"']?\s*[:=]\s*[\"']?)"
    r"[^\s\"',;}]{6,}|\b(?:sk|pk|ghp|gho|xox[abp]|hf|AKIA)[-_]?[A-Za-z0-9_-]{16,}"
)


REDACTED = "[redacted]"


def redacted(text: str) -> str:
    """The text without what has the form of a key, a token or a password.

    What has no such form stays: this is a net, and no promise.

    >>> redacted("api_key=abcdef123456, then Bearer 0123456789"), redacted("the key is small")
    ('[redacted], then [redacted]', 'the key is small')
    """
    return _SECRET.sub(REDACTED, text)
