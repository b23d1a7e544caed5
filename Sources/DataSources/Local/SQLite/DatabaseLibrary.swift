import CSQLite

/// The SQLite library that reads and writes the cache file.
public enum DatabaseLibrary {
    /// The version of the SQLite library, such as `3.40.1`.
    public static var version: String { String(cString: sqlite3_libversion()) }
}
