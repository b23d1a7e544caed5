import JSON
import Protocol

/// What answers one method, in whatever dialect it is asked.
package protocol MethodContract: Sendable {
    /// Whether it reads the cache, and so waits for a change of the cache that was asked for before.
    var readsCache: Bool { get }

    /// Called on the reader's thread: either writes the result at once or says what is to be done for it.
    ///
    /// It must not wait. What it wrote before it throws, or before it returns work, is taken back.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}
