"""Page 25.2: four rules as areas of all calls, and what is decided in each."""

from datetime import UTC, datetime

from drawing import Kind, Picture

from g2c.exercises.e25_2_permit.solution import permit
from g2c.guard.core.permission import Permission, ProposedCall, Rule

NOW = datetime(2026, 3, 1, tzinfo=UTC)
KINDS: dict[Permission, Kind] = {"allow": "good", "ask": "plain", "deny": "bad"}
RULES = (
    Rule("ask"),
    Rule("allow", "write_file"),
    Rule("deny", "*", "path", "private/"),
    Rule("allow", "write_file", "path", "private/draft.md"),
)


def draw() -> Picture:
    p = Picture(
        330,
        "Rules as areas of all calls",
        "A large area is all calls: ask. In it two areas overlap: all calls of write_file, "
        "which are allowed, and all calls with a path in private/, which are denied. Where the two "
        "overlap, deny decides. Inside the overlap lies a small area, write_file with the path "
        "private/draft.md, which is allowed.",
    )
    p.text(20, 28, "each area is a rule, and lies in the calls that it is about", "head")
    areas = (
        ("look_up", "a.md", 20, 44, 500, 246),
        ("write_file", "a.md", 40, 82, 310, 190),
        ("read_file", "private/a.md", 180, 122, 320, 130),
        ("write_file", "private/a.md", 180, 122, 170, 130),
        ("write_file", "private/draft.md", 192, 178, 146, 62),
    )
    for tool, path, x, y, w, h in areas:
        decided = permit(ProposedCall("agent", tool, {"path": path}), RULES, [], NOW)
        p.box(x, y, w, h, kind=KINDS[decided])
    p.text(34, 68, "all calls: ask", "")
    p.text(54, 106, "write_file: allow", "")
    p.text(486, 146, "private/: deny", "end")
    p.text(194, 146, "both: deny", "")
    p.rows(202, 202, ["private/draft.md,", "written: allow"], "")
    p.text(
        20, 314, "A smaller area inside a larger one is its exception. Two that overlap are not."
    )
    return p
