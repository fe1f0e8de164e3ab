"""The tests of module 25's exercises, in their order.

A failure says what your function seems to believe, and what is true. `g2c check 25.1` runs the
tests of one exercise.
"""

from __future__ import annotations


class TestQuoteData:
    """Exercise 25.1."""

    def test_todo(self) -> None:
        from g2c.guard.quoting import quote_data

        assert quote_data(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestPermit:
    """Exercise 25.2."""

    def test_todo(self) -> None:
        from g2c.guard.permission import permit

        assert permit(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestTraceOrigins:
    """Exercise 25.3."""

    def test_todo(self) -> None:
        from g2c.guard.provenance import trace_origins

        assert trace_origins(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestFitWindow:
    """Exercise 25.4."""

    def test_todo(self) -> None:
        from g2c.guard.window import fit_window

        assert fit_window(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestRecoverCalls:
    """Exercise 25.5."""

    def test_todo(self) -> None:
        from g2c.guard.unanswered import recover_calls

        assert recover_calls(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestFindSecrets:
    """Exercise 25.6."""

    def test_todo(self) -> None:
        from g2c.guard.masking import find_secrets

        assert find_secrets(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestJudgeCall:
    """Exercise 25.7."""

    def test_todo(self) -> None:
        from g2c.guard.policy import judge_call

        assert judge_call(1) == 1, "TODO: the belief that is wrong, and what is so"
