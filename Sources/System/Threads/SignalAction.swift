/// Installs signal handlers and finds ignored signals (`sigaction`).
// This type hides that operating systems name the members of the C structure differently.
package enum SignalAction {
    /// Installs a handler for a signal. The handler may call only functions that are async-signal-safe
    /// (signal-safety(7)).
    package static func handle(_ number: Int32, with handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = handler
        #else
            action.__sigaction_u.__sa_handler = handler
        #endif
        sigaction(number, &action, nil)
    }

    /// Whether this process ignores a signal.
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        // Safe: both are addresses and are only compared. Swift cannot compare C functions.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
