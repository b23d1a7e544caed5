"use strict";
// The result of an SQL statement over the cache.

/** The rows of a statement. A loop over the result has an object for each row. */
class QueryResult {
  constructor({ columns, rows, truncated, tables }) {
    this.columns = columns;
    this.rows = rows;
    this.truncated = truncated;
    this.tables = tables;
    for (const table of tables) {
      for (const name of ["asOf", "oldest", "newest"]) {
        if (table[name] !== undefined) table[name] = new Date(table[name]);
      }
    }
  }

  *[Symbol.iterator]() {
    for (const row of this.rows) yield Object.fromEntries(this.columns.map((name, index) => [name, row[index]]));
  }
}

module.exports = { QueryResult };
