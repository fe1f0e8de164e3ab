"""Photograph every page of the built site, wide and narrow, on sheets that a person looks at.

    ./prodlm.sh docs
    python docs/look.py [docs/index.html ...]

The sheets are `build/look/1280-01.png` and so on. A page that is taller than a column goes on in
the next one. What does not fit its window is printed, and ends the program with 1: an element that
sticks out and cannot be scrolled to, and a picture that did not load. It needs Chromium.
"""

import shutil
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build/site"
SHEETS = ROOT / "build/look"
Scheme = Literal["light", "dark"]
WIDTHS: dict[int, tuple[int, float, Scheme]] = {1280: (4, 0.35, "light"), 390: (8, 0.55, "dark")}
"""For each width of a window: columns on a sheet, how small they are shown, and the colours."""
COLUMN = 2400
"""How much of a page stands in a column, in the page's own pixels."""
LONGEST = 8
"""How many columns of a page are shown; a notebook has more."""

MISFITS = """() => {
    const name = one => [one.tagName.toLowerCase(), ...one.classList].join('.');
    const isCut = one => one && one !== document.documentElement
        && (getComputedStyle(one).overflowX !== 'visible' || isCut(one.parentElement));
    const wide = [...document.querySelectorAll('main *')].filter(one =>
        one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1
        && !isCut(one.parentElement));
    const lost = [...document.images].filter(one => one.complete && !one.naturalWidth);
    return [...wide.map(one => `${name(one)} sticks out: ${one.textContent.slice(0, 40)}`),
            ...lost.map(one => `did not load: ${one.src}`)];
}"""


def misfits(page: Page) -> list[str]:
    """The parts of the page that no scrolling shows whole."""
    found: list[str] = page.evaluate(MISFITS)
    return found


def pages_of(site: Path) -> list[str]:
    """All pages but those of source code, the tab's own, and the one that only leads to another."""
    names = {file.relative_to(site).as_posix() for file in site.rglob("*.html")} - {"index.html"}
    return sorted(n for n in names if not n.startswith(("_modules/", "_static/", "try/")))


def columns_of(page: Page, name: str, scale: float) -> Iterator[Image.Image]:
    """The page from its top to its bottom, cut into columns with its name above."""
    whole = Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")
    for top in islice(range(0, whole.height, COLUMN), LONGEST):
        part = whole.crop((0, top, whole.width, min(top + COLUMN, whole.height)))
        size = round(part.width * scale), max(1, round(part.height * scale))
        column = Image.new("RGB", (size[0] + 8, round(COLUMN * scale) + 16), "gray")
        column.paste(part.resize(size, Image.Resampling.LANCZOS), (0, 16))
        ImageDraw.Draw(column).text((2, 2), name, "white")
        yield column


def write_sheets(columns: Iterator[Image.Image], width: int) -> None:
    """Put the columns side by side, so many on a sheet."""
    for number in range(1, 1000):
        found = list(islice(columns, WIDTHS[width][0]))
        if not found:
            return
        sheet = Image.new("RGB", (sum(image.width for image in found), found[0].height), "gray")
        for place, one in enumerate(found):
            sheet.paste(one, (place * one.width, 0))
        sheet.save(SHEETS / f"{width}-{number:02}.png")


def main(asked: Sequence[str]) -> int:
    shutil.rmtree(SHEETS, ignore_errors=True)
    SHEETS.mkdir(parents=True)
    wrong: list[str] = []
    with sync_playwright() as playwright:
        options = ["--disable-gpu", "--disable-quic", "--disable-sync"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        for width, (_, scale, scheme) in WIDTHS.items():
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)

            def look(page: Page = page, scale: float = scale) -> Iterator[Image.Image]:
                for name in asked or pages_of(SITE):
                    page.goto(f"{SITE.as_uri()}/{name}")
                    size = page.viewport_size
                    wrong.extend(f"{size and size['width']} {name}: {m}" for m in misfits(page))
                    yield from columns_of(page, name, scale)

            write_sheets(look(), width)
    print(*wrong, f"Look at {SHEETS.relative_to(ROOT)}/*.png.", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
