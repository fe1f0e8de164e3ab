"""The choice of a sandbox, what a process finds in one, and the container's command line.

If podman or Docker has the grader's image, a real container is started. If there is only
Docker's command, it parses the line.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT

from g2c.classroom import confinement, process_supervisor
from g2c.classroom.confinement import IMAGE, Chosen, Sees, choose, wrapped
from g2c.classroom.sandbox import Conditions, run_confined
from g2c.course.manifest import find_exercise
from g2c.tools.limits import read_ends


def kind_or_skip(wanted: str) -> str:
    try:
        return choose(wanted).kind
    except ValueError as error:
        pytest.skip(str(error))


def run(sees: Sees, code: str, **conditions: Any) -> tuple[int | None, str]:
    """The status of a process with these conditions, and what it wrote."""
    with tempfile.TemporaryFile() as output:
        status = run_confined(
            ["-c", code],
            conditions=Conditions(**conditions),
            sees=sees,
            environment={},
            output=output,
        )
        return status, read_ends(output, 10_000)


@pytest.fixture(params=["bwrap", "container"])
def kind(request: pytest.FixtureRequest) -> str:
    """Each sandbox that works here."""
    return kind_or_skip(request.param)


@pytest.fixture
def sees(tmp_path: Path) -> Sees:
    course, home = tmp_path / "course", tmp_path / "home"
    course.mkdir()
    home.mkdir()
    (course / "here.txt").write_text("the course")
    (tmp_path / "others.txt").write_text("another submission")
    return Sees(course, home, tmp_path / "report", (course,))


WRITES = """
import os, pathlib
for path in ({paths}):
    try:
        pathlib.Path(path).write_text("x")
        print(path, "is written")
    except OSError as error:
        print(path, error.strerror)
print("sees", os.path.exists({other!r}), os.path.exists("/etc/passwd"), os.listdir("."))
"""


def test_a_process_writes_its_report_and_its_home_and_nothing_else(sees: Sees, kind: str) -> None:
    sees.report.touch()
    other = str(sees.folder.parent / "others.txt")
    kept = [str(sees.folder / "x"), "/x", "/dev/x", "/tmp/x", other, f"{sees.folder.parent}/x"]
    mine = [str(sees.home / "x"), str(sees.report)]
    paths = ", ".join(map(repr, [*kept, *mine]))
    status, said = run(sees, WRITES.format(paths=paths, other=other), sandbox=kind)
    assert status == 0, said
    for path in mine:
        assert f"{path} is written" in said
    box = kind != "bwrap"  # an image has a list of users, and engines a /dev of 64 MiB in memory
    for path in kept:
        assert f"{path} Read-only file system" in said or (box and path == "/dev/x")
    assert f"sees False {box} ['here.txt']" in said
    assert sees.report.read_text() == "x" and not list(sees.home.iterdir())


def environment_of(python: Path, folder: Path) -> Path:
    """The command of an environment in `folder`, whose links lead to `python`."""
    (folder / "bin").mkdir(parents=True)
    (folder / "lib/python3.11/site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
    command = folder / "bin/python"
    (folder / "bin/python3").symlink_to(python)
    command.symlink_to("python3")
    return command


def in_the_system(tmp_path: Path) -> Path:
    return Path("/bin/python3")


def in_a_home(tmp_path: Path) -> Path:
    (tmp_path / "home/bin").mkdir(parents=True)
    link = tmp_path / "home/bin/python3"
    link.symlink_to("/bin/python3")
    return link


def by_relative_links(tmp_path: Path) -> Path:
    home = in_a_home(tmp_path).parents[1]
    (home / "other").mkdir()
    (home / "other/python").symlink_to("../bin/python3")
    return home / "other/python"


def directly_in_a_home(tmp_path: Path) -> Path:
    link = tmp_path / "home/python3"
    link.parent.mkdir()
    link.symlink_to("/usr/bin/python3")
    return link


def of_this_environment(tmp_path: Path) -> Path:
    return Path(sys.executable)


TELLS = """
import sys; sys.path.insert(0, sys.argv[1])
import json
from pathlib import Path
from g2c.classroom.confinement import Sees, wrapped
folder = Path(sys.argv[2])
sees = Sees(folder / "course", folder / "home-of-it", folder / "report", (folder / "course",))
looks = "import json, os, sys; print(json.dumps([p for p in sys.argv[1:] if os.path.exists(p)]))"
limits = {"memory_mb": 512, "seconds": 60, "limits": {}}
command = wrapped("bwrap", ["-c", looks, *sys.argv[3:]], sees, {}, **limits)
print(json.dumps(command))
"""


@pytest.mark.skipif(not Path("/bin/python3").exists(), reason="there is no Python of the system")
@pytest.mark.parametrize(
    "made_from",
    [in_the_system, in_a_home, by_relative_links, directly_in_a_home, of_this_environment],
)
def test_whatever_the_environment_was_made_from_nothing_else_is_shown(
    made_from: Callable[[Path], Path], tmp_path: Path
) -> None:
    kind_or_skip("bwrap")
    python = environment_of(made_from(tmp_path), tmp_path / "environment")
    for name in ("course", "home-of-it", "ben"):
        (tmp_path / name).mkdir()
    for name in ("report", "course/mine.py", "ben/planner.py", "home/secret.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    hidden = [
        *("/etc/shadow", "/etc/passwd", "/root/.bashrc", "/var/log", "/work", "/home"),
        *(str(ROOT / name) for name in ("g2c", find_exercise("19.2").folder, "tests")),
        *(str(tmp_path / name) for name in ("ben/planner.py", "home/secret.txt")),
    ]
    command = [str(python), "-I", "-S", "-c", TELLS, str(ROOT), str(tmp_path), *hidden]
    told = subprocess.run(
        [*command, str(tmp_path / "course/mine.py")],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin"},
    )
    assert told.returncode == 0, told.stderr
    done = subprocess.run(json.loads(told.stdout), capture_output=True, text=True, env={})
    assert done.returncode == 0, done.stderr
    parents = {
        str(parent) for parent in Path(sys.prefix).parents
    }  # empty folders, to what is shown
    seen = set(json.loads(done.stdout)) - parents
    assert seen == {str(tmp_path / "course/mine.py")}


@pytest.mark.parametrize("leads_to", ["/", "/etc", "home", "course", "above the home"])
def test_a_link_to_more_than_a_library_is_not_mounted(
    leads_to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "people/ada"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    known = {"home": home, "course": ROOT, "above the home": tmp_path / "people"}
    (home / "lib").symlink_to(known.get(leads_to, Path(leads_to)))
    monkeypatch.setattr(sys, "base_prefix", str(home))
    with pytest.raises(ValueError, match="It would show"):
        confinement.shown()
    chosen = choose("auto")
    assert chosen.kind != "bwrap" and "It would show" in chosen.warning
    with pytest.raises(ValueError, match=r"bwrap does not work here.*It would show"):
        choose("bwrap")


def test_the_probe_says_what_a_sandbox_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if confinement.trouble_with_bwrap():
        pytest.skip("bwrap does not work here")
    monkeypatch.setattr(confinement, "shown", lambda: [Path("/usr"), Path("/")])
    monkeypatch.setattr(confinement, "_hidden_paths", lambda: ["/etc/passwd"])
    assert "bwrap does not work: it shows /etc/passwd" in confinement.trouble_with_bwrap()


def test_a_command_outside_the_usual_folders_is_found_without_a_path(
    sees: Sees, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bwrap = shutil.which("bwrap")
    if not bwrap or confinement.trouble_with_bwrap():
        pytest.skip("bwrap does not work here")
    tools = tmp_path / "my tools"
    tools.mkdir()
    shutil.copy(bwrap, tools / "bwrap")
    monkeypatch.chdir(tmp_path)
    for path in (str(tools), "my tools"):
        monkeypatch.setenv("PATH", path)
        assert choose("auto") == Chosen("bwrap")
        assert run(sees, "print('runs')", sandbox="bwrap") == (0, "runs\n")


@pytest.mark.parametrize("broken", ["#!/no/such/program\n", "#!/bin/sh\nexit 3\n", ""])
def test_auto_falls_back_with_a_sentence_where_bwrap_does_not_run(
    broken: str, sees: Sees, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text(broken)
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    chosen = choose("auto")
    assert chosen.kind == "none" and "bwrap does not" in chosen.warning, chosen
    status, said = run(sees, "pass", sandbox="bwrap")
    assert status and "Traceback" not in said


def test_a_container_ends_with_its_time_and_nothing_of_it_is_left(sees: Sees) -> None:
    engine = kind_or_skip("container")
    waits = "import signal; print('waits', flush=True); signal.pause()"
    status, said = run(sees, waits, seconds=3, sandbox=engine)
    assert status is None and "waits" in said
    command = [engine, "ps", "--all", "--format", "{{.Names}}"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert confinement.container_of(sees) not in listed.stdout


def no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement.shutil, "which", lambda name: None)


def test_without_a_sandbox_the_warning_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    no_command(monkeypatch)
    chosen = choose("auto")
    assert chosen.kind == "none"
    for part in ("runs as you", "install bubblewrap", "no command podman", "no command docker"):
        assert part in chosen.warning, chosen.warning


@pytest.mark.parametrize("wanted", ["bwrap", "container"])
def test_a_sandbox_that_was_asked_for_is_not_replaced_by_none(
    wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_command(monkeypatch)
    with pytest.raises(ValueError, match=f"{wanted} does not work here"):
        choose(wanted)
    with pytest.raises(ValueError, match="There is no sandbox 'box'"):
        choose("box")


def test_auto_takes_bubblewrap_where_it_works_and_a_container_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(confinement, "_trouble_with", lambda engine: "")
    monkeypatch.setattr(confinement, "trouble_with_bwrap", lambda: "")
    assert choose("auto") == Chosen("bwrap")
    monkeypatch.setattr(confinement, "trouble_with_bwrap", lambda: "user namespaces are off")
    assert choose("auto") == choose("container") == Chosen("podman")


def command_line(engine: str, sees: Sees) -> list[str]:
    return wrapped(
        engine,
        ["-c", "pass"],
        sees,
        {"HOME": str(sees.home)},
        memory_mb=512,
        seconds=60,
        limits={"RLIMIT_FSIZE": 1000, "RLIMIT_CPU": 61, "RLIMIT_CORE": 0, "RLIMIT_AS": 5},
    )


@pytest.mark.parametrize("engine", ["podman", "docker"])
def test_a_container_has_no_network_no_rights_and_limits(engine: str, sees: Sees) -> None:
    command = command_line(engine, sees)
    line = " ".join(command)
    for part in (
        f"{engine} run --rm --name g2c-grader-{sees.report.parent.name} --network none",
        "--read-only --cap-drop ALL",
        "--security-opt no-new-privileges --pids-limit 256 --memory 512m --memory-swap 512m",
        "--ulimit cpu=61 --ulimit fsize=1000 --ulimit core=0",
        f"--volume {sees.folder}:{sees.folder}:ro --volume {sees.report}:{sees.report} ",
        f"--tmpfs {sees.home}:rw,size=64m",
        f"--workdir {sees.folder} {IMAGE} timeout --kill-after=1 60 python -c pass",
    ):
        assert part in line, line
    assert ("--userns keep-id" in line) == (engine == "podman" and os.getuid() != 0)
    volumes = [command[n + 1] for n, word in enumerate(command) if word == "--volume"]
    assert len(volumes) == 2, "nothing else of this machine is in the container"


@pytest.mark.skipif(not shutil.which("docker"), reason="there is no command docker")
def test_dockers_own_command_takes_the_options(sees: Sees) -> None:
    nowhere = ["docker", "--host", "tcp://127.0.0.1:1"]
    command = [*nowhere, *command_line("docker", sees)[1:]]
    said = subprocess.run(command, capture_output=True, text=True).stderr
    assert re.search("connect", said, re.IGNORECASE), said  # it got as far as asking the daemon
    command.insert(command.index("--rm"), "--no-such-option")
    assert "unknown flag" in subprocess.run(command, capture_output=True, text=True).stderr


def test_the_image_has_the_courses_packages_and_not_the_course() -> None:
    text = (ROOT / "maintain/docker/grader.Dockerfile").read_text("utf-8")
    assert f"docker build -t {IMAGE} -f maintain/docker/grader.Dockerfile ." in text
    copied = re.findall(r"^COPY (.*)", text, re.MULTILINE)
    assert copied == ["pyproject.toml hatch_build.py constraints.txt README.md LICENSE ./"]
    assert "pip uninstall --yes g2c" in text


@pytest.mark.skipif(os.name != "posix", reason="limits are POSIX's")
def test_a_grader_that_slept_in_between_ends_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is an hour on after the first look. The process ends after the second."""
    looks, seen = count(), tmp_path / "seen"

    def clock() -> float:
        if (look := next(looks)) == 2:
            seen.touch()
        return 3600.0 * min(look, 1) + look / 1000

    monkeypatch.setattr(process_supervisor.time, "monotonic", clock)
    code = f"import os, sys\nwhile not os.path.exists({str(seen)!r}): pass\nsys.exit(3)"
    status = process_supervisor._run(
        [sys.executable, "-c", code], 30, {}, 10**12, 10**6, ".", dict(os.environ), os.getppid()
    )
    assert status == 3, "a limit of 30 seconds counts what the grader was awake for"
