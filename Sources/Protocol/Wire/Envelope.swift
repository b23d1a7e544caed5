import JSON

/// A received request or notification (JSON-RPC 2.0, section 4). Its properties are views of the received bytes.
public struct Envelope {
    /// The id in the received bytes: a string, a number or null. Nil for a notification.
    public let idView: JSONView?
    /// The name of the method, as a JSON string in the received bytes.
    public let methodView: JSONView
    /// The params in the received bytes; nil for a message without params.
    public let params: JSONView?

    public var method: String { methodView.string ?? "" }

    /// A copy of the id; nil for a notification.
    public var id: RequestID? { idView.flatMap { RequestID($0) } }

    /// An invalid request. It contains the error and the id for the reply.
    public struct Refusal: Error, Equatable, Sendable {
        /// The id of the reply: the id of the request, or null if the request has no readable id.
        public let id: RequestID
        public let error: RPCError
    }

    /// Reads a message, or one element of a JSON-RPC batch.
    ///
    /// - Throws: `Refusal` if the message is not a valid request.
    public init(_ message: JSONView) throws(Refusal) {
        guard message.kind == .object else {
            throw Refusal(id: .null, error: RPCError(.invalidRequest, "a request must be an object"))
        }
        var version: JSONView?
        var id: JSONView?
        var method: JSONView?
        var params: JSONView?
        for member in message.members {
            let key = member.key
            if key.isString(Names.jsonrpc) {
                version = member.value
            } else if key.isString(Names.id) {
                id = member.value
            } else if key.isString(Names.method) {
                method = member.value
            } else if key.isString(Names.params) {
                params = member.value
            }
        }
        func refuse(_ code: RPCError.Code, _ text: String) -> Refusal {
            Refusal(id: id.flatMap { RequestID($0) } ?? .null, error: RPCError(code, text))
        }
        guard id.map({ RequestID.isID($0) }) ?? true else {
            throw refuse(.invalidRequest, "'id' must be a string, a number or null")
        }
        guard version?.isString(Names.version) == true else {
            throw refuse(.invalidRequest, "'jsonrpc' must be \"2.0\"")
        }
        guard let method, method.kind == .string else { throw refuse(.invalidRequest, "'method' must be a string") }
        self.idView = id
        methodView = method
        self.params = params?.isNull == true ? nil : params
    }

    private enum Names {
        static var jsonrpc: StaticString { "jsonrpc" }
        static var version: StaticString { "2.0" }
        static var id: StaticString { "id" }
        static var method: StaticString { "method" }
        static var params: StaticString { "params" }
    }
}
