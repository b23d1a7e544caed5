import CSQLite

/// The SQLite library that reads and writes the cache file.
public enum DatabaseLibrary {
    /// The library's version, such as `3.40.1`.
    public static var version: String { String(cString: sqlite3_libversion()) }
}
