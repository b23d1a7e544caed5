import JSON
import Protocol

/// A method of the Model Context Protocol.
protocol MCPMethodContract: Sendable {
    /// Whether the method reads the cache. Such a method first waits for the cache changes of earlier requests.
    var readsCache: Bool { get }

    /// Starts a request on the thread that reads the input. Writes the result at once, or returns the work that
    /// produces the result. The method must close a written result with `exchange.close`.
    ///
    /// - Parameter params: the params of the request, before validation.
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step
}
