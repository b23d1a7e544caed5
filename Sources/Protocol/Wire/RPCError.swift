import JSON

/// An error as a reply carries it (JSON-RPC 2.0, section 5.1).
public struct RPCError: Error, Equatable, Sendable {
    public var code: Code
    /// It in one sentence, for a person.
    public var message: String
    /// What a program may want to know of it.
    public var data: JSONObject

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
        /// The Model Context Protocol's, as the next one.
        case unsupportedVersion = -32022
        case resourceNotFound = -32002
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

extension RPCError {
    /// The name of the schema of errors among the document's components.
    public static let schemaName = "error"

    /// What an error looks like, in a reply and as a `fallback`.
    public static let schema = JSONSchema.object([
        .required("code", .integer), .required("message", .string), .optional("data", dataSchema),
    ])

    /// What it says for a program. Which members there are depends on what is known.
    private static let dataSchema = JSONSchema.object([
        .required("kind", .one(of: Code.allCases.compactMap(\.kind))), .optional("api", .string),
        .optional("resource", .string), .optional("status", .integer.described("The HTTP status, where one came.")),
        .optional("path", .string.described("Where in the body.")),
        .optional("apiMessage", .string.described("What the API itself says, at most 500 characters.")),
        .optional("retryAfter", .count.described("After how many seconds to try again.")),
        .optional("attempts", .count.described("How many requests were made.")),
        .optional("url", .string.described("Which one; what is secret in it is replaced.")),
    ])
}

extension RPCError.Code {
    /// Larder's own codes, outside the range that JSON-RPC reserves: the errors of APIs and cache.
    public static let own = allCases.filter { $0.rawValue > -32000 }

    /// Those of the native dialect.
    public static let native = allCases.filter { $0 != .unsupportedVersion && $0 != .resourceNotFound }

    /// The `kind` in an error's data; nil for the errors of JSON-RPC itself, and of other protocols.
    public var kind: String? {
        switch self {
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .unsupportedVersion,
            .resourceNotFound:
            nil
        case .requestCancelled: "cancelled"
        case .apiInvalidRequest: "invalidRequest"
        case .invalidResponse: "invalidResponse"
        case .notFound: "notFound"
        case .serverError: "serverError"
        case .decodingFailed: "decodingFailed"
        case .unauthorized: "unauthorized"
        case .rateLimited: "rateLimited"
        case .network: "network"
        case .timeout: "timeout"
        case .notCached: "notCached"
        case .busy: "busy"
        case .tooLarge: "tooLarge"
        }
    }

    /// When there is such an error.
    public var meaning: String {
        switch self {
        case .parseError: "The message is not JSON."
        case .invalidRequest: "It is no request, it is too long, the batch is empty, or the server was shut down."
        case .methodNotFound: "There is no such method."
        case .invalidParams: "A parameter is missing, wrong or unknown."
        case .internalError: "An internal error, or the file of recent searches cannot be used."
        case .requestCancelled: "The request was cancelled, or was not done in time at the end."
        case .unsupportedVersion: "This version of the Model Context Protocol is not spoken."
        case .resourceNotFound: "There is no such resource of the Model Context Protocol."
        case .apiInvalidRequest: "The request cannot be built, or the API says 400 or 422."
        case .invalidResponse: "The answer cannot be read, is empty, leads nowhere, or has GraphQL errors or no data."
        case .notFound: "There is no such item, or the page is past the end."
        case .serverError: "The API answers with another status that is no success."
        case .decodingFailed: "The body is not of the declared shape."
        case .unauthorized: "The API says 401 or 403."
        case .rateLimited: "The API says 429, or the catalog's rateLimit leaves no time for the request."
        case .network: "The API cannot be reached, or the connection broke."
        case .timeout: "There was no answer within the API's timeout."
        case .notCached: "Nothing is cached, and the API must not be asked."
        case .busy: "Too many calls wait on APIs, answers under way leave no room, or the system gives no thread."
        case .tooLarge: "The body is larger than the API's maxBodySize."
        }
    }
}
