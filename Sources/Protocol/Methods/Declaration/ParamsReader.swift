import JSON

/// Reads the params of one request. The value `null` and an absent parameter are equivalent.
public struct ParamsReader {
    let params: JSONView?
    /// The names of additional parameters that the reader does not reject, such as the names of scope values. Other
    /// code has read these parameters already.
    private var passed: [String] = []
    /// Whether the caller has already checked the names of all parameters.
    private var isChecked = false

    /// Creates a reader of a request's params. `params` is nil for a request without params.
    ///
    /// - Throws: `invalidParams` if the params are not an object, because all params have names.
    public init(_ params: JSONView?) throws(RPCError) {
        guard let params, params.kind != .object else {
            self.params = params
            return
        }
        throw RPCError(.invalidParams, "'params' must be an object with named members")
    }

    /// Creates a reader for params whose names the caller has already checked. The reader ignores unknown names.
    public init(checked params: JSONView?) {
        self.params = params
        isChecked = true
    }

    /// Returns a reader that also accepts parameters with the given names.
    // Other code reads these parameters.
    public func passing(_ names: [String]) -> ParamsReader {
        var reader = self
        reader.passed = names
        return reader
    }

    /// Returns the value of a parameter that a catalog declares; nil if the value is absent or `null`.
    public func value(of name: String) -> JSONView? { params?[name].flatMap { $0.isNull ? nil : $0 } }

    /// A JSON view of the params; nil for a request without params.
    public var view: JSONView? { params }

    /// A copy of the params as JSON bytes; nil for a request without params.
    public var copy: [UInt8]? {
        params.map { view in
            var writer = JSONWriter()
            writer.value(view)
            return writer.bytes
        }
    }

    /// Returns the token for progress notifications; nil if the client wants no notifications. Any request may contain
    /// a token (LSP, section "Work Done Progress").
    ///
    /// - Throws: `invalidParams` for a value that is not a valid token.
    public func progressToken() throws(RPCError) -> ProgressToken? { try Parameters.workDoneToken.value(in: params) }

    /// Returns the token for progress notifications of the Model Context Protocol: the `progressToken` in `_meta`.
    ///
    /// - Throws: `invalidParams` for a value that is not a valid token.
    public func metaProgressToken() throws(RPCError) -> ProgressToken? {
        guard let token = params?["_meta" as StaticString]?["progressToken" as StaticString], !token.isNull else {
            return nil
        }
        guard let token = ProgressToken(token) else {
            throw RPCError(.invalidParams, "'_meta.progressToken' must be a string or an integer")
        }
        return token
    }

    /// Returns the value of a parameter, if the request contains no other parameter. Otherwise returns nil.
    // Also returns nil for `null`.
    func only<Value>(_ parameter: Parameter<Value>) throws(RPCError) -> Value? {
        guard let params else { return nil }
        var members = params.members
        guard passed.isEmpty, let member = members.next(), members.next() == nil, member.key.isString(parameter.name)
        else {
            return nil
        }
        return try parameter.value(of: member.value)
    }

    /// Rejects unknown parameter names. Otherwise a method would ignore a misspelt name such as `cachePolcy`.
    func allow(_ names: [StaticString]) throws(RPCError) {
        guard let params, !isChecked else { return }
        for member in params.members where !names.contains(where: { member.key.isString($0) }) {
            try allow(member.key, names: names.map { "\($0)" })
        }
    }

    /// Throws an error if the request contains an unknown parameter. Known parameters are `names`, the names that
    /// `passing(_:)` has added, and `workDoneToken`.
    public func allow(_ names: [String]) throws(RPCError) {
        guard let params else { return }
        for member in params.members { try allow(member.key, names: names) }
    }

    private func allow(_ key: JSONView, names: [String]) throws(RPCError) {
        let known = passed + names
        if key.isString(Parameters.workDoneToken.name) || known.contains(where: { key.isString($0) }) { return }
        throw RPCError(
            .invalidParams,
            "unknown parameter '\(key.string ?? "")': "
                + (names.isEmpty
                    ? "this method takes none"
                    : "this method takes \(known.map { "'\($0)'" }.joined(separator: ", "))"))
    }
}
