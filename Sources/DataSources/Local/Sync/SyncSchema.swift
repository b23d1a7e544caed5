/// The SQL tables for local copies of lists (`SyncSet`) in the cache file. The first sync run creates these tables.
/// They are not created earlier, because their trigger slows down the deletion of items.
enum SyncSchema {
    /// The SQL that creates the tables and the trigger:
    ///
    /// * `syncs`: one row for each local copy of a list (`SyncSet`). `list`, `position` and `generation` are properties
    ///   of `SyncSet` and `SyncState`. `mark` contains a `SyncMark` as JSON. If there is no mark, the column contains
    ///   `held` if `SyncState.isHeld` is true, and is empty otherwise.
    /// * `partial`: 1 if the copy has lost an item, and 2 while a sync run reads the whole list again for this reason.
    /// * `holder`: the number of the active sync run; 0 if there is none. `beat_at`: the time of that run's last call.
    /// * `items`: the number of items. Each complete run through the whole list counts them again. Updates first limit
    ///   the stored number, so that a damaged number causes no overflow.
    /// * `members`: the items of the local copies. `seen` is the generation of the last run that found the item.
    /// * `items_members`: a trigger that removes a deleted item from its local copies at once, because SQLite may give
    ///   the item's number to a new item.
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

    /// Returns whether the tables for local copies of lists exist.
    static func isPrepared(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'items_members'") > 0
    }

    /// Creates the tables for local copies of lists, unless they exist.
    static func prepare(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try !isPrepared(connection) else { return }
        try connection.writing { () throws(SQLiteError) in
            guard try !isPrepared(connection) else { return }
            try connection.execute(tables)
        }
    }
}
