/// The cache file's schema.
enum EntitySchema {
    /// `application_id` is "LRDC" in ASCII.
    ///
    /// An item's and a page's JSON stand last, so that what is short is read without following a long one. Where an
    /// entry is replaced its row stays the same. `used_at` is for dropping what was not used for long.
    static let migrations = Migrations(
        applicationID: 0x4C52_4443,
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
                ids TEXT NOT NULL,
                info BLOB NOT NULL,
                UNIQUE (resource, request)
            ) STRICT;
            """,
            // `list` and `count` come from the texts of older pages. `indexed` says whether an item can be searched.
            // `changes` is what was done last, so that other processes learn which entries of theirs no longer hold:
            // `writer` tells their own from others', and `kind` is one of `ChangeKind`. The newest row always stays, so
            // that no number is given out twice.
            """
            ALTER TABLE items ADD COLUMN etag TEXT;
            ALTER TABLE items ADD COLUMN modified TEXT;
            ALTER TABLE items ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE pages ADD COLUMN etag TEXT;
            ALTER TABLE pages ADD COLUMN modified TEXT;
            ALTER TABLE pages ADD COLUMN count INTEGER;
            ALTER TABLE pages ADD COLUMN list TEXT NOT NULL DEFAULT '{}';
            UPDATE pages SET
                list = CASE WHEN json_valid(request) THEN ifnull(json_extract(request, '$.filter'), '{}') ELSE '{}' END,
                count = CASE WHEN json_valid(CAST(info AS TEXT))
                    AND typeof(json_extract(CAST(info AS TEXT), '$.count')) = 'integer'
                    THEN json_extract(CAST(info AS TEXT), '$.count') END;
            CREATE INDEX pages_list ON pages (resource, list, invalidated, count);
            CREATE TABLE changes (
                seq INTEGER PRIMARY KEY,
                writer INTEGER NOT NULL,
                kind INTEGER NOT NULL,
                resource INTEGER,
                name TEXT
            ) STRICT;
            """,
            // What `RowChecksum` says of the row; NULL in rows of older versions, which are looked at when they are
            // read.
            """
            ALTER TABLE items ADD COLUMN checksum INTEGER;
            ALTER TABLE pages ADD COLUMN checksum INTEGER;
            """,
            // How a list goes on after a page: `next` is the text of a JSON value, `null` where no page is after it.
            // NULL in rows of older versions, whose `info` is read for both.
            """
            ALTER TABLE pages ADD COLUMN next TEXT;
            ALTER TABLE pages ADD COLUMN pages INTEGER;
            """,
            // Short texts for later processes, such as when to try an unreachable server again.
            """
            CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
            """,
        ],
        laterParts: FileBudget.indexes + [SearchIndexer.tables])
}
