"""Page 25.6: the entropy of keys, hashes and names by their length, and a fixed threshold."""

import string
from collections import Counter
from math import log2
from random import Random
from statistics import fmean

from drawing import Kind, Picture

LEFT, TOP, WIDE, HIGH = 60, 56, 440, 210
LENGTHS = range(16, 65, 4)
LOWEST, HIGHEST = 2.5, 5.5
FIXED = 4.5
WORDS = (
    *("get", "user", "account", "information", "from", "cache", "test", "request", "factory"),
    *("attached", "role", "policies", "resource", "not", "found", "exception", "describe"),
    *("network", "interfaces", "block", "comment", "by", "line", "settings", "transport"),
    *("schema", "convert", "white", "space", "background", "task", "runner"),
)


def entropy(text: str) -> float:
    return sum(n * log2(len(text) / n) for n in Counter(text).values()) / len(text)


def _name(random: Random, length: int) -> str:
    made = ""
    while len(made) < length:
        made += random.choice(WORDS).title()
    return made[:length]


def curves() -> dict[str, list[float]]:
    """The mean entropy of two hundred of each kind, by length."""
    random = Random(1)
    kinds = {
        "keys": lambda n: "".join(random.choices(string.ascii_letters + string.digits, k=n)),
        "hashes": lambda n: "".join(random.choices("0123456789abcdef", k=n)),
        "names": lambda n: _name(random, n),
    }
    return {
        kind: [fmean(entropy(make(n)) for _ in range(200)) for n in LENGTHS]
        for kind, make in kinds.items()
    }


def draw() -> Picture:
    found = curves()
    at = {kind: values[list(LENGTHS).index(24)] for kind, values in found.items()}
    p = Picture(
        330,
        "The entropy of keys, hashes and names",
        f"At a length of 24 characters, the mean entropy per character is {at['keys']:.1f} bits "
        f"for random keys, {at['hashes']:.1f} for hashes and {at['names']:.1f} for names. Keys "
        "cross 4.5 bits, which scanners use as a fixed threshold, only at 32 characters and more.",
    )
    p.text(20, 28, "bits a character, by the length in characters", "head")

    def place(n: int, bits: float) -> tuple[float, float]:
        x = LEFT + WIDE * (n - LENGTHS[0]) / (LENGTHS[-1] - LENGTHS[0])
        return round(x, 1), round(TOP + HIGH * (HIGHEST - bits) / (HIGHEST - LOWEST), 1)

    for bits in (3, 4, 5):
        p.text(LEFT - 12, place(LENGTHS[0], bits)[1] + 5, f"{bits}", "soft end")
    for n in (16, 24, 32, 48, 64):
        p.text(place(n, LOWEST)[0], TOP + HIGH + 22, f"{n}", "soft middle")
    p.line((LEFT, TOP), (LEFT, TOP + HIGH), (LEFT + WIDE, TOP + HIGH))
    p.line(place(LENGTHS[0], FIXED), place(LENGTHS[-1], FIXED), dashed=True)
    p.text(LEFT + 6, place(16, FIXED)[1] - 6, "a fixed threshold")
    colors: dict[str, Kind] = {"keys": "bad", "hashes": "program", "names": "good"}
    for kind, values in found.items():
        points = [place(n, bits) for n, bits in zip(LENGTHS, values, strict=True)]
        p.line(*points)
        for x, y in points:
            p.bar(x - 4, y - 4, 8, 8, colors[kind])
    for kind, up in (("keys", -12), ("hashes", 20), ("names", -10)):
        x, y = place(56, found[kind][list(LENGTHS).index(56)])
        p.text(x, y + up, kind, "middle")
    p.text(20, 318, "At 24 characters, keys and names are close. Entropy alone does not part them.")
    return p
