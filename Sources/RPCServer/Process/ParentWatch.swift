import DataSources
import System

extension EventLoop {
    /// Waits for what ends the process. It is apart from the loop of the requests, which a disk may hold.
    static let watch = EventLoop("larder-watch")
}

/// Watches the process that `initialize` names.
struct ParentWatch {
    private static let interval = 1000

    /// What can be seen of a process.
    enum Sight: Equatable {
        /// It runs; with what tells it from a later one with the same number, where that can be read.
        case running(since: String?)
        /// It is no more, also while nobody has asked for its exit code yet (a zombie).
        case ended
    }

    /// What tells the process that was seen first from another one.
    private var known: String?

    /// Calls `onGone` within about a second of the process's end. What is no process's number is not watched. Returns
    /// false where there was no thread for it.
    static func start(_ process: pid_t, onGone: @escaping @Sendable () -> Void) -> Bool {
        guard process > 0 else { return true }
        EventLoop.watch.run { ParentWatch().check(process, onGone) }
        return EventLoop.watch.isReady
    }

    private func check(_ process: pid_t, _ onGone: @escaping @Sendable () -> Void) {
        var watch = self
        if watch.isGone(Self.look(at: process)) { return onGone() }
        EventLoop.watch.run(after: Self.interval) { [watch] in watch.check(process, onGone) }
    }

    /// Whether the process that was seen first is seen no more.
    mutating func isGone(_ sight: Sight) -> Bool {
        guard case .running(let start) = sight else { return true }
        // What cannot be read for a moment says nothing: the process is there.
        if let start, start != known ?? start { return true }
        known = known ?? start
        return false
    }

    /// Looks at a process.
    static func look(at process: pid_t) -> Sight {
        guard kill(process, 0) == 0 || errno == EPERM else { return .ended }
        #if os(Linux)
            // proc(5): "pid (name) state ...", where field 22 is the time of its start. A name may hold anything.
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
