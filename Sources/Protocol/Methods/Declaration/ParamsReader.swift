import JSON

/// The params of one request, to be read by a `ParameterList`. An absent parameter and a `null` are the same.
public struct ParamsReader {
    let params: JSONView?
    /// Names that are read by somebody else: those of a resource's scope.
    private var passed: [String] = []
    /// Whether the caller has checked the names of all members.
    private var isChecked = false

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

    /// Params that are members of an object whose names the caller has checked. Members that a method does not know are
    /// ignored.
    public init(checked params: JSONView?) {
        self.params = params
        isChecked = true
    }

    /// The same, without names that somebody else reads.
    public func passing(_ names: [String]) -> ParamsReader {
        var reader = self
        reader.passed = names
        return reader
    }

    /// The value of a name that a catalog gives; nil where it is absent or `null`.
    public func value(of name: String) -> JSONView? { params?[name].flatMap { $0.isNull ? nil : $0 } }

    /// The params as they came; nil for none.
    public var view: JSONView? { params }

    /// The params as JSON, kept beyond the call; nil for none.
    public var copy: [UInt8]? {
        params.map { view in
            var writer = JSONWriter()
            writer.value(view)
            return writer.bytes
        }
    }

    /// Under what the client wants to hear of the request's progress; nil where it does not. Any request may carry it
    /// (LSP, section "Work Done Progress").
    ///
    /// - Throws: `invalidParams` for what cannot be a token.
    public func progressToken() throws(RPCError) -> ProgressToken? { try Parameters.workDoneToken.value(in: params) }

    /// The same in the Model Context Protocol: the `progressToken` in `_meta`.
    ///
    /// - Throws: `invalidParams` for what cannot be a token.
    public func metaProgressToken() throws(RPCError) -> ProgressToken? {
        guard let token = params?["_meta" as StaticString]?["progressToken" as StaticString], !token.isNull else {
            return nil
        }
        guard let token = ProgressToken(token) else {
            throw RPCError(.invalidParams, "'_meta.progressToken' must be a string or an integer")
        }
        return token
    }

    /// The value of a parameter where it is all that there is; nil where there is more, or less, or it is `null`.
    func only<Value>(_ parameter: Parameter<Value>) throws(RPCError) -> Value? {
        guard let params else { return nil }
        var members = params.members
        guard passed.isEmpty, let member = members.next(), members.next() == nil, member.key.isString(parameter.name)
        else {
            return nil
        }
        return try parameter.value(of: member.value)
    }

    /// Refuses names that the method does not know; a misspelt `cachePolicy` must not pass for none.
    func allow(_ names: [StaticString]) throws(RPCError) {
        guard let params, !isChecked else { return }
        for member in params.members where !names.contains(where: { member.key.isString($0) }) {
            try allow(member.key, names: names.map { "\($0)" })
        }
    }

    /// The same with all names, also those that somebody else reads.
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
