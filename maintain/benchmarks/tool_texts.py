"""Measures a tool's name, descriptions and examples, each alone and together: exercise 19.5."""

import argparse
import os
from collections.abc import Mapping
from dataclasses import replace

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.agent import teach
from g2c.agent.core.tool_text import Parameter, ToolText
from g2c.agent.core.visitors import q
from g2c.course.scored import PUBLIC_SEED, no_progress
from g2c.course.scored.kept import SHIPPED, keep_score, kept_score
from g2c.exercises.e19_5_teach.goal import facts_of_text, measure_text, taught
from g2c.exercises.e19_5_teach.naive import teach as teach_first
from g2c.inference.embedded.backend import EmbeddedBackend

WHOLE, BARE = teach(q), teach_first(q)


def text_with(*, name: bool, names: bool, descriptions: bool, examples: bool) -> ToolText:
    """The reference's text with only these parts. The others are from the first version."""
    parameters = tuple(
        Parameter(
            parameter.name if names else parameter.stands_for,
            parameter.stands_for,
            parameter.description if descriptions else "",
        )
        for parameter in WHOLE.parameters
    )
    meant = {parameter.stands_for: parameter.name for parameter in parameters}
    renamed = {parameter.name: meant[parameter.stands_for] for parameter in WHOLE.parameters}
    return ToolText(
        WHOLE.name if name else BARE.name,
        WHOLE.description if descriptions else BARE.description,
        parameters,
        tuple(
            replace(
                example, arguments={renamed[key]: value for key, value in example.arguments.items()}
            )
            for example in WHOLE.examples
            if examples
        ),
    )


PARTS = ("name", "names", "descriptions", "examples")
ALL = dict.fromkeys(PARTS, True)
NONE = dict.fromkeys(PARTS, False)
IN_WORDS = {
    "name": "the tool's name",
    "names": "the parameters' names",
    "descriptions": "the descriptions",
    "examples": "the four examples",
}


AT_LENGTH = replace(
    WHOLE,
    description=(
        "Says how many people visited a place on a day. Use it for every question about visitors, "
        "guests, tickets or crowds of a museum, a zoo, a library or another place in a town. The "
        "town and the day are one argument, with a slash between them: for Friday in Bari write "
        "Bari/Friday. It returns one number, and that number is the answer."
    ),
    parameters=(
        Parameter(
            "town_and_day",
            "k",
            "the town's name, a slash, and the day's English name, without spaces: Bari/Friday",
        ),
        Parameter("place", "v", "the kind of place in one word as the question says it: zoo"),
    ),
)


def worded_alike(arguments: Mapping[str, str]) -> str:
    """The question of the reference's first example, with another example's place, town and day."""
    town, day = arguments["town_and_day"].split("/")
    return f"How many visitors did the {arguments['place']} in {town} have on {day}?"


def without_the_form(arguments: Mapping[str, str]) -> str:
    """A thought of the same place, town and day that does not show how the call combines them."""
    town, day = arguments["town_and_day"].split("/")
    return f"I need the visitors of the {arguments['place']} in {town} on {day}."


def variants() -> dict[str, ToolText]:
    """The texts to compare, each under the names of its parts."""
    alike = tuple(
        replace(example, question=worded_alike(example.arguments)) for example in WHOLE.examples
    )
    thoughts = tuple(
        replace(example, thought=without_the_form(example.arguments)) for example in WHOLE.examples
    )
    return {
        "the first version": BARE,
        **{f"{IN_WORDS[part]} alone": text_with(**{**NONE, part: True}) for part in PARTS},
        **{f"all but {IN_WORDS[part]}": text_with(**{**ALL, part: False}) for part in PARTS},
        "all but the examples, described at length": replace(AT_LENGTH, examples=()),
        "all, with one example": replace(WHOLE, examples=WHOLE.examples[:1]),
        "all, with two examples": replace(WHOLE, examples=WHOLE.examples[:2]),
        "all, with two examples, described at length": replace(
            AT_LENGTH, examples=WHOLE.examples[:2]
        ),
        "all, with three examples": replace(WHOLE, examples=WHOLE.examples[:3]),
        "all, four examples worded alike": replace(WHOLE, examples=alike),
        "all, thoughts without the argument's form": replace(WHOLE, examples=thoughts),
        "all: the reference": WHOLE,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=4, help="seeds to try the reference on")
    parser.add_argument("--again", action="store_true", help="also repeat stored measurements")
    parser.add_argument("--ship", action="store_true", help=f"store the scores in {SHIPPED.name}")
    options = parser.parse_args()
    print_heading(
        f"Tasks of 20 that {EmbeddedBackend().info.model_id} does rightly with one tool, by what "
        "it is told of it. First on the tasks of the public seed, then the reference on those of "
        "other seeds. Scores that come with the course are shown as they were measured, unless "
        "there is --again."
    )
    rows = []
    for name, text in variants().items():
        rows.append([name, measured(text, PUBLIC_SEED, options)])
    print_table(["the text has", "right"], rows)
    print()
    seeds = range(PUBLIC_SEED, PUBLIC_SEED + options.seeds)
    print_table(["seed", "the reference"], [[s, measured(WHOLE, s, options)] for s in seeds])


def measured(text: ToolText, seed: int, options: argparse.Namespace) -> str:
    taught(lambda _: text, seed)  # refuses one that breaks a rule
    facts = facts_of_text(text, seed)
    score = None if options.again else kept_score(facts, SHIPPED)
    if score is None:
        score = measure_text(text, seed, no_progress)
        if options.ship:
            keep_score(facts, score, SHIPPED)
    return f"{score.points:g}"


if __name__ == "__main__":
    main()
