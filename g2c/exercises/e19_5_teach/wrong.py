"""19.5 gone wrong. The scores of those that break no rule come with the course."""

from collections.abc import Callable
from functools import partial
from random import randrange

from wrong_answers import wrong

from g2c.agent.core.tool_text import Parameter, ToolText

wrong = partial(wrong, "19.5")

NAMES = '"count_visitors"'
EXAMPLES = "tuple(_example(function, *asked) for asked in ASKED)"
COUNT = 'count = function(k=f"{town}/{day}", v=place)'
ARGUMENTS = '{"town_and_day": f"{town}/{day}", "place": place},'

wrong("A good name and a good description are all that a model needs.", (EXAMPLES, "()"))
wrong(
    "What an example's call gives does not matter: the model is to learn the call.",
    (COUNT, 'count = "250"'),
)
wrong(
    "The arguments go to the function, so they have its names.",
    (ARGUMENTS, '{"v": place, "k": f"{town}/{day}"},'),
)
wrong("The tool's name is a title for a reader.", (NAMES, '"Count the visitors"'))
wrong("The more examples, the better.", (EXAMPLES, f"{EXAMPLES} * 2"))
wrong(
    "A description cannot be too detailed.",
    (
        '"Say how many people visited a place in a town on a day."',
        '"Say how many people visited a place in a town on a day. " * 60',
    ),
)
wrong(
    "A question that the model gets wrong is best answered in an example.",
    (
        '"For Tuesday I need the guests of the pool. The town is Senj.", "pool", "Senj", "Tuesday"',
        '"How busy was the theatre in Nessel, on Wednesday?", "theatre", "Nessel", "Wednesday"',
    ),
)


@wrong()
def teach(function: Callable[..., str]) -> ToolText:
    """Fresh examples every time keep the model from learning them by heart."""
    parameters = (Parameter("place", "v"), Parameter("town_and_day", "k"))
    return ToolText(f"visitors_{randrange(10**9)}", "Count visitors.", parameters)
