import JSON
import Protocol

/// A handler of one method. The method belongs to one of the protocols in `Dialect`.
package protocol MethodContract: Sendable {
    /// Whether the method reads the cache. A request of such a method waits for the cache changes of earlier requests.
    var readsCache: Bool { get }

    /// Starts to answer a request on the thread that reads the input. Either writes the result, or returns the work
    /// that produces the result.
    ///
    /// The method must not block. If it throws an error or returns work, the caller discards the written bytes.
    func begin(_ params: ParamsReader, in session: Session, result: inout JSONWriter) throws(RPCError) -> Step
}
