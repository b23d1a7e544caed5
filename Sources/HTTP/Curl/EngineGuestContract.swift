import System

/// An object that has its own socket and uses the event loop of the HTTP engine. The loop's thread calls all members.
package protocol EngineGuestContract: AnyObject {
    /// The socket to poll for input, and also for output if `isWriting` is true. Nil if the guest has no socket.
    var interest: (socket: Int32, isWriting: Bool)? { get }

    /// The maximum time in milliseconds before the loop must call `turn` again. Nil if the guest has nothing to do.
    var maxWait: Milliseconds? { get }

    /// Called before the loop waits for events. The loop waits for at most `maxWait` milliseconds.
    func willWait()

    /// Called after the loop has waited.
    func didWait()

    /// Called when the guest's socket is ready. The loop calls `turn` afterwards.
    func signal()

    /// Does the work that is possible without blocking.
    func turn()

    /// Called when the engine shuts down. The loop makes no further calls to the guest.
    func engineEnded()
}
