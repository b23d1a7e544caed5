import JSON

/// The result of every `recents/` method: `{"recents": ["newest", ...]}`.
public struct RecentsResult: RPCResult, Equatable {
    /// What it looks like.
    public static let schema = JSONSchema.object([
        .required("recents", .array(of: .string).described("The searches, newest first."))
    ])

    /// The searches, newest first.
    public let recents: [String]

    /// A result.
    public init(recents: [String]) { self.recents = recents }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) {
        writer.value(["recents": .array(recents.map { .string($0) })])
    }
}

/// The result of `cache/remove` and `cache/invalidate`: `{"removed": n}` or `{"invalidated": n}`.
public struct CountResult: RPCResult, Equatable {
    /// What was counted.
    public let name: String
    /// How many.
    public let count: Int

    /// What it looks like with this name.
    public static func schema(_ name: String) -> JSONSchema { .object([.required(name, .count)]) }

    /// A result.
    public init(_ name: String, _ count: Int) {
        self.name = name
        self.count = count
    }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) {
        writer.value(.object(JSONObject([(name, .integer(count))])))
    }
}

/// A result that is put together as a value: what is asked for rarely and is not hot.
public struct ValueResult: RPCResult, Equatable {
    /// The result.
    public let value: JSONValue

    /// A result.
    public init(_ value: JSONValue) { self.value = value }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) { writer.value(value) }
}
