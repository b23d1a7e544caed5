import System

/// Ends the process if its exit hangs in a disk, a lock or a task.
///
/// It uses the system's timer (SIGALRM). The signal's handler only prints a line and calls `_exit`, so it needs no
/// thread, memory or lock.
package enum Watchdog {
    /// The seconds added to every deadline, for the final save.
    private static let grace = 10.0

    /// Unblocks SIGALRM in the calling thread. Threads that it starts later inherit this, so `Signals` blocks the
    /// signal in threads that may hang.
    package static func admit() {
        var alarms = sigset_t()
        sigemptyset(&alarms)
        sigaddset(&alarms, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    }

    /// Sets or replaces the deadline: the process exits with code 75 after `seconds` and the grace period.
    package static func arm(_ seconds: Double) {
        SignalAction.handle(SIGALRM) { _ in
            let text: StaticString = """
                larder: error: the exit was forced: a disk, a lock or a task hangs longer than --drain allows; \
                unsaved data is lost

                """
            // stderr may be a pipe without a reader. The write must not block.
            let errors = STDERR_FILENO
            var ready = pollfd(fd: errors, events: Int16(POLLOUT), revents: 0)
            if poll(&ready, 1, 0) > 0 { _ = write(errors, text.utf8Start, text.utf8CodeUnitCount) }
            _exit(ExitCode.hung)
        }
        _ = alarm(UInt32(max(0, min(seconds, 1e9)).rounded(.up) + grace))
    }
}
