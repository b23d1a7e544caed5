import JSON
import Protocol

/// A type that answers one method of one of the session's dialects.
package protocol MethodContract: Sendable {
    /// Whether the method reads the cache. Such a request waits for cache changes that were requested earlier.
    var readsCache: Bool { get }

    /// Starts to answer a request on the reader's thread. It writes the result at once, or returns the work that
    /// produces the result.
    ///
    /// It must not block. If it throws or returns work, the bytes that it wrote are discarded.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}
