"""A release moves the version and dates the changelog, and refuses a wheel that is not whole."""

from datetime import date

import pytest

from maintain.release import NEEDED, faults_of, numbers, with_dated_section, with_version

PYPROJECT = '[project]\nname = "g2c"\nversion = "0.9.0"\n'


def test_the_version_moves_and_nothing_else():
    assert with_version(PYPROJECT, "0.10.0") == PYPROJECT.replace("0.9.0", "0.10.0")


@pytest.mark.parametrize("version", ["0.9.0", "0.8.12", "0.10", "v1.0.0", "1.0.0rc1", ""])
def test_an_older_or_invalid_version_is_refused(version):
    with pytest.raises(ValueError, match=r"version|newer"):
        with_version(PYPROJECT, version)


def test_ten_comes_after_nine():
    assert numbers("0.10.0") > numbers("0.9.9")


def test_unreleased_changes_get_a_date():
    text = "# Changelog\n\n## Unreleased\n\n### Code\n- New.\n\n## 0.1.0 (2026-01-02)\n- Old.\n"
    dated = with_dated_section(text, "0.2.0", date(2026, 11, 25))
    assert "## Unreleased\n\n## 0.2.0 (2026-11-25)\n\n### Code\n- New.\n" in dated
    assert dated.endswith("## 0.1.0 (2026-01-02)\n- Old.\n")


def test_a_release_of_nothing_is_refused():
    with pytest.raises(ValueError, match="nothing under"):
        with_dated_section(
            "## Unreleased\n\n## 0.1.0 (2026-01-02)\n- Old.\n", "0.2.0", date.today()
        )


def test_a_wheel_is_looked_into():
    whole = [f"g2c-0.2.0.dist-info/{ending}" for ending in NEEDED]
    assert faults_of(whole) == []
    assert faults_of(whole[1:]) == [f"It lacks {NEEDED[0]}."]
    assert faults_of([*whole, "maintain/release.py"]) == ["It has maintain/release.py."]
