"""Page on recall: what each word of a question weighs, by how many of the notes have it."""

from math import log

from drawing import Picture

from g2c.memory.core.terms import extract_terms

NOTES = (
    "The allotment: its shed door sticks.",
    "The allotment: green door on the new shed.",
    "The allotment: a green shed is planned.",
    "Wasps live behind the boiler.",
    "The allotment: the green shed door was painted.",
)
ASKED = "Where at the green shed door are the wasps?"

LEFT, SCALE = 190, 120


def draw() -> Picture:
    terms = [set(extract_terms(note)) for note in NOTES]
    words = list(dict.fromkeys(extract_terms(ASKED)))
    p = Picture(
        90 + 40 * len(words),
        "What a word weighs",
        f"The question is: {ASKED} There are {len(NOTES)} notes. The fewer notes have a word, the "
        "more it weighs: "
        + ", ".join(f"{word} is in {sum(word in term for term in terms)}" for word in words)
        + ".",
    )
    p.text(20, 28, f"{ASKED}", "head")
    for n, word in enumerate(words):
        found = sum(word in term for term in terms)
        y = 48 + n * 40
        p.text(20, y + 20, word, "code")
        p.text(90, y + 20, f"in {found} of {len(NOTES)} notes")
        p.bar(LEFT + 20, y, log(1 + len(NOTES) / found) * SCALE, 28, "yours")
        p.text(
            LEFT + 28 + log(1 + len(NOTES) / found) * SCALE,
            y + 20,
            f"{log(1 + len(NOTES) / found):.1f}",
        )
    p.text(
        20, 48 + 40 * len(words) + 24, "Rare words decide. The others tell the notes little apart."
    )
    return p
