import System

/// The files of a catalog. Stores their states at two times: when the catalog was loaded, and at the last check.
struct CatalogFiles {
    enum State {
        case unchanged
        /// The files have changed since the last check, so an editor may still be writing them.
        case changing
        /// The files have changed since the catalog was loaded, but not since the last check.
        case settled
    }

    private(set) var loaded: [WatchedFile]
    private var seen: [WatchedFile]

    package init(_ files: [WatchedFile]) {
        loaded = files
        seen = files
    }

    /// Compares the files with their states when the catalog was loaded and at the last check. Stores their current
    /// states for the next check.
    mutating func check() -> State {
        let now = loaded.map(\.now)
        defer { seen = now }
        if now == loaded { return .unchanged }
        return now == seen ? .settled : .changing
    }

    /// Records that the loaded catalog matches the current state of the files.
    mutating func markLoaded() { loaded = loaded.map(\.now) }

    /// Adds files to watch, with their current state.
    mutating func add(_ paths: [FilePath]) {
        for path in paths where !loaded.contains(where: { $0.path == path }) {
            loaded.append(WatchedFile(path))
            seen.append(WatchedFile(path))
        }
    }
}
