import JSON

/// The id of a request (JSON-RPC 2.0, section 4): a string, a number or null. A number keeps its original digits, so 1
/// and 1.0 are different ids.
// A string is encoded again by Larder's JSON writer.
public struct RequestID: Hashable, Sendable {
    /// The id as JSON bytes.
    public let json: [UInt8]

    /// Reads an id. Returns nil for a value that is not a valid id.
    public init?(_ view: JSONView) {
        guard Self.isID(view) else { return nil }
        var writer = JSONWriter()
        writer.value(view)
        json = writer.bytes
    }

    /// Returns whether a value is a valid id.
    static func isID(_ view: JSONView) -> Bool {
        switch view.kind {
        case .string, .number, .null: true
        case .true, .false, .array, .object: false
        }
    }

    private init(json: [UInt8]) { self.json = json }

    /// The id `null`. Larder uses it in the reply to a message whose id cannot be read.
    public static let null = RequestID(json: Array("null".utf8))
}

/// The token for a request's progress notifications: a string or an integer that the client chose (LSP,
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
