import DataSources
import System

/// What signals mean to the process.
package enum Signals {
    /// A write that cannot be done is an error like others, and no reason to die: nobody reads the pipe (SIGPIPE), or
    /// the file may not grow (SIGXFSZ, `ulimit -f`).
    package static func leaveErrorsToWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// SIGTERM and SIGINT end the process as the end of the input does, and at once when they come again; so does
    /// SIGHUP where stdin is a terminal, which is gone then. Elsewhere it asks for the catalog to be loaded anew.
    /// SIGINT and SIGHUP stay ignored where the parent has them so: nohup, a shell's background, and a client whose
    /// program takes the Ctrl-C itself.
    ///
    /// `onEnd` is told which of them came.
    ///
    /// Call it before any other thread is started: the signals, and the watchdog's, are blocked in all of them and
    /// taken by one that waits for them. Where there is no thread for that, they end the process at once: nothing is in
    /// flight that would need one.
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
            // Who asks a second time does not want to wait for what is in flight; nor for what follows, should it hang.
            for number in [SIGTERM, SIGINT, SIGHUP] where sigismember(&waited, number) == 1 { signal(number, SIG_DFL) }
            pthread_sigmask(SIG_UNBLOCK, &waited, nil)
            onEnd(number)
            while true { pause() }
        }
        if !hasThread { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
    }
}
