import System

/// Ends a process that has not exited at its deadline, for example because a disk hangs.
///
/// The watchdog uses the system's timer (SIGALRM), and needs no thread, memory or lock.
package enum Watchdog {
    /// The time after the deadline in which the process can still save data and exit normally.
    private static let grace = Duration.seconds(10)

    /// Unblocks SIGALRM in the calling thread, so that this thread can handle the signal.
    package static func admit() {
        var alarms = sigset_t()
        sigemptyset(&alarms)
        sigaddset(&alarms, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    }

    /// Sets the deadline, or replaces an earlier deadline. If the process is still running after `limit` plus `grace`,
    /// it exits with code 75.
    package static func arm(_ limit: Duration) {
        SignalAction.handle(SIGALRM) { _ in
            let text: StaticString = """
                larder: error: the exit was forced: a disk, a lock or a task hangs longer than --drain allows; \
                unsaved data is lost

                """
            // The write must not block, because stderr may be a pipe whose reader has stopped.
            let errors = STDERR_FILENO
            var ready = pollfd(fd: errors, events: Int16(POLLOUT), revents: 0)
            if poll(&ready, 1, 0) > 0 { _ = write(errors, text.utf8Start, text.utf8CodeUnitCount) }
            _exit(ExitCode.hung)
        }
        _ = alarm(UInt32((limit + grace).milliseconds + 999) / 1000)
    }
}
