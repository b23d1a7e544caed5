import JSON

/// The id of a request (JSON-RPC 2.0, section 4): a string, a number or null.
///
/// It is stored as the JSON for the reply: a number as written, a string in the writer's form. So 1, "1" and 1.0 are
/// different ids.
public struct RequestID: Hashable, Sendable {
    /// The id as JSON.
    public let json: [UInt8]

    /// Reads an id. Returns nil for a value that cannot be one.
    public init?(_ view: JSONView) {
        guard Self.isID(view) else { return nil }
        var writer = JSONWriter()
        writer.value(view)
        json = writer.bytes
    }

    /// Returns whether a value can be an id.
    static func isID(_ view: JSONView) -> Bool {
        switch view.kind {
        case .string, .number, .null: true
        case .true, .false, .array, .object: false
        }
    }

    private init(json: [UInt8]) { self.json = json }

    /// The id of a reply to a message without a readable id.
    public static let null = RequestID(json: Array("null".utf8))
}

/// The token for progress notifications of a request: a string or an integer that the client chose (LSP,
/// `ProgressToken`).
public struct ProgressToken: Equatable, Sendable {
    public let json: [UInt8]

    init?(_ view: JSONView) {
        guard view.kind == .string || view.integer != nil else { return nil }
        var writer = JSONWriter()
        writer.value(view)
        json = writer.bytes
    }
}
