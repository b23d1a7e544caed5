import JSON

/// The params of `recents/list` and `recents/clear`: `{"scope"?}`.
public struct RecentsScopeParams: MethodParams, Equatable, Sendable {
    fileprivate static let standard = "default"
    fileprivate static let scope = Parameter(
        "scope", "a string", "The name of the list of searches.", schema: .string.byDefault(.string(standard))
    ) { $0.string }

    public static let declared = ParameterList(scope.optional)

    /// The name of the list of recent searches.
    public let scope: String

    public init(_ reader: ParamsReader) throws(RPCError) {
        scope = try Self.declared.read(reader) ?? Self.standard
    }
}

/// The params of `recents/add` and `recents/remove`: `{"text", "scope"?}`.
public struct RecentsTextParams: MethodParams, Equatable, Sendable {
    private static let text = Parameter(
        "text", "a string that is not blank", "The text of the search.", schema: .string(pattern: notBlank)
    ) { view in
        view.string.flatMap { $0.unicodeScalars.contains { !$0.properties.isWhitespace } ? $0 : nil }
    }

    /// A regular expression for a character that is not white space (the Unicode property White_Space).
    // `\S` is not used, because its meaning differs between the regular expressions of programming languages.
    private static let notBlank =
        #"[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"#

    public static let declared = ParameterList(text.required, RecentsScopeParams.scope.optional)

    public let text: String
    /// The name of the list of recent searches.
    public let scope: String

    public init(_ reader: ParamsReader) throws(RPCError) {
        let (text, scope) = try Self.declared.read(reader)
        self.text = text
        self.scope = scope ?? RecentsScopeParams.standard
    }
}

/// The result of every `recents/` method: `{"recents": ["newest", ...]}`.
public struct RecentsResult: RPCResult, Equatable {
    public static let schema = JSONSchema.object([
        .required("recents", .array(of: .string).described("The searches, newest first."))
    ])

    /// The recent searches, newest first.
    public let recents: [String]

    public init(recents: [String]) { self.recents = recents }

    public func write(to writer: inout JSONWriter) {
        writer.value(["recents": .array(recents.map { .string($0) })])
    }
}
