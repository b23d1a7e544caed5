#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Watches the process that `initialize` names.
enum ParentWatch {
    /// Calls `onGone` within about a second of the process's end.
    static func start(_ process: pid_t, onGone: @escaping @Sendable () -> Void) {
        Thread.start {
            while isAlive(process) { sleep(1) }
            onGone()
        }
    }

    private static func isAlive(_ process: pid_t) -> Bool {
        kill(process, 0) == 0 || errno == EPERM
    }
}
