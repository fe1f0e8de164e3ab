"""Controls that call a person's function anew, and what stays of them without a kernel."""

from typing import Any

import pytest

from g2c.critic import WRITING, Review
from g2c.exercises.e21_3_aggregate import solution as aggregation
from g2c.exercises.e21_4_is_plateau import solution as plateau
from g2c.loop.core.types import Decision
from g2c.memory import GateDecision
from g2c.widgets import curves, live
from g2c.widgets.curves import convergence_curves
from g2c.widgets.gate import gate_map
from g2c.widgets.heal_map import heal_map
from g2c.widgets.live import LiveView
from g2c.widgets.view import View


def gates() -> tuple[LiveView, list[Any], dict[str, Any]]:
    """A map of a function that can be edited: what it was asked, and what it says."""
    asked: list[Any] = []
    said = {"decision": GateDecision(("time",))}

    def should_dream(*position: Any) -> GateDecision:
        asked.append(position)
        return said["decision"]

    return gate_map(should_dream), asked, said


class TestThePosition:
    def test_the_function_is_called_again_and_an_edited_one_is_seen(self):
        view, asked, said = gates()
        before = len(asked)
        assert "No dream. Closed: time." in repr(view.at(24, 4, False))
        assert len(asked) > before
        said["decision"] = GateDecision()
        assert "All three gates are open: dream." in repr(view.at(24, 4, False))

    def test_the_healer_is_asked_where_the_controls_stand(self):
        def decide(history: Any, now: Any) -> Decision:
            failures = sum(tick.outcome == "failed" for tick in history.ticks)
            reason = f"{failures} failures, {len(history.recoveries)} recoveries."
            return Decision("restore" if history.snapshots else "panic", reason)

        view = heal_map(decide)
        assert "Restore. 5 failures, 2 recoveries." in repr(view.at(5, 2, 12, None, True))
        assert "Panic. 0 failures, 4 recoveries." in repr(view.at(0, 4, 12, 30, False))
        assert view.at(5, 2, 12, None, True).html.count('g2c-here"') == 1

    def test_the_curves_are_of_weights_that_are_renormalised_and_say_so(self, monkeypatch):
        monkeypatch.setattr(curves, "aggregate", aggregation.aggregate)
        monkeypatch.setattr(curves, "is_plateau", plateau.is_plateau)
        scores = {"substance": 100, "structure": 0, "clarity": 0, "tone": 0}
        view = convergence_curves({"memo": [[Review("Ada", scores, True)]]}, WRITING)
        thresholds = [control.start for control in view.controls[4:]]
        now = view.at(1, 1, 1, 1, *thresholds)
        assert "memo: 25.0" in repr(now)
        assert "divided by the sum" in now.html and "substance 0.25" in now.html


class TestWhereItIsShown:
    @pytest.fixture
    def shown(self, monkeypatch) -> list[Any]:
        """The views in a notebook; an updated picture takes the place of the one before."""
        shown: list[Any] = []

        class Picture:
            def update(self, view: View) -> None:
                shown[-1] = view

        def display(thing: Any, display_id: bool = False) -> Picture:
            shown.append(thing)
            return Picture()

        monkeypatch.setattr("IPython.display.display", display)
        return shown

    def test_a_program_stores_the_picture_and_no_control(self, shown):
        with pytest.raises(NotImplementedError):
            gates()[0]._ipython_display_()
        assert shown == []

    def test_a_control_that_moves_changes_the_picture(self, shown, monkeypatch):
        monkeypatch.setattr(live, "is_watched", lambda: True)
        view, _, said = gates()
        view._ipython_display_()
        controls, picture = shown
        assert "Closed: time" in repr(picture)
        said["decision"] = GateDecision()
        controls.children[1].value = 7
        assert "dream." in repr(shown[-1])

    def test_a_function_that_fails_says_so_in_the_picture(self, shown, monkeypatch):
        monkeypatch.setattr(live, "is_watched", lambda: True)
        view, _, said = gates()
        view._ipython_display_()
        said["decision"] = None
        shown[0].children[1].value = 7
        assert "AttributeError" in repr(shown[-1])
