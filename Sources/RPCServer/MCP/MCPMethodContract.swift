import JSON
import Protocol

/// A method of the Model Context Protocol.
protocol MCPMethodContract: Sendable {
    /// Whether the method reads the cache. Such a method first waits for cache changes that were requested earlier.
    var readsCache: Bool { get }

    /// Begins a request on the thread that reads the input: writes the result at once, or returns the work that
    /// produces it. `params` is not validated. A written result is an object that the method closes with
    /// `exchange.close`.
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step
}
