"""The tests of module 24's exercises, in their order.

A failure says what your function seems to believe, and what is true. `g2c check 24.1` runs the
tests of one exercise.
"""

from __future__ import annotations


class TestWriteBrief:
    """Exercise 24.1."""

    def test_todo(self) -> None:
        from g2c.swarm.brief import write_brief

        assert write_brief(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestMayStart:
    """Exercise 24.2."""

    def test_todo(self) -> None:
        from g2c.swarm.starting import may_start

        assert may_start(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestNextLease:
    """Exercise 24.3."""

    def test_todo(self) -> None:
        from g2c.swarm.lease import next_lease

        assert next_lease(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestMergeReports:
    """Exercise 24.4."""

    def test_todo(self) -> None:
        from g2c.swarm.merging import merge_reports

        assert merge_reports(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestChooseRoute:
    """Exercise 24.5."""

    def test_todo(self) -> None:
        from g2c.swarm.routing import choose_route

        assert choose_route(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestWriteBehind:
    """Exercise 24.6."""

    def test_todo(self) -> None:
        from g2c.swarm.record import write_behind

        assert write_behind(1) == 1, "TODO: the belief that is wrong, and what is so"


class TestReadAll:
    """Exercise 24.7."""

    def test_todo(self) -> None:
        from g2c.swarm.reading import read_all

        assert read_all(1) == 1, "TODO: the belief that is wrong, and what is so"
