"""Finding what looks like a password or a key in a text.

It knows the forms in which keys are issued and the ways in which passwords are written down. A
secret in another form passes. So it is the last of several measures and never the only one.
"""

import re

# Each form starts where a word starts, or looks ahead a bounded way, so the time is linear.
_FORMS = (
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----",
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    r"\bAIza[\w-]{35}",
    r"\b(?:gh[pousr]|hf|npm)_[A-Za-z0-9]{30,}",
    r"\bgithub_pat_\w{22,}",
    r"\bglpat-[\w-]{20,}",
    r"\bsk-[\w-]{20,}",
    r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,}",
    r"\bxox[abeoprs]-[\w-]{10,}",
    r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+",
    r"\b(?i:bearer|basic)\s+[\w.~+/-]{20,}=*",
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@",
    # Written down by a person: a name for it, then a word of letters and digits.
    r"(?i:password|passwd|passphrase|secret|token|credential|api[ _-]?key|access[ _-]?key)"
    r"[\"']?\s*(?:[:=]|\bis\b)\s*[\"']?(?=\S{0,99}\d)(?=\S{0,99}[A-Za-z])[^\s\"']{8,}",
)

_CREDENTIAL = re.compile("|".join(_FORMS))


def find_credentials(text: str) -> frozenset[str]:
    """The parts of `text` that look like credentials.

    >>> sorted(find_credentials("The password is correct4horse; ask Ada for the token."))
    ['password is correct4horse;']
    >>> find_credentials("The token is in the safe.")
    frozenset()
    """
    return frozenset(found[0] for found in _CREDENTIAL.finditer(text))
