import JSON
import Protocol

/// Answers one method, in any dialect.
package protocol MethodContract: Sendable {
    /// Whether the method reads the cache. Then it waits for cache changes that were requested earlier.
    var readsCache: Bool { get }

    /// Begins a request on the reader's thread: writes the result at once, or returns the work that produces it.
    ///
    /// It must not block. The bytes that it wrote are discarded if it throws or returns work.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}
