import System

/// Ends the process when its end does not come by itself, whatever hangs: a disk, a lock, a task.
///
/// It is the system's own timer, and the handler of its signal does nothing but end the process: at that moment no
/// thread, no memory and no lock is needed.
package enum Watchdog {
    /// How many seconds there are beyond those that are asked for: what is kept is brought to disk in them.
    private static let grace = 10.0

    /// Makes this thread one that the signal comes through to, whatever the parent has blocked. All threads that are
    /// made later inherit that, so `Signals` blocks it again where others may hang.
    package static func admit() {
        var alarms = sigset_t()
        sigemptyset(&alarms)
        sigaddset(&alarms, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    }

    /// From now on the process has so many seconds, and the grace, unless it is given others. Before, the signal has
    /// its usual meaning.
    package static func arm(_ seconds: Double) {
        SignalAction.handle(SIGALRM) { _ in
            let text: StaticString = """
                larder: error: the end took longer than --drain allows: a disk, a lock or a task hangs; \
                what was not yet saved is lost

                """
            // stderr may be a pipe that nobody reads.
            let errors = STDERR_FILENO
            var ready = pollfd(fd: errors, events: Int16(POLLOUT), revents: 0)
            if poll(&ready, 1, 0) > 0 { _ = write(errors, text.utf8Start, text.utf8CodeUnitCount) }
            _exit(ExitCode.hung)
        }
        _ = alarm(UInt32(max(0, min(seconds, 1e9)).rounded(.up) + grace))
    }
}
