"""Two rubrics: what reviewers score, and how much each score counts.

A rubric splits "is it good?" into questions. Reviewers can disagree on one and agree on the others,
so a disagreement has a place.
"""

from g2c.critic.core.types import Dimension, Rubric

WRITING = Rubric(
    (
        Dimension("substance", 0.4, "Is it true, and does it do all that the task asks for?"),
        Dimension("structure", 0.25, "Does each part stand where a reader needs it?"),
        Dimension("clarity", 0.25, "Can it be understood at the first reading?"),
        Dimension("tone", 0.1, "Does it suit the people who will read it?"),
    )
)

CODE = Rubric(
    (
        Dimension("correctness", 0.5, "Does it give the right result for all allowed inputs?"),
        Dimension("edge cases", 0.2, "Does it hold for the empty, the largest and the odd input?"),
        Dimension("readability", 0.2, "Do names and order tell a reader what happens and why?"),
        Dimension("economy", 0.1, "Is there nothing in it that could be left out?"),
    )
)
