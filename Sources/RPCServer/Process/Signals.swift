import DataSources
import System

/// Installs the signal handlers of the process.
package enum Signals {
    /// Ignores SIGPIPE and SIGXFSZ. After this call, a write to a closed pipe or beyond the file size limit (`ulimit
    /// -f`) fails with an error and no longer ends the process.
    package static func leaveErrorsToWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Installs the handlers of SIGTERM, SIGINT and SIGHUP. Call this function before any other thread starts.
    ///
    /// After SIGTERM or SIGINT, the process exits in the same way as at the end of the input. A second signal ends the
    /// process at once. SIGHUP calls `onHangup`, but has the effect of SIGTERM if stdin is a terminal. A signal that
    /// was ignored when the process started stays ignored.
    ///
    /// If the thread that waits for the signals cannot be started, the signals end the process at once.
    ///
    /// - Parameter onEnd: a closure that gets the number of the signal that ends the process.
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
            let endsOnHangup = isatty(STDIN_FILENO) != 0
            sigwait(&waited, &number)
            while number == SIGHUP, !endsOnHangup {
                onHangup()
                sigwait(&waited, &number)
            }
            // A second signal must end the process at once, even if the calls below hang.
            for number in [SIGTERM, SIGINT, SIGHUP] where sigismember(&waited, number) == 1 { signal(number, SIG_DFL) }
            pthread_sigmask(SIG_UNBLOCK, &waited, nil)
            onEnd(number)
            while true { pause() }
        }
        if !hasThread { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
    }

    /// Calls a closure for each SIGINT from now on, on a thread of its own. If this thread cannot be started, SIGINT
    /// ends the process.
    package static func handleInterrupts(_ body: @escaping @Sendable () -> Void) {
        var interrupt = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        pthread_sigmask(SIG_BLOCK, &interrupt, nil)
        let waited = interrupt
        let hasThread = Thread.start("larder-signals") {
            var waited = waited
            var number: Int32 = 0
            while sigwait(&waited, &number) == 0 { body() }
        }
        if !hasThread { pthread_sigmask(SIG_UNBLOCK, &interrupt, nil) }
    }
}
