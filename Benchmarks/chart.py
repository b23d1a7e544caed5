"""The shared parts of the bar charts in docs/benchmarks.md: the style, the bars, the scale, and the command line."""

import html
import json
import pathlib
import re
import sys

WIDTH, TOP, BAR, FOOT = 900, 66, 15, 34  # Pixels: the width, and the heights of the head, of a bar and of the scale.
DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"

# The colors of bars, in light and dark mode.
BLUE = "#0969da", "#4493f8"
GOLD = "#bf8700", "#d29922"
GRAY = "#57606a", "#9198a1"
GREEN = "#1a7f37", "#3fb950"
PURPLE = "#8250df", "#ab7df8"


def style(colors):
    """Returns the style sheet. `colors` has the color of each kind of bar."""
    light, dark = ("".join(f"\n{indent}.{kind} {{ fill: {pair[mode]} }}" for kind, pair in colors.items())
                   for mode, indent in enumerate(("  ", "    ")))
    return f"""
  text {{ font: 13px system-ui, sans-serif; fill: #24292f }}
  .title {{ font-size: 16px; font-weight: 600 }}
  .small {{ font-size: 11px; fill: #57606a }}
  .number {{ text-anchor: end; font-variant-numeric: tabular-nums }}
  .scale {{ text-anchor: middle }}{light}
  .grid {{ stroke: #d0d7de }}
  .floor {{ stroke: #57606a; stroke-width: 1.5 }}
  .ground {{ fill: #ffffff }}
  @media (prefers-color-scheme: dark) {{
    text {{ fill: #e6edf3 }}
    .small {{ fill: #9198a1 }}{dark}
    .grid {{ stroke: #3d444d }}
    .floor {{ stroke: #9198a1 }}
    .ground {{ fill: #0d1117 }}
  }}
"""


def text(x, y, words, kind=""):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}>{html.escape(words)}</text>'


def bar(y, start, end, kind, words):
    """Returns a bar between two x coordinates, and a text at its right end."""
    left, width = min(start, end), max(abs(end - start), 1)
    yield f'<rect x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BAR}" class="{kind}"/>'
    yield text(max(start, end) + 5, y + BAR - 3.5, words, "small")


def svg(summary, title, height, colors, legend, scale, rows):
    """Returns the lines of an image with the given height between its head and its scale.

    `summary` is for screen readers. The legend has the x coordinate, kind and name of each bar. The scale has the x
    coordinate and the text of each line. All bars start at its first line."""
    bottom = TOP + height
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + FOOT}" role="img">'
    yield f"<title>{html.escape(summary)}</title>"
    yield f"<style>{style(colors)}</style>"
    yield f'<rect width="{WIDTH}" height="{bottom + FOOT}" class="ground"/>'
    yield text(10, 24, title, "title")
    for x, kind, words in legend:
        yield f'<rect x="{x}" y="36" width="12" height="12" class="{kind}"/>'
        yield text(x + 18, 47, words)
    for number, (x, words) in enumerate(scale):
        kind = "grid" if number else "floor"
        yield f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}" class="{kind}"/>'
        yield text(x, bottom + 16, words, "scale small")
    yield from rows
    yield "</svg>"


def update(image, picture, heading, rows):
    """Writes an image, and replaces the first table after a heading of docs/benchmarks.md."""
    page = DOCS / "benchmarks.md"
    before, line, after = page.read_text(encoding="utf-8").partition(f"{heading}\n")
    after, count = re.subn(r"(?<=\n\n)(\|[^\n]*\n)+", lambda _: rows, after, count=1)
    if count != 1:
        sys.exit(f"docs/benchmarks.md: no table follows the heading '{heading}'")
    page.write_text(before + line + after, encoding="utf-8")
    (DOCS / "images" / image).write_text(picture, encoding="utf-8")


def main(script, drawing, table, image, heading):
    """Reads the arguments, and prints or updates the image or the table of a run. `drawing` and `table` return lines
    for the content of a JSON file."""
    wishes = {word for word in sys.argv[1:] if word in ("--table", "--update")}
    asked = [word for word in sys.argv[1:] if word not in wishes]
    if len(asked) != 1 or asked[0].startswith("-") or len(wishes) > 1:
        sys.exit(f"usage: Benchmarks/{script} [--table | --update] FILE")
    with open(asked[0], encoding="utf-8") as file:
        run = json.load(file)
    picture, rows = ("\n".join(lines) + "\n" for lines in (drawing(run), table(run)))
    if "--update" in wishes:
        update(image, picture, heading, rows)
    else:
        print(rows if "--table" in wishes else picture, end="")
