import JSON

/// An error as a reply carries it (JSON-RPC 2.0, section 5.1).
public struct RPCError: Error, Equatable, Sendable {
    /// What kind of error it is.
    public var code: Code
    /// It in one sentence, for a person.
    public var message: String
    /// What a program may want to know of it.
    public var data: JSONObject

    /// An error.
    public init(_ code: Code, _ message: String, data: JSONObject = JSONObject()) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// The codes: JSON-RPC's and LSP's own, and Larder's outside the reserved range.
    public enum Code: Int, CaseIterable, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case requestCancelled = -32800
        case apiInvalidRequest = -31001
        case invalidResponse = -31002
        case notFound = -31003
        case serverError = -31004
        case decodingFailed = -31005
        case unauthorized = -31006
        case rateLimited = -31007
        case network = -31008
        case timeout = -31009
        case notCached = -31010
        case busy = -31011
        case tooLarge = -31012
    }

    /// Writes `{"code", "message", "data"}`; `data` is left out when there is none.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.integer(code.rawValue)
        writer.key("message")
        writer.string(message)
        if !data.members.isEmpty {
            writer.key("data")
            writer.value(.object(data))
        }
        writer.endObject()
    }
}
