import System

/// A guest of the HTTP engine: an object with its own socket that runs on the engine's event loop, such as a Redis
/// connection. The loop's thread calls all members.
package protocol EngineGuestContract: AnyObject {
    /// The socket that the event loop polls for input, and also for output if `isWriting` is true. Nil if the guest has
    /// no socket.
    var interest: (socket: Int32, isWriting: Bool)? { get }

    /// The maximum time in milliseconds until the event loop must call `turn` again. Nil if no transfer or timer waits
    /// for this call.
    var maxWait: Milliseconds? { get }

    /// Called before the event loop waits for events. The wait takes at most `maxWait` milliseconds.
    func willWait()

    /// Called after the event loop has waited for events.
    func didWait()

    /// Called when the guest's socket is ready. The event loop calls `turn` afterwards.
    func signal()

    /// Does all work of the guest that is possible without blocking.
    func turn()

    /// Called when the HTTP engine shuts down. The event loop makes no further calls to the guest.
    func engineEnded()
}
