/// What has a connection of its own and shares the waiting of the loop's one source of events, the HTTP engine. All of
/// it is called on the loop.
package protocol EngineGuestContract: AnyObject {
    /// The socket whose bytes are waited for, and whether also until it takes some; nil where there is none.
    var interest: (socket: Int32, isWriting: Bool)? { get }

    /// For how many milliseconds it may be left alone; nil where nothing is under way.
    var patience: Int? { get }

    /// The loop is about to wait for events, for at most `patience`.
    func willWait()

    /// The wait has ended.
    func didWait()

    /// Something came to its socket, or the socket takes more; `turn` follows.
    func signal()

    /// Does what can be done now.
    func turn()

    /// The engine ends: it has no turn any more.
    func engineEnded()
}
