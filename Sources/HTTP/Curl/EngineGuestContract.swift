import System

/// An object that runs its own socket on the event loop of the HTTP engine, such as a Redis connection. Such an object
/// is a guest of the engine. The loop's thread calls all members.
package protocol EngineGuestContract: AnyObject {
    /// The socket that the event loop polls for input, and also for output if `isWriting` is true. Nil if the guest has
    /// no socket.
    var interest: (socket: Int32, isWriting: Bool)? { get }

    /// The maximum time until the next call of `turn`, in milliseconds. Nil if there is no limit.
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
