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
            """
        ])
}
