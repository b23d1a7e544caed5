import JSON
import Protocol

/// A method of the Model Context Protocol.
protocol MCPMethodContract: Sendable {
    /// Whether the method reads the cache. A request of such a method waits for the cache changes of earlier requests.
    var readsCache: Bool { get }

    /// Starts to process a request, on the thread that reads the input. A method that needs no further work writes the
    /// result immediately and calls `exchange.close`. Any other method returns the work that produces the result.
    ///
    /// - Parameter params: the params of the request, before validation.
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step
}
