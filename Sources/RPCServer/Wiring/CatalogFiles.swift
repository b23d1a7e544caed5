import System

/// The files of a catalog, as they were when the catalog was loaded and at the last check.
struct CatalogFiles {
    enum State {
        case unchanged
        /// The files differ from the last check, so an editor may still be writing them.
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

    /// Compares the files on disk with the loaded ones and with those of the last check.
    mutating func check() -> State {
        let now = loaded.map(\.now)
        defer { seen = now }
        if now == loaded { return .unchanged }
        return now == seen ? .settled : .changing
    }

    /// Marks the current files as the loaded ones.
    mutating func markLoaded() { loaded = loaded.map(\.now) }

    /// Adds files in their current state.
    mutating func add(_ paths: [FilePath]) {
        for path in paths where !loaded.contains(where: { $0.path == path }) {
            loaded.append(WatchedFile(path))
            seen.append(WatchedFile(path))
        }
    }
}
