import System

/// The files that make up a catalog, as they were when it was read and at the last check.
struct CatalogFiles {
    enum State {
        case unchanged
        /// They differ from the last check: an editor may still be writing them.
        case changing
        /// They have changed since the catalog was read, but not since the last check.
        case settled
    }

    private(set) var loaded: [WatchedFile]
    private var seen: [WatchedFile]

    package init(_ files: [WatchedFile]) {
        loaded = files
        seen = files
    }

    /// Compares the files on disk with the loaded ones and with those of the last check.
    mutating func check() -> State {
        let now = loaded.map(\.now)
        defer { seen = now }
        if now == loaded { return .unchanged }
        return now == seen ? .settled : .changing
    }

    /// Takes the files as they are now for the loaded ones.
    mutating func markLoaded() { loaded = loaded.map(\.now) }

    /// Adds files, as they are now.
    mutating func add(_ paths: [FilePath]) {
        for path in paths where !loaded.contains(where: { $0.path == path }) {
            loaded.append(WatchedFile(path))
            seen.append(WatchedFile(path))
        }
    }
}
