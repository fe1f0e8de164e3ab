"""The views of module 21's notebook: rounds as diffs, score curves, disagreement, intervals."""

import re
from base64 import b64decode
from dataclasses import replace
from html import escape

import pytest

from g2c.critic.core.types import (
    Critique,
    Dimension,
    Dispute,
    Interval,
    RefinementState,
    Review,
    Round,
    Rubric,
)
from g2c.widgets import curves, disagreement_map, interval_chart, refinement_rounds
from g2c.widgets.curves import convergence_curves
from g2c.widgets.refinement import changes

EVIL = "<script>alert('x')</script> & \"quoted\" [bold]"

POOR = Round(1, "Tea is a drink.", Critique(4, ("It says nothing of water.",)))
BETTER = Round(2, "Tea is a hot drink.", Critique(8.5, (), "APPROVE"))
DONE = RefinementState((POOR, BETTER), True, BETTER.draft, "approved", 4)


class TestRefinementRounds:
    def test_words_say_what_the_colours_say(self):
        view = refinement_rounds(DONE)
        for text in (view._repr_html_(), repr(view)):
            for words in ("Round 2", "REVISE, 4/10", "APPROVE, 8.5/10", "approved", "4 calls"):
                assert words in text, f"{words!r} is not in it"
        assert "Tea is a {+hot +}drink." in repr(view)
        assert re.search("<ins [^>]*>hot </ins>", view._repr_html_()), (
            "what came in is marked in the markup"
        )

    def test_the_first_draft_is_not_a_change(self):
        html = refinement_rounds(DONE)._repr_html_().partition("Round 2")[0]
        assert "<ins>" not in html and "<del>" not in html

    @pytest.mark.parametrize(
        ("before", "after", "pieces"),
        [
            (None, "new", [("same", "new")]),
            ("a b", "a b", [("same", "a b")]),
            ("keep this old word", "keep this word", "keep this [old ]word"),
            ("one two", "three four", [("out", "one two"), ("in", "three four")]),
            ("", "all of it", [("in", "all of it")]),
            ("all of it", "", [("out", "all of it")]),
            ("", "", []),
        ],
    )
    def test_changes_are_words(self, before, after, pieces):
        if isinstance(pieces, str):
            kept, gone = pieces.split("[")[0], pieces.split("[")[1].split("]")
            pieces = [("same", kept), ("out", gone[0]), ("same", gone[1])]
        assert changes(before, after) == pieces

    @pytest.mark.parametrize("before", ["", "a b c", "x\n\n  y", "a  b\tc"])
    @pytest.mark.parametrize("after", ["", "a c", "x\n  y\n", "b b a"])
    def test_kept_and_new_parts_make_the_new_draft(self, before, after):
        pieces = changes(before, after)
        assert "".join(text for kind, text in pieces if kind != "out") == after
        assert "".join(text for kind, text in pieces if kind != "in") == before

    def test_a_draft_that_shares_a_word_by_chance_is_new_throughout(self):
        before, after = "the cat sat on a very old mat", "write the code, then test it well"
        assert changes(before, after) == [("out", before), ("in", after)]

    def test_an_error_says_which_and_shows_what_nobody_judged(self):
        state = RefinementState((POOR,), False, POOR.draft, "error", 4, "It hung up.", "a draft")
        view = refinement_rounds(state)
        for text in (view._repr_html_(), repr(view)):
            assert "It hung up." in text and "a draft" in text and "4 calls" in text

    def test_a_critique_that_was_not_read_says_why(self):
        unread = Round(1, "Tea.", Critique(parse_error="No RECOMMENDATION."))
        view = refinement_rounds(RefinementState((unread,), False, "Tea.", "max_rounds", 2))
        for text in (view._repr_html_(), repr(view)):
            assert "No RECOMMENDATION." in text and "REVISE, no score" in text

    def test_texts_of_models_stay_text(self):
        rounds = tuple(Round(n, EVIL, Critique(1, (EVIL,), parse_error=EVIL)) for n in (1, 2))
        state = RefinementState(rounds, False, EVIL, "error", 4, EVIL, EVIL)
        html = refinement_rounds(state)._repr_html_()
        assert "<script>" not in html and escape(EVIL) in html


REVIEWS = [
    Review("Ada", {"truth": 90, "tone": 40}, True),
    Review(EVIL, {"truth": 30, "tone": 45}, False),
    Review("Cy", {"truth": 60}, False),
]


class TestDisagreementMap:
    def test_every_score_is_there_as_a_number_and_a_missing_one_as_a_dash(self):
        rows = [line.split() for line in repr(disagreement_map(REVIEWS)).splitlines()]
        assert ["Ada", "90", "40", "yes"] in rows
        assert ["Cy", "60", "-", "no"] in rows
        assert ["mean", "60.0", "42.5"] in rows, "a missing score is no 0"

    def test_a_disputed_dimension_is_named_and_the_others_are_not(self):
        quarrel = Dispute("truth", 30, "Bob", 90, "Ada")
        view = disagreement_map(REVIEWS, [quarrel])
        assert ["disputed", "60", "apart"] in [line.split() for line in repr(view).splitlines()]
        assert view._repr_html_().count('<th class="g2c-score g2c-disputed"') == 1
        disputed = '<th class="g2c-score g2c-disputed"[^>]*>truth</th>'
        assert re.search(disputed, view._repr_html_())

    def test_the_lower_score_is_the_darker_cell(self):
        html = disagreement_map(REVIEWS)._repr_html_()
        found = re.findall(r'background: #d55e00(\w\w)">(\d+)<', html)
        by_score = sorted((int(score), int(shade, 16)) for shade, score in found)
        shades = [shade for _, shade in by_score]
        assert len(shades) == 5 and shades == sorted(shades, reverse=True), by_score

    def test_names_are_text(self):
        html = disagreement_map(REVIEWS)._repr_html_()
        assert "<script>" not in html and escape(EVIL) in html

    def test_without_reviews_it_says_what_to_do(self):
        with pytest.raises(ValueError, match="ask a reviewer first"):
            disagreement_map([])


class TestIntervalChart:
    def test_a_bar_has_its_interval_and_a_missing_one_leaves_a_gap(self):
        figure = interval_chart(
            {
                "broken": {"strict": Interval(0.25, 0.1, 0.5), "gentle": Interval(1.0, 0.75, 1.0)},
                "good": {"gentle": Interval(0.5, 0.25, 0.75)},
            },
            title="Approved",
            x="critic",
            y="share",
        )
        (axes,) = figure.axes
        assert [label.get_text() for label in axes.get_xticklabels()] == ["strict", "gentle"]
        assert [bar.get_height() for bar in axes.patches] == [0.25, 1.0, 0.5]
        assert len({bar.get_hatch() for bar in axes.patches}) == 2, "told apart without colours"
        middles = [bar.get_x() + bar.get_width() / 2 for bar in axes.patches]
        assert middles == pytest.approx([-0.2, 0.8, 1.2])
        whiskers = [path.vertices for lines in axes.collections for path in lines.get_paths()]
        ends = [(low, high) for (_, low), (_, high) in whiskers]
        assert ends == [pytest.approx(pair) for pair in ((0.1, 0.5), (0.75, 1.0), (0.25, 0.75))]

    def test_an_estimate_that_floats_put_outside_its_interval_is_drawn(self):
        one = Interval(0.30000000000000004, 0.1, 0.3)
        interval_chart({"flips": {"0.5": one}}, title="", x="", y="")

    def test_nothing_to_draw_is_said(self):
        with pytest.raises(ValueError, match="nothing to draw"):
            interval_chart({}, title="Flips", x="", y="")


RUBRIC = Rubric((Dimension("truth", 0.6), Dimension("tone", 0.4)))
RISING = [(48, 50, 0), (62, 60, 1), (71, 72, 1), (78, 75, 2), (82, 80, 2)]
STUCK = [(35, 60, 0), (51, 64, 0), (63, 66, 1), (64, 67, 2), (65, 66, 2)]
RUNS = {
    label: [
        [
            Review(name, {"truth": truth, "tone": tone}, approved=number < approvals)
            for number, name in enumerate(("Ada", "Bob"))
        ]
        for truth, tone, approvals in scores
    ]
    for label, scores in {"rising": RISING, "stuck": STUCK}.items()
}
"""Scores that a rule of any position stops at different rounds, for all three reasons."""


@pytest.fixture
def solved(monkeypatch):
    """The rule as the lesson has it, whosever functions are installed."""
    from g2c.exercises.e21_3_aggregate.solution import aggregate
    from g2c.exercises.e21_4_is_plateau.solution import is_plateau

    monkeypatch.setattr(curves, "aggregate", aggregate)
    monkeypatch.setattr(curves, "is_plateau", is_plateau)


def passes_with_one_approval(reviews, rubric, **bars):
    from g2c.exercises.e21_3_aggregate.solution import aggregate

    scored = aggregate(reviews, rubric, **bars)
    return replace(scored, passes=scored.approvals == 1)


def drawn_rings(html: str) -> list[str]:
    """How far to the right the rings of the curves stand."""
    (image,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    return re.findall(r'<circle[^>]* cx="([^"]+)"', b64decode(image).decode())


class TestConvergenceCurves:
    def test_the_students_functions_decide_where_the_sliders_stand_at_first(self, monkeypatch):
        monkeypatch.setattr(curves, "aggregate", passes_with_one_approval)
        monkeypatch.setattr(curves, "is_plateau", lambda history, price: False)
        rows = [line.split() for line in repr(convergence_curves(RUNS, RUBRIC)).splitlines()]
        assert ["rising", "2", "converged"] in [row[:3] for row in rows]
        assert ["stuck", "3", "converged"] in [row[:3] for row in rows]

    def test_each_reason_is_told_with_its_round(self, solved):
        view = repr(convergence_curves(RUNS, RUBRIC))
        rows = [line.split() for line in view.splitlines()]
        assert ["rising", "4", "converged", "76.8", "tone", "75.0", "2", "of", "2"] in rows
        assert ["stuck", "5", "plateau", "65.4", "truth", "65.0", "2", "of", "2"] in rows
        assert "max_rounds" in repr(convergence_curves(RUNS, RUBRIC, s_min=99))

    def test_the_curves_have_a_ring_for_each_run_where_it_stops(self, solved):
        html = convergence_curves(RUNS, RUBRIC)._repr_html_()
        assert html.count("<table") == 1
        assert drawn_rings(html) == ["467.5", "610"], "in the last round but one, and in the last"
        assert drawn_rings(convergence_curves(RUNS, RUBRIC, s_min=99)._repr_html_()) == ["610"] * 2

    def test_names_are_text(self, solved):
        html = convergence_curves({EVIL: RUNS["rising"]}, RUBRIC)._repr_html_()
        assert "<script>alert" not in html

    @pytest.mark.parametrize("runs", [{}, {"memo": []}])
    def test_nothing_to_draw_is_said(self, runs):
        with pytest.raises(ValueError, match="nothing to draw"):
            convergence_curves(runs, RUBRIC)
