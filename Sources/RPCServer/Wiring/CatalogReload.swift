import DataSources
import System

/// Loads the catalog anew when one of the files that it is made of has changed, or when a person asks for that. What is
/// in flight, and what is observed, goes on.
///
/// It looks at the files once a second on the side loop, so that no request waits for it. What has changed is looked at
/// again soon, and loaded when it is the same for two looks: an editor may write a file in steps. A catalog with faults
/// is told, and the one before stays.
final class CatalogReload: Sendable {
    private struct State {
        /// As they were when the catalog was read last.
        var files: [WatchedFile]
        /// As they were at the last look.
        var seen: [WatchedFile]
    }

    private static let interval = 1000
    /// Who has saved a file waits for it: a whole interval more would be noticed.
    private static let settling = 200

    private let process: Process
    private let state: Lock<State>

    /// - Parameter files: what the catalog that is served was made of.
    init(_ process: Process, files: [WatchedFile]) {
        self.process = process
        state = Lock(State(files: files, seen: files))
    }

    /// Looks from now on, where there is anything to look at.
    func start() { look(after: Self.interval) }

    private func look(after wait: Int) {
        guard state.withLock({ !$0.files.isEmpty }) else { return }
        EventLoop.watch.run(after: wait) { [self] in look(after: look() ? Self.settling : Self.interval) }
    }

    /// Loads the catalog anew if its files have changed, and change no more.
    ///
    /// - Returns: whether they have changed and may do so further.
    private func look() -> Bool {
        let (hasChanged, isSettled) = state.withLock { state in
            let now = state.files.map(\.now)
            defer { state.seen = now }
            return (now != state.files, now == state.seen)
        }
        if hasChanged, isSettled { load() }
        return hasChanged && !isSettled
    }

    /// Looks at these files too.
    private func watch(_ paths: [FilePath]) {
        state.withLock { state in
            for path in paths where !state.files.contains(where: { $0.path == path }) {
                state.files.append(WatchedFile(path))
                state.seen.append(WatchedFile(path))
            }
        }
    }

    /// Loads the catalog anew.
    func load() {
        // Before it is read: what changes meanwhile is seen by the next look.
        state.withLock { state in state.files = state.files.map(\.now) }
        let named = Lock<[FilePath]>([])
        do throws(StartupError) {
            let loaded = try CatalogLoader(options: process.options, environment: process.environment).load { path in
                named.withLock { $0.append(path) }
            }
            state.withLock { $0 = State(files: loaded.files, seen: loaded.files) }
            process.serving.replace(by: Container.serving(loaded, by: process))
            process.board.clear("catalog")
            process.logger.log(.info, "the catalog \(loaded.origin) is loaded anew")
        } catch {
            // What mends it may be a change of a file that it names only now.
            watch(named.withLock { $0 })
            for line in error.lines { process.logger.log(.error, line) }
            let more = error.lines.count > 1 ? " (and \(error.lines.count - 1) more)" : ""
            process.board.note(
                DegradedPart(
                    part: "catalog", reason: "the one before stays: \(error.lines.first ?? "")\(more)",
                    since: process.clock.now()))
        }
    }
}
