import JSON

/// The error in a reply (JSON-RPC 2.0, section 5.1).
public struct RPCError: Error, Equatable, Sendable {
    public var code: Code
    /// The error message for users, in one sentence.
    public var message: String
    /// The machine-readable details of the error.
    public var data: JSONObject

    public init(_ code: Code, _ message: String, data: JSONObject = JSONObject()) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// The error codes of JSON-RPC, of LSP and of Larder. Larder's codes are outside the range that JSON-RPC reserves.
    public enum Code: Int, CaseIterable, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case requestCancelled = -32800
        /// The requested protocol version is not supported. This code and `resourceNotFound` belong to the Model
        /// Context Protocol.
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
        case notReplayed = -31013
        case notSynced = -31015
        case queryLimit = -31016
    }

    /// Writes the error as `{"code", "message", "data"}`. The object omits `data` if the error contains no details.
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
    /// The name of the error schema in the components of the OpenRPC document.
    public static let schemaName = "error"

    /// The JSON Schema of an error in a reply, and of the member `fallback` in a result.
    public static let schema = JSONSchema.object([
        .required("code", .integer), .required("message", .string), .optional("data", dataSchema),
    ])

    /// The JSON Schema of the details of an error. The member `kind` is absent only for a fault in an SQL statement.
    private static let dataSchema = JSONSchema.object([
        .optional("kind", .one(of: Code.allCases.compactMap(\.kind))), .optional("api", .string),
        .optional("resource", .string), .optional("status", .integer.described("The HTTP status of the API's answer.")),
        .optional("path", .string.described("The path of the value at fault in the body.")),
        .optional("apiMessage", .string.described("The API's own error message, at most 500 characters.")),
        .optional("retryAfter", .count.described("The number of seconds to wait before trying again.")),
        .optional("attempts", .count.described("The number of requests that were made.")),
        .optional("url", .string.described("The URL of the request, with secrets replaced.")),
        .optional("offset", .count.described("The place of the fault in the statement, in bytes.")),
        .optional("limit", .one(of: ["time", "memory"]).described("The limit that a query exceeded.")),
        .optional("tables", .array(of: .string).described("The tables without complete, recent copies.")),
        .optional(
            "calls",
            .array(of: .object([.required("method", .string), .required("params", .object)]))
                .described("The calls that would make the copies.")),
    ])
}

extension RPCError.Code {
    /// The codes that Larder defines for errors of APIs and of the cache.
    public static let own = allCases.filter { $0.rawValue > -32000 }

    /// The error codes that a method may return if it can call an API: the codes in `own`, except the two codes that
    /// only SQL queries return.
    public static let ofCalls = own.filter { $0 != .notSynced && $0 != .queryLimit }

    /// The error codes of Larder's own JSON-RPC protocol. The codes of the Model Context Protocol are excluded.
    public static let native = allCases.filter { $0 != .unsupportedVersion && $0 != .resourceNotFound }

    /// The `kind` in the details of an error; nil for the error codes of JSON-RPC and of the Model Context Protocol.
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
        case .notReplayed: "notReplayed"
        case .notSynced: "notSynced"
        case .queryLimit: "queryLimit"
        }
    }

    /// The meaning of the error code, in one sentence.
    public var meaning: String {
        switch self {
        case .parseError: "The message is not JSON."
        case .invalidRequest: "The message is not a request, is too long, is an empty batch, or follows a shutdown."
        case .methodNotFound: "The method does not exist."
        case .invalidParams: "A parameter is missing, wrong or unknown."
        case .internalError: "An internal error occurred, or the file of recent searches is unusable."
        case .requestCancelled: "The request was cancelled, or not finished before the server exited."
        case .unsupportedVersion: "This version of the Model Context Protocol is not supported."
        case .resourceNotFound: "This resource of the Model Context Protocol does not exist."
        case .apiInvalidRequest: "The request cannot be built, or the API answered 400 or 422."
        case .invalidResponse: "The answer is unreadable or empty, or has an invalid URL, GraphQL errors or no data."
        case .notFound: "The item does not exist, or the page is past the end of the list."
        case .serverError: "The API answered with another error status."
        case .decodingFailed: "The body of the API's answer does not match the catalog."
        case .unauthorized: "The API answered 401 or 403."
        case .rateLimited: "The API answered 429, or the catalog's rateLimit leaves no time for the request."
        case .network: "The API cannot be reached, or the connection broke."
        case .timeout: "The API did not answer within its timeout."
        case .notCached: "Nothing is cached, and the policy forbids a request."
        case .busy: "Too many calls wait for APIs, the memory for answers is used up, or no thread can be started."
        case .tooLarge: "The body of the API's answer is larger than its maxBodySize."
        case .notReplayed: "With --replay, there is no cassette for the request, or the cassettes are unreadable."
        case .notSynced: "A table of the query has no complete, recent copy of its lists."
        case .queryLimit: "A query exceeded its time or its memory."
        }
    }
}
