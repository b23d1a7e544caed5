import JSON

/// One named parameter: what it is called, what it takes, and how it is read.
public struct Parameter<Value: Sendable>: Sendable {
    /// The name in `params`.
    public let name: StaticString
    /// What is expected, as it completes "must be …".
    public let expected: String
    let read: @Sendable (JSONView) -> Value?

    init(_ name: StaticString, _ expected: String, read: @escaping @Sendable (JSONView) -> Value?) {
        self.name = name
        self.expected = expected
        self.read = read
    }
}

/// The params of one request, read by name. An absent parameter and a `null` are the same.
public struct ParamsReader {
    /// Any request may carry it (LSP, section "Work Done Progress").
    private static let workDoneToken: StaticString = "workDoneToken"

    private let params: JSONView?

    /// The params as they came; nil for none.
    ///
    /// - Throws: `invalidParams` for anything but an object: params are named.
    public init(_ params: JSONView?) throws(RPCError) {
        guard let params, params.kind != .object else {
            self.params = params
            return
        }
        throw RPCError(.invalidParams, "params must be an object with named members")
    }

    /// The value of a parameter, or nil where it is absent.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    public func optional<Value>(_ parameter: Parameter<Value>) throws(RPCError) -> Value? {
        guard let view = params?[parameter.name], !view.isNull else { return nil }
        guard let value = parameter.read(view) else {
            throw RPCError(.invalidParams, "'\(parameter.name)' must be \(parameter.expected)")
        }
        return value
    }

    /// The value of a parameter that must be there.
    ///
    /// - Throws: `invalidParams` that names the parameter and what was expected.
    public func required<Value>(_ parameter: Parameter<Value>) throws(RPCError) -> Value {
        guard let value = try optional(parameter) else {
            throw RPCError(.invalidParams, "'\(parameter.name)' is missing: it must be \(parameter.expected)")
        }
        return value
    }

    /// Under what the client wants to hear of the request's progress; nil where it does not.
    ///
    /// - Throws: `invalidParams` for what cannot be a token.
    public func progressToken() throws(RPCError) -> ProgressToken? { try optional(Parameters.workDoneToken) }

    /// Refuses names that the method does not know; a misspelt `cachePolicy` must not pass for none.
    public func allow(_ names: [StaticString]) throws(RPCError) {
        guard let params else { return }
        for member in params.members {
            let isKnown = names.contains { member.key.isString($0) } || member.key.isString(Self.workDoneToken)
            if !isKnown {
                let known = names.map { "'\($0)'" }.joined(separator: ", ")
                throw RPCError(
                    .invalidParams,
                    "unknown parameter '\(member.key.string ?? "")': "
                        + (names.isEmpty ? "this method takes none" : "this method takes \(known)"))
            }
        }
    }
}
