import DataSources
import System

extension EventLoop {
    /// The event loop for tasks of the process itself: the shutdown, the watch of the client and the catalog reload.
    /// These tasks do not share the event loop of the requests, because a slow disk may block that loop.
    static let watch = EventLoop("larder-watch")
}

/// Watches the client process and reports its exit. The process id comes from the client's `initialize` request.
struct ParentWatch {
    private static let interval = 1000

    /// The state of the watched process: running or exited.
    enum ProcessState: Equatable {
        /// The process is running. `since` is its start time; nil if the start time cannot be read. A later process
        /// with the same pid has a different start time.
        case running(since: String?)
        /// The process has exited. It may still be a zombie, whose exit code the parent process has not read.
        case ended
    }

    /// The start time of the watched process; nil before the first check.
    private var known: String?

    /// Watches a process, and calls `onGone` within about a second after the process exits. Ignores a pid of 0 or less.
    /// Returns false if the watch thread could not be started.
    static func start(_ process: pid_t, onGone: @escaping @Sendable () -> Void) -> Bool {
        guard process > 0 else { return true }
        EventLoop.watch.run { ParentWatch().check(process, onGone) }
        return EventLoop.watch.isReady
    }

    private func check(_ process: pid_t, _ onGone: @escaping @Sendable () -> Void) {
        var watch = self
        if watch.hasExited(Self.state(of: process)) { return onGone() }
        EventLoop.watch.run(after: Self.interval) { [watch] in watch.check(process, onGone) }
    }

    /// Whether the watched process has exited. A changed start time means that a new process has the same pid.
    mutating func hasExited(_ state: ProcessState) -> Bool {
        guard case .running(let start) = state else { return true }
        // The process exists, even if its start time cannot be read.
        if let start, start != known ?? start { return true }
        known = known ?? start
        return false
    }

    /// Reads the current state of a process. On Linux, the state comes from `/proc`.
    static func state(of process: pid_t) -> ProcessState {
        guard kill(process, 0) == 0 || errno == EPERM else { return .ended }
        #if os(Linux)
            // proc(5): "pid (name) state ...". Field 22 is the start time. The name may contain any character.
            guard let bytes = try? Files.read(FilePath("/proc/\(process)/stat")),
                let end = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return .running(since: nil) }
            let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
            guard let state = fields.first, state != [UInt8(ascii: "Z")], state != [UInt8(ascii: "X")] else {
                return .ended
            }
            return .running(since: fields.count > 19 ? String(decoding: fields[19], as: UTF8.self) : nil)
        #else
            return .running(since: nil)
        #endif
    }
}
