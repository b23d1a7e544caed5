/// An object with its own connection that shares the event loop of the HTTP engine. All members are called on the loop.
package protocol EngineGuestContract: AnyObject {
    /// The socket to poll for input, and for output if `isWriting` is true; nil if there is none.
    var interest: (socket: Int32, isWriting: Bool)? { get }

    /// The maximum time until the next `turn`, in milliseconds; nil if the guest has nothing to do.
    var patience: Int? { get }

    /// Called before the loop waits for events, for at most `patience`.
    func willWait()

    /// Called after the loop has waited.
    func didWait()

    /// Called when the socket is ready; `turn` follows.
    func signal()

    /// Performs the work that is possible without waiting.
    func turn()

    /// Called when the engine shuts down; the guest gets no more calls.
    func engineEnded()
}
