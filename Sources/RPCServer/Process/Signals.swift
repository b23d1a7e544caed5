import DataSources
import System

/// Installs the handlers of signals.
package enum Signals {
    /// Ignores SIGPIPE and SIGXFSZ, so that a write to a closed pipe or beyond the file size limit (`ulimit -f`) fails
    /// with an error and does not end the process.
    package static func leaveErrorsToWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Installs the handlers of SIGTERM, SIGINT and SIGHUP.
    ///
    /// SIGTERM and SIGINT end the process in the same way as the end of the input. A second signal ends it at once.
    /// SIGHUP does the same if stdin is a terminal, and otherwise calls `onHangup`, which reloads the catalog. SIGINT
    /// and SIGHUP stay ignored if the parent ignores them, for example with `nohup` or in a shell's background.
    ///
    /// Call it before any other thread is started: the signals are blocked in all threads, and one thread waits for
    /// them. If that thread cannot be started, the signals keep their default action and end the process at once.
    ///
    /// - Parameter onEnd: called with the number of the signal that ends the process.
    package static func install(
        onHangup: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable (_ number: Int32) -> Void
    ) {
        var ending = sigset_t()
        sigemptyset(&ending)
        for number in [SIGTERM, SIGINT, SIGHUP] where number == SIGTERM || !SignalAction.isIgnored(number) {
            sigaddset(&ending, number)
        }
        var blocked = ending
        sigaddset(&blocked, SIGALRM)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        let waited = ending
        let hasThread = Thread.start("larder-signals") {
            Watchdog.admit()
            var waited = waited
            var number: Int32 = 0
            let isEnd = isatty(STDIN_FILENO) != 0
            repeat {
                sigwait(&waited, &number)
                if number == SIGHUP, !isEnd { onHangup() }
            } while number == SIGHUP && !isEnd
            // A second signal must end the process at once, even if the calls below hang.
            for number in [SIGTERM, SIGINT, SIGHUP] where sigismember(&waited, number) == 1 { signal(number, SIG_DFL) }
            pthread_sigmask(SIG_UNBLOCK, &waited, nil)
            onEnd(number)
            while true { pause() }
        }
        if !hasThread { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
    }
}
