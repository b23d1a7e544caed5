import DataSources
import System

/// Reloads the catalog after a change of its files or at the user's request. Requests in flight and observers continue.
///
/// The server checks the files once a second. The reload starts when two consecutive checks find the changed files in
/// the same state. If the new catalog is invalid, the server logs the error and keeps the previous catalog.
final class CatalogReload: Sendable {
    private static let interval = 1000
    /// The interval between checks while the files are changing, in milliseconds. It is short, because the user waits
    /// for the reload.
    private static let settling = 200

    private let process: Process
    private let files: Lock<CatalogFiles>

    /// Creates the object that reloads the catalog of `process`.
    ///
    /// - Parameter files: the files of the catalog in use.
    init(_ process: Process, files: [WatchedFile]) {
        self.process = process
        self.files = Lock(CatalogFiles(files))
    }

    /// Starts the periodic checks. Does nothing if the catalog has no files.
    func start() { look(after: Self.interval) }

    private func look(after wait: Int) {
        guard files.withLock({ !$0.loaded.isEmpty }) else { return }
        EventLoop.watch.run(after: wait) { [self] in look(after: look() ? Self.settling : Self.interval) }
    }

    /// Checks the files once. Reloads the catalog if the files have changed since the last load, but not since the last
    /// check.
    ///
    /// - Returns: whether the files may still be changing.
    func look() -> Bool {
        let state = files.withLock { $0.check() }
        if state == .settled { load() }
        return state == .changing
    }

    func load() {
        // The files are marked as loaded before they are read, so that the next check notices a change during the load.
        files.withLock { $0.markLoaded() }
        let named = Lock<[FilePath]>([])
        do throws(StartupError) {
            let loaded = try CatalogLoader(options: process.options, environment: process.environment).load { path in
                named.withLock { $0.append(path) }
            }
            files.withLock { $0 = CatalogFiles(loaded.files) }
            process.serving.replace(by: Container.serving(loaded, by: process))
            process.board.clear("catalog")
            process.logger.log(.info, "reloaded the catalog \(loaded.origin)")
        } catch {
            // An invalid catalog may name further files. A change of such a file may make the catalog valid, so the
            // reloader watches these files too.
            let paths = named.withLock { $0 }
            files.withLock { $0.add(paths) }
            for line in error.lines { process.logger.log(.error, line) }
            let more = error.lines.count > 1 ? " (and \(error.lines.count - 1) more)" : ""
            process.board.note(
                DegradedPart(
                    part: "catalog",
                    reason:
                        "cannot reload the catalog; the previous one stays in use: \(error.lines.first ?? "")\(more)",
                    since: process.clock.now()))
        }
    }
}
