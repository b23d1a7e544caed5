/// The commands that read the cache with SQL, or show and change its contents.
extension CommandDefinition {
    static let sql = CommandDefinition(
        .sql, [Usage("[QUERY|- [VALUE | NAME=VALUE]...]", "ask the cache with SQL; makes requests only with --sync")],
        words: [.text],
        options: [
            "--output", "--json", "--table", "--color", "--max-rows", "--timeout", "--coverage", "--sync",
            "--into", "--into-table", "--force",
        ],
        details: [
            """
            Each resource is a table. The tables larder_tables and larder_columns describe them. Each VALUE replaces \
            a `?` of the query, and NAME=VALUE replaces `:NAME`. With `-`, the query is read from stdin. A message on \
            stderr shows how complete and how old the tables are.
            """,
            """
            Without a query, a prompt on the terminal reads queries, which end with `;`. It has a history, and the tab \
            key completes keywords, tables and columns if the library libedit is installed.
            """,
        ],
        examples: [
            Example("larder sql 'select name, status from character limit 5'", "cached items, as a table"),
            Example("larder sql 'select * from character where name like ?' 'Rick%'", "a value for the query"),
            Example("larder sql 'select name, rows, coverage from larder_tables'", "the tables"),
            Example(
                "larder sql 'select count(*) from episode' --sync 1h", "after a sync, unless the last one is recent"),
            Example(
                "larder sql 'select * from episode' --into e.sqlite --into-table episode", "a table in a file"),
            Example("larder sql 'select * from episode limit 5' -o markdown", "a table for an issue"),
            Example("larder sql", "a prompt for several queries"),
            Example("larder sql - --output csv < query.sql", "a query from a file, for a spreadsheet"),
        ])

    static let ofCache = [
        CommandDefinition(
            .cache,
            [
                Usage("stats | path", "print what is cached; print the path of the cache file"),
                Usage("syncs", "list the local copies that 'sync' has made"),
                Usage("clear [RESOURCE]", "remove all entries, or those of a resource"),
            ],
            words: [.choice(CacheAction.names), .clearedResource],
            options: ["--json", "--table", "--output", "--color"],
            examples: [
                Example("larder cache stats", "the size of the cache and its hits"),
                Example("larder cache clear", "remove all entries"),
                Example("larder cache clear character", "remove the entries of a resource"),
            ]),
        CommandDefinition(
            .cacheExport, [Usage("FILE", "write all cached items to an SQLite file, a table for each resource")],
            words: [.file], options: ["--force"],
            details: [
                """
                The tables are those of 'larder sql', as STRICT tables, so that other programs can read them. Only the \
                owner can read the file.
                """
            ],
            examples: [Example("larder cache export items.sqlite", "for sqlite3, DuckDB, pandas or Datasette")]),
    ]
}
