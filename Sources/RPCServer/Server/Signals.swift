#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What signals mean to the process.
enum Signals {
    /// SIGTERM and SIGINT end it as the end of the input does, and at once when they come again; SIGPIPE is no reason to
    /// die.
    ///
    /// Call it before any other thread is started: the two signals are blocked in all of them and taken by one that
    /// waits for them.
    static func install(onEnd: @escaping @Sendable () -> Void) {
        signal(SIGPIPE, SIG_IGN)
        var ending = sigset_t()
        sigemptyset(&ending)
        sigaddset(&ending, SIGTERM)
        sigaddset(&ending, SIGINT)
        pthread_sigmask(SIG_BLOCK, &ending, nil)
        let waited = ending
        Thread.start {
            var waited = waited
            var number: Int32 = 0
            sigwait(&waited, &number)
            onEnd()
            // Who asks a second time does not want to wait for what is in flight.
            signal(SIGTERM, SIG_DFL)
            signal(SIGINT, SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &waited, nil)
            while true { pause() }
        }
    }
}
