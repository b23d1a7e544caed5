import JSON

/// A request or notification as it came (JSON-RPC 2.0, section 4), seen in place.
public struct Envelope {
    /// The id in place: a string, a number or null; nil for a notification.
    public let idView: JSONView?
    /// The method's name.
    public let method: String
    /// The named params; nil when there are none.
    public let params: JSONView?

    /// The id, kept beyond the call; nil for a notification.
    public var id: RequestID? { idView.flatMap { RequestID($0) } }

    /// What a message that is no request gets: an error, and the id as far as it can be told.
    public struct Refusal: Error, Equatable, Sendable {
        /// The id to answer; null where none can be read.
        public let id: RequestID
        /// What is wrong.
        public let error: RPCError
    }

    /// Reads a message, or one entry of a batch.
    public init(_ message: JSONView) throws(Refusal) {
        guard message.kind == .object else {
            throw Refusal(id: .null, error: RPCError(.invalidRequest, "a request must be an object"))
        }
        var version: JSONView?
        var id: JSONView?
        var method: JSONView?
        var params: JSONView?
        for member in message.members {
            switch member.key {
            case let key where key.isString(Names.jsonrpc): version = member.value
            case let key where key.isString(Names.id): id = member.value
            case let key where key.isString(Names.method): method = member.value
            case let key where key.isString(Names.params): params = member.value
            default: break
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
        guard let name = method?.string else { throw refuse(.invalidRequest, "'method' must be a string") }
        self.idView = id
        self.method = name
        self.params = params?.isNull == true ? nil : params
    }

    private enum Names {
        static let jsonrpc: StaticString = "jsonrpc"
        static let version: StaticString = "2.0"
        static let id: StaticString = "id"
        static let method: StaticString = "method"
        static let params: StaticString = "params"
    }
}
