import System

/// An object that uses the event loop of the HTTP engine for its own socket, such as a Redis connection. Such an object
/// is called a guest of the engine. All members are called on the event loop's thread.
package protocol EngineGuestContract: AnyObject {
    /// This object's socket; nil if there is none. The event loop polls the socket for input, and also for output if
    /// `isWriting` is true.
    var interest: (socket: Int32, isWriting: Bool)? { get }

    /// The maximum time until the event loop must call `turn` again, in milliseconds. Nil if there is no limit.
    var maxWait: Milliseconds? { get }

    /// Called before the event loop waits for events. The wait takes at most `maxWait` milliseconds.
    func willWait()

    /// Called after the event loop has waited for events.
    func didWait()

    /// Called when this object's socket is ready. The event loop calls `turn` afterwards.
    func signal()

    /// Does the pending work for this object's socket, such as sending and receiving. Must not block.
    func turn()

    /// Called when the HTTP engine shuts down. The event loop makes no further calls to this object.
    func engineEnded()
}
