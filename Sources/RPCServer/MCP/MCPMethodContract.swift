import JSON
import Protocol

/// A method of the Model Context Protocol.
protocol MCPMethodContract: Sendable {
    /// Whether it reads the cache, and so waits for a change of the cache that was asked for before.
    var readsCache: Bool { get }

    /// Called on the reader's thread, with the named params as they came: either writes the result at once or says what
    /// is to be done for it. What it writes is an object that it closes with `exchange`.
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step
}
