/// The tables of sets in the cache file. The first run creates them, so that a file without sets does not pay for them.
enum SyncSchema {
    /// * `syncs`: one row for each set. `list` has the filters. `mark` has the place from which the next run asks for
    ///   changes, as JSON (`SyncMark`). Without such a place, it is `held` if the last run held removals back, and
    ///   empty otherwise. `position` and `generation` belong to `SyncState`. `partial` is 1 if the set has lost an
    ///   item, and 2 if a run now reads the list again because of this. `holder` is the number of the active run (0 for
    ///   none). `beat_at` is the time of that run's last call. `items` is only a hint: a damaged number must not make a
    ///   write fail, and each run corrects it at its end.
    /// * `members`: the items of the sets. `seen` is the generation of the last run that saw the item.
    /// * `items_members`: SQLite may give the number of a deleted item to a new item, so a deleted item must leave its
    ///   sets at once.
    static let tables = """
        CREATE TABLE syncs (
            key INTEGER PRIMARY KEY,
            resource INTEGER NOT NULL,
            list TEXT NOT NULL,
            mark TEXT NOT NULL,
            position TEXT NOT NULL,
            generation INTEGER NOT NULL,
            whole_at INTEGER NOT NULL,
            synced_at INTEGER NOT NULL,
            partial INTEGER NOT NULL,
            items INTEGER NOT NULL,
            holder INTEGER NOT NULL,
            beat_at INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            UNIQUE (resource, list)
        ) STRICT;
        CREATE TABLE members (
            sync INTEGER NOT NULL,
            item INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            PRIMARY KEY (sync, item)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER items_members AFTER DELETE ON items BEGIN
            UPDATE syncs SET partial = 1, items = max(items, 1) - 1 WHERE resource = old.resource
                AND EXISTS (SELECT 1 FROM members WHERE sync = syncs.key AND item = old.key);
            DELETE FROM members
            WHERE sync IN (SELECT key FROM syncs WHERE resource = old.resource) AND item = old.key;
        END;
        """

    /// Returns whether the tables exist.
    static func isPrepared(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'items_members'") > 0
    }

    /// Creates the tables, unless they exist.
    static func prepare(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try !isPrepared(connection) else { return }
        try connection.writing { () throws(SQLiteError) in
            guard try !isPrepared(connection) else { return }
            try connection.execute(tables)
        }
    }
}
