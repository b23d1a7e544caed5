import DataSources
import System

/// Reloads the catalog when one of its files changes or the user asks for it. Requests in flight and observers
/// continue.
///
/// It checks the files once a second on the watch loop, so no request is delayed. After a change it checks more often,
/// and loads the catalog once two checks agree, because an editor may write a file in steps. If the new catalog is
/// invalid, the error is logged and the previous catalog stays active.
final class CatalogReload: Sendable {
    private static let interval = 1000
    /// The milliseconds until the next check after a change. The user is waiting for the reload, so this is shorter
    /// than `interval`.
    private static let settling = 200

    private let process: Process
    private let files: Lock<CatalogFiles>

    /// - Parameter files: the files of the catalog that is served.
    init(_ process: Process, files: [WatchedFile]) {
        self.process = process
        self.files = Lock(CatalogFiles(files))
    }

    /// Starts to check the files, if there are any.
    func start() { look(after: Self.interval) }

    private func look(after wait: Int) {
        guard files.withLock({ !$0.loaded.isEmpty }) else { return }
        EventLoop.watch.run(after: wait) { [self] in look(after: look() ? Self.settling : Self.interval) }
    }

    /// Checks the files, and reloads the catalog if they have changed and are stable.
    ///
    /// - Returns: whether the files have changed and may still be changing.
    func look() -> Bool {
        let state = files.withLock { $0.check() }
        if state == .settled { load() }
        return state == .changing
    }

    /// Reloads the catalog.
    func load() {
        // Marked before the files are read, so that the next check notices changes during the load.
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
            // The invalid catalog may name more files. A change of one of them may fix it.
            let paths = named.withLock { $0 }
            files.withLock { $0.add(paths) }
            for line in error.lines { process.logger.log(.error, line) }
            let more = error.lines.count > 1 ? " (and \(error.lines.count - 1) more)" : ""
            process.board.note(
                DegradedPart(
                    part: "catalog",
                    reason: "not reloaded, the previous catalog is still served: \(error.lines.first ?? "")\(more)",
                    since: process.clock.now()))
        }
    }
}
