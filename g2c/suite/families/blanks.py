"""Words and numbers for the blanks of a phrasing, and the values of expressions."""

from g2c.suite.draw import Draw
from g2c.suite.vocabulary import both, given_number
from g2c.tools import make_calculator

CALCULATOR = ("calculator",)
READ = ("read_file",)
READ_AND_CALCULATE = ("calculator", "read_file")
ALL = ("list_files", "calculator", "read_file")

calculate = make_calculator().func


def fill(draw: Draw) -> dict[str, str]:
    """A value for every blank that a phrasing of `g2c.suite.vocabulary` may have."""
    person, other = draw.sample(draw.words(*both("people")), 2)
    file, other_file = (f"{stem}.txt" for stem in draw.sample(draw.words(*both("stems")), 2))
    k = draw.choice((2, 3, 4, 5, 6, 8, 9))  # no multiple of 7 is held out
    return {
        "a": str(given_number(draw, 100, 600)),
        "b": str(given_number(draw, 10, 90)),
        "c": str(given_number(draw, 10, 90)),
        "k": str(k),
        "m": str(given_number(draw, 100, 900, divisor=k)),
        "person": person,
        "other": other,
        "place": draw.choice(draw.words(*both("places"))),
        "thing": draw.choice(draw.words(*both("things"))),
        "goods": draw.choice(draw.words(*both("goods"))),
        "colour": draw.choice(draw.words(*both("colours"))),
        "file": file,
        "other_file": other_file,
    }


def fill_apart(draw: Draw, *others: dict[str, str]) -> dict[str, str]:
    """Values for the blanks. Those that could be an answer differ from the values of `others`."""
    while True:
        words = fill(draw)
        if all(words[blank] != other[blank] for other in others for blank in _ANSWERS):
            return words


_ANSWERS = ("thing", "goods", "colour", "person", "place", "a")
