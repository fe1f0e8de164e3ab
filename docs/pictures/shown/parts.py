"""Page on the parts of an agent: solved and harmed, as the page's table has them."""

from pathlib import Path

from drawing import Picture

PAGE = Path(__file__).parents[2] / "modules" / "23-evaluation" / "parts.md"
LEFT, SCALE, ROW = 120, 3.6, 46


def draw() -> Picture:
    rows = figures()
    p = Picture(
        74 + ROW * len(rows),
        "What each part is worth",
        "Per cent of errands solved, and harmed: "
        + "; ".join(f"{name}: {solved} and {harmed}" for name, solved, harmed in rows)
        + ".",
    )
    p.text(20, 28, "Of 100 errands: solved, and below it harmed", "head")
    for n, (name, solved, harmed) in enumerate(rows):
        y = 48 + n * ROW
        p.text(20, y + 20, name, "code")
        for top, value, kind in ((y, solved, "good"), (y + 19, harmed, "bad")):
            p.bar(LEFT, top, max(value * SCALE, 1), 16, kind)
            p.text(LEFT + max(value * SCALE, 1) + 8, top + 13, f"{value}")
    p.text(20, 48 + ROW * len(rows) + 12, "Each agent has one part more than the one above it.")
    return p


def figures() -> list[tuple[str, int, int]]:
    """Name, solved and harmed of each agent, in per cent, from the first table with them."""
    report = PAGE.read_text("utf-8").partition("| agent ")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report.splitlines()[2:]]
    return [(row[0], _percent(row[1]), _percent(row[4])) for row in cells]


def _percent(cell: str) -> int:
    return int(cell.partition(" %")[0])
