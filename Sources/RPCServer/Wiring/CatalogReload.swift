import DataSources
import System

/// Loads the catalog anew when one of the files that it is made of has changed, or when a person asks for that. What is
/// in flight, and what is observed, goes on.
///
/// It looks at the files once a second on the side loop, so that no request waits for it. What has changed is looked at
/// again soon, and loaded when it is the same for two looks: an editor may write a file in steps. A catalog with faults
/// is told, and the one before stays.
final class CatalogReload: Sendable {
    private static let interval = 1000
    /// Who has saved a file waits for it: a whole interval more would be noticed.
    private static let settling = 200

    private let process: Process
    private let files: Lock<CatalogFiles>

    /// - Parameter files: what the catalog that is served was made of.
    init(_ process: Process, files: [WatchedFile]) {
        self.process = process
        self.files = Lock(CatalogFiles(files))
    }

    /// Looks from now on, where there is anything to look at.
    func start() { look(after: Self.interval) }

    private func look(after wait: Int) {
        guard files.withLock({ !$0.loaded.isEmpty }) else { return }
        EventLoop.watch.run(after: wait) { [self] in look(after: look() ? Self.settling : Self.interval) }
    }

    /// Loads the catalog anew if its files have changed, and change no more.
    ///
    /// - Returns: whether they have changed and may do so further.
    func look() -> Bool {
        let state = files.withLock { $0.check() }
        if state == .settled { load() }
        return state == .changing
    }

    /// Loads the catalog anew.
    func load() {
        // Before it is read: what changes meanwhile is seen by the next look.
        files.withLock { $0.markLoaded() }
        let named = Lock<[FilePath]>([])
        do throws(StartupError) {
            let loaded = try CatalogLoader(options: process.options, environment: process.environment).load { path in
                named.withLock { $0.append(path) }
            }
            files.withLock { $0 = CatalogFiles(loaded.files) }
            process.serving.replace(by: Container.serving(loaded, by: process))
            process.board.clear("catalog")
            process.logger.log(.info, "the catalog \(loaded.origin) is loaded anew")
        } catch {
            // What mends it may be a change of a file that it names only now.
            let paths = named.withLock { $0 }
            files.withLock { $0.add(paths) }
            for line in error.lines { process.logger.log(.error, line) }
            let more = error.lines.count > 1 ? " (and \(error.lines.count - 1) more)" : ""
            process.board.note(
                DegradedPart(
                    part: "catalog", reason: "the one before stays: \(error.lines.first ?? "")\(more)",
                    since: process.clock.now()))
        }
    }
}
