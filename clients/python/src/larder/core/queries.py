"""The result of `query`: the rows of an SQL statement over the cache."""

from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from .. import tables
from ..calls import Call, Duration, present, seconds


@dataclass(frozen=True)
class Query:
    """The rows of an SQL statement. A loop over the result yields a dictionary for each row.

    `rows` has a list of values for each row, in the order of `columns`. `truncated` is true if the statement has more
    rows than were requested. `tables` describes each table that the statement reads: its name and number of rows, and
    its coverage: "synced" (complete copies of lists), "parts" or "empty"."""

    columns: List[str]
    rows: List[List[Any]]
    truncated: bool
    tables: List[Dict[str, Any]]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (dict(zip(self.columns, row)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def records(self) -> List[Dict[str, Any]]:
        """Returns a dictionary for each row."""
        return list(self)

    def _repr_html_(self) -> str:
        count = f"{len(self.rows)} row{'' if len(self.rows) == 1 else 's'}"
        return tables.html(self, f"{count}, more available" if self.truncated else count)


def query(result: Mapping[str, Any]) -> Query:
    return Query(result["columns"], result["rows"], result["truncated"], result["tables"])


def query_call(
    sql: str,
    params: Union[Sequence[Any], Mapping[str, Any], None],
    max_rows: Optional[int],
    timeout: Optional[float],
    coverage: Optional[str],
    max_age: Optional[Duration],
) -> Call[Query]:
    """Makes the call of `cache/query`. The reply may come later than `timeout`, because other queries run first."""
    values = params if params is None or isinstance(params, Mapping) else list(params)
    sent = present(
        {
            "sql": sql,
            "params": values,
            "maxRows": max_rows,
            "timeout": timeout,
            "coverage": coverage,
            "maxAge": seconds(max_age),
        }
    )
    return Call("cache/query", sent, query).within(None if timeout is None else timeout + 30.0)
