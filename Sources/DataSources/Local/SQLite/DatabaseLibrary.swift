import CSQLite

/// What the cache file is read and written with.
public enum DatabaseLibrary {
    /// Its version, such as `3.40.1`.
    public static var version: String { String(cString: sqlite3_libversion()) }
}
