"""The tables that benchmarks write into docs/mcp.md."""
import os
import re

from bench import HERE, Fault

PATH = os.path.join(os.path.dirname(HERE), "docs", "mcp.md")


def replace_table(script, table):
    """Replaces the table between the comment with the name of a script and the comment `end`."""
    with open(PATH, encoding="utf-8") as file:
        page = file.read()
    start, end = f"<!-- Benchmarks/{script} -->\n", "<!-- end -->\n"
    pattern = re.escape(start) + ".*?" + re.escape(end)
    page, count = re.subn(pattern, lambda _: f"{start}\n{table}\n{end}", page, flags=re.DOTALL)
    if count != 1:
        raise Fault(f"docs/mcp.md must have one table of {script}")
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(page)
