import DataSources
import System

extension EventLoop {
    /// The loop for work that ends the process. It is separate from the loop of the requests, which a slow disk may
    /// block.
    static let watch = EventLoop("larder-watch")
}

/// Watches the client process that `initialize` names, and reports its exit.
struct ParentWatch {
    private static let interval = 1000

    /// The observed state of a process.
    enum ProcessState: Equatable {
        /// The process runs. `since` is its start time, which distinguishes it from a later process with the same pid;
        /// nil if the start time cannot be read.
        case running(since: String?)
        /// The process has exited, or is a zombie whose exit code was not read yet.
        case ended
    }

    /// The start time of the watched process; nil until it was read.
    private var known: String?

    /// Calls `onGone` within about a second of the process's exit. Ignores a pid of 0 or less. Returns false if the
    /// watch thread could not be started.
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

    /// Whether the watched process has exited or its pid was reused.
    mutating func hasExited(_ state: ProcessState) -> Bool {
        guard case .running(let start) = state else { return true }
        // An unreadable start time is no evidence of an exit: the process exists.
        if let start, start != known ?? start { return true }
        known = known ?? start
        return false
    }

    /// Reads the state of a process.
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
