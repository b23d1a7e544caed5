#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import DataSources

/// Watches the process that `initialize` names.
enum ParentWatch {
    /// Calls `onGone` within about a second of the process's end.
    static func start(_ process: pid_t, onGone: @escaping @Sendable () -> Void) {
        Thread.start {
            let identity = identity(of: process)
            while let now = Self.identity(of: process), now == identity { sleep(1) }
            onGone()
        }
    }

    /// What tells a process from a later one with the same number; nil for one that has ended, also while nobody has
    /// asked for its exit code yet (a zombie).
    private static func identity(of process: pid_t) -> String? {
        guard kill(process, 0) == 0 || errno == EPERM else { return nil }
        #if os(Linux)
            // proc(5): "pid (name) state ...", where field 22 is the time of its start. A name may hold anything.
            guard let bytes = try? Files.read("/proc/\(process)/stat"),
                let end = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return "unknown" }
            let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
            guard let state = fields.first, state != [UInt8(ascii: "Z")], state != [UInt8(ascii: "X")] else {
                return nil
            }
            return fields.count > 19 ? String(decoding: fields[19], as: UTF8.self) : "unknown"
        #else
            return "unknown"
        #endif
    }
}
