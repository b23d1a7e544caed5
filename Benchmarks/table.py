"""The rows of the benchmark's table, with their budgets."""
import dataclasses


@dataclasses.dataclass
class Row:
    """A figure of Larder. Its budget is the largest ratio to the reference (`most`), or the largest value (`limit`)."""

    what: str
    unit: str
    value: float
    compared: str = ""
    reference: float | None = None
    most: float | None = None
    limit: float | None = None

    def ratio(self):
        return self.value / self.reference if self.reference else None

    def met(self):
        if self.most is not None:
            return self.ratio() <= self.most
        return None if self.limit is None else self.value <= self.limit

    def budget(self):
        if self.met() is None:
            return ""
        most = f"{self.most:g}x" if self.most is not None else number(self.limit, self.unit)
        return f"at most {most} ({'met' if self.met() else 'missed'})"

    def cells(self):
        """Returns all columns but the budget."""
        figures = [self.what, number(self.value, self.unit)]
        if self.reference is None:
            return [*figures, "", ""]
        return [*figures, f"{self.compared}: {number(self.reference, self.unit)}", f"{self.ratio():.2f}"]

    def line(self):
        *cells, ratio = self.cells()
        return f"| {' | '.join(cells)} | {ratio and ratio + 'x'} | {self.budget()} |"


def number(value, unit):
    digits = {"s": 2, "": 0, "KiB": 0}.get(unit, 1)
    return f"{value:,.{digits}f} {unit}".rstrip()


def show(rows):
    print("| what | Larder | compared with | ratio | budget |")
    print("| --- | ---: | ---: | ---: | --- |")
    for row in rows:
        print(row.line())
