/// The SQL schema of the cache file.
enum EntitySchema {
    /// The versions of the cache file's schema. `application_id` is "LRDC" in ASCII. A file with an older schema is set
    /// aside, because all of its data can be fetched again.
    ///
    /// * Items and pages: the JSON is in the last column, so SQLite can read the short columns without it. A row keeps
    ///   its number when its entry is replaced.
    /// * `used_at`: the time at which the entry was last used. The entries with the earliest times are evicted first.
    /// * `indexed`: whether the item is in the index for text search.
    /// * `checksum`: see `RowChecksum`.
    /// * `next`: the token of the next page, written as JSON; `null` if there is no next page.
    /// * `changes`: the latest writes. Other processes read this table to find their outdated entries. `writer`
    ///   identifies the process that made the change, and `kind` is one of `ChangeKind`. The newest row is never
    ///   deleted, because SQLite would assign its number again.
    /// * `notes`: short strings for later processes, such as the time of the next attempt to connect to an unreachable
    ///   server.
    static let migrations = Migrations(
        applicationID: 0x4C52_4443,
        base: 5,
        steps: [
            """
            CREATE TABLE resources (
                key INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                fingerprint BLOB NOT NULL UNIQUE
            ) STRICT;
            CREATE TABLE items (
                key INTEGER PRIMARY KEY,
                resource INTEGER NOT NULL,
                id TEXT NOT NULL,
                partial INTEGER NOT NULL,
                fetched_at INTEGER NOT NULL,
                used_at INTEGER NOT NULL,
                invalidated INTEGER NOT NULL,
                indexed INTEGER NOT NULL DEFAULT 0,
                etag TEXT,
                modified TEXT,
                checksum INTEGER NOT NULL,
                json BLOB NOT NULL,
                UNIQUE (resource, id, partial)
            ) STRICT;
            CREATE TABLE pages (
                key INTEGER PRIMARY KEY,
                resource INTEGER NOT NULL,
                request TEXT NOT NULL,
                partial INTEGER NOT NULL,
                fetched_at INTEGER NOT NULL,
                used_at INTEGER NOT NULL,
                invalidated INTEGER NOT NULL,
                etag TEXT,
                modified TEXT,
                count INTEGER,
                pages INTEGER,
                checksum INTEGER NOT NULL,
                list TEXT NOT NULL,
                next TEXT NOT NULL,
                ids TEXT NOT NULL,
                info BLOB NOT NULL,
                UNIQUE (resource, request)
            ) STRICT;
            CREATE INDEX pages_list ON pages (resource, list, invalidated, count);
            CREATE TABLE changes (
                seq INTEGER PRIMARY KEY,
                writer INTEGER NOT NULL,
                kind INTEGER NOT NULL,
                resource INTEGER,
                name TEXT
            ) STRICT;
            CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
            """
        ],
        laterParts: FileBudget.indexes + [SearchIndexer.tables, SyncSchema.tables])
}
