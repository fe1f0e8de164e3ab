"""Exercises with a goal: the references reach it on every seed, and the measure is a fair one."""

from __future__ import annotations

from random import Random

import pytest

from g2c.course.goals import no_progress
from g2c.course.goals import writes as machines
from g2c.course.naive.commit import commit as first_version
from g2c.loop.provided.disk import MAX_BYTES, FolderDisk
from g2c.solutions.loop.commit import commit


class TestWrites:
    """22.8."""

    @pytest.mark.parametrize("seed", range(0, 1000, 50))
    def test_the_reference_survives_everything_at_half_the_price(self, seed: int) -> None:
        score = machines.GOAL.measure(commit, seed, no_progress)
        assert score.points == machines.GOAL.target, score.lost
        assert machines.cost_of(commit, machines.make_rounds(Random(seed), 100)) < MAX_BYTES / 2

    @pytest.mark.parametrize("seed", range(3))
    def test_the_first_version_stays_far_below(self, seed: int) -> None:
        score = machines.GOAL.measure(first_version, seed, no_progress)
        assert 20 < score.points < 50 and score.lost

    def test_a_seed_gives_the_same_score_each_time(self) -> None:
        scores = [machines.GOAL.measure(first_version, 7, no_progress) for _ in range(2)]
        assert scores[0] == scores[1]

    def test_a_torn_write_leaves_any_beginning_and_nothing_of_what_was_there(self) -> None:
        world = machines.World({"state": b"old"})
        step = machines.Step("write", "state", b"new one")
        left = {world.after(step, cut).files["state"] for cut in step.cuts}
        assert left == {b"old", *(b"new one"[:cut] for cut in range(8))}

    def test_a_rename_happens_or_does_not(self) -> None:
        world = machines.World({"a": b"1", "b": b"2"})
        step = machines.Step("rename", "a", to="b")
        assert [world.after(step, cut).files for cut in step.cuts] == [world.files, {"b": b"1"}]

    def test_who_goes_on_after_a_death_finds_the_machine_dead(self) -> None:
        machine = machines.Life(machines.World(), last=0)
        for _ in range(2):
            with pytest.raises(machines.Died):
                machine.write("state", b"1")
        with pytest.raises(machines.Died):
            machine.names()

    @pytest.mark.parametrize(
        ("commit", "says"),
        [
            (lambda disk, deliveries, acknowledge: None, "returned None"),
            (lambda disk, deliveries, acknowledge: 0, "never acknowledged"),
            (lambda disk, deliveries, acknowledge: disk.read("a"), "no file 'a'"),
            (lambda disk, deliveries, acknowledge: disk.write("a", "text"), "a file holds bytes"),
            (lambda disk, deliveries, acknowledge: disk.write("a/b", b""), "without a slash"),
        ],
    )
    def test_what_is_wrong_without_a_death_is_a_sentence(self, commit, says) -> None:
        score = machines.GOAL.measure(commit, 0, no_progress)
        assert score.points == 0 and says in score.lost[0], score.lost

    def test_it_is_said_what_was_found_after_which_death(self) -> None:
        lost = " ".join(machines.GOAL.measure(first_version, 0, no_progress).lost)
        assert "A machine died right before acknowledge" in lost
        assert "The next start found 'total.txt' with b'" in lost

    def test_no_body_is_no_score(self) -> None:
        def commit(disk: object, deliveries: object, acknowledge: object) -> int:
            raise NotImplementedError

        with pytest.raises(NotImplementedError):
            machines.GOAL.measure(commit, 0, no_progress)

    def test_a_folder_does_what_the_machines_do(self, tmp_path) -> None:
        disks = FolderDisk(tmp_path), machines.Life(machines.World())
        for disk in disks:
            disk.write("a", b"12345")
            disk.write("a", b"1")
            disk.append("a", b"2")
            disk.append("b", b"3")
            disk.rename("a", "c")
            disk.write("b", b"4")
            disk.rename("b", "c")
            disk.write("d", b"")
            disk.delete("d")
            with pytest.raises(FileNotFoundError):
                disk.read("a")
        found = [{name: disk.read(name) for name in disk.names()} for disk in disks]
        assert found[0] == found[1] == {"c": b"4"}
