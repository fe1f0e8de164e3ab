"""Whether somebody asks, with or without a question mark, and what.

People write to an agent as they write to each other: "ok so where do i live". Taken for a
statement, a question would be kept, and then be quoted as what they said.
"""

import re

_WHO = r"(?:i|you|he|she|it|we|they|there)\b"
_WHOSE = r"(?:my|our|your|his|her|their|the|this|that)\b"
_NO_SUBJECT = (
    r"(?:not|no|never|an?|very|too|so|still|all|also|always|just|now|only|off|up|out|back|in|on|at|to"
    r"|for|from|with|about|be|been|do|done|go|gone|got|get|have|had|let|like|love|make|need|see|take"
    r"|use|rather|well|fine|ok|good|bad|left|lost|sold|\d+|two|three|four|\w+ing|\w+ed|\w+ly)\b"
)
"""Words after a verb whose subject was left out: "Is still in Oslo", "Can do Tuesday"."""
_INTRODUCTION = re.compile(
    r"(?:(?:hi|hello|hey|oh|ok|okay|so|and|well|please|kindly|sorry|by the way|now then|tell me"
    r"|remind me|i forgot|say(?= wh| how)|do you (?:know|remember)"
    r"|(?:can|could) you (?:tell|remind) me)\b[,.!:]* +)+",
    re.IGNORECASE,
)
_VERB = (
    r"(?:am|are|is|was|were|do|does|did|can|could|will|would|should|shall|may|must|has|have|had)"
    r"(?:n't)?\b"
)
_QUESTION = re.compile(
    rf"(?:since )?(?:when|where|why)(?:'?s\b|'re\b| (?:exactly |else |(?:in|on|at) \w+ )?{_VERB})"
    r"|(?:(?:in|on|at|to|for|with|from|of|since|until) )?"
    r"(?:what|whom|whose|which(?: of (?:my|our|your|the))?|how)"
    rf"(?:'?s\b|'re\b|(?: (?!{_WHO}|{_WHOSE}|an?\b)\w+){{0,4}}? {_VERB})"
    rf"|what (?:happens|happened|else|time\b|(?!{_WHO}|{_WHOSE}|an?\b|(?-i:[A-Z]))\S+ \S+ \w)"
    rf"|how (?:much|many|often|old|far) (?!{_WHO})\w"
    rf"|(?:(?:to|with|from|for) )?who(?:'?s|'re)? (?!{_WHO})\w"
    rf"|(?:am|are|is|can|could|would|shall|should(?![^?]+, \w)) (?:{_WHO}|{_WHOSE}|(?-i:[A-Z]))"
    rf"|(?:was|were|do|did|will|may|might|has|have|had) {_WHO}"
    rf"|(?:are|is|can|could|would|did|has) (?!{_NO_SUBJECT}|{_WHOSE}|\w+ that\b)\w+ \w"
    r"|does \w",
    re.IGNORECASE,
)
"""A verb before its subject: "Was I there", but not "Was there in May"; and "Should it rain, I
stay" is a condition, as "When Ann is ill" is."""
_NO_VERB = re.compile(r"(?:[A-Z]\w+'s|[Mm]y|[Oo]ur|[Tt]he) \w+(?: \w+)?\?")
_REQUEST = re.compile(
    r"(?:(?:please|kindly),? )?(?:tell|give|show|list|find|name|say|read|look|search|write"
    r"|summari[sz]e|explain|check|describe|compare|count|remind|do)\b",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Whether a sentence, or a message that begins with one, is a question.

    >>> is_question("am I allergic to nuts"), is_question("ok so which day is bridge")
    (True, True)
    >>> is_question("is sam still in oslo"), is_question("Is still in Oslo.")
    (True, False)
    >>> is_question("What a day!"), is_question("Should it rain, we shall stay at home.")
    (False, False)
    """
    return text.rstrip().endswith("?") or bool(_QUESTION.match(without_introduction(text)))


def without_introduction(text: str) -> str:
    """A question without a greeting or a request before it; a few words without a verb get theirs.

    >>> without_introduction("Hi, can you tell me where I live?")
    'where I live?'
    >>> without_introduction("Anna's age?")
    "What is Anna's age?"
    """
    stripped = text.strip()
    found = _INTRODUCTION.match(stripped)
    asked = stripped[found.end() :] if found else stripped
    return f"What is {asked}" if _NO_VERB.fullmatch(asked) else asked


def asks(text: str) -> bool:
    """Whether a message asks for something; what it says is not evidence.

    >>> asks("Where do I live?"), asks("Tell me where I live."), asks("What a day! I met Ann.")
    (True, True, False)
    """
    return is_question(text) or bool(_REQUEST.match(text.lstrip()))
