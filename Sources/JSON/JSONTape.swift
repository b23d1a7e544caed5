/// The kinds of a JSON value (RFC 8259, section 3).
public enum JSONKind: UInt8, Equatable, Sendable {
    case null, `true`, `false`, number, string, array, object
}

/// One value of a parsed text: where its bytes are and where the value after it stands.
///
/// The nodes of a text lie in one array in the order of the text. An object's children are key, value, key, value;
/// a container's `next` skips its whole content, so that a value is passed over in one step.
public struct JSONNode: Equatable, Sendable {
    let start: UInt32
    var end: UInt32
    /// Index of the first node behind this value; while a container is open, the index of its parent.
    var next: UInt32
    let kind: JSONKind
    let flags: Flags

    struct Flags: OptionSet, Equatable, Sendable {
        let rawValue: UInt8
        /// The string has a backslash.
        static let escaped = Flags(rawValue: 1)
        /// The string has a byte outside ASCII.
        static let nonASCII = Flags(rawValue: 2)
    }
}

/// The reusable result of parsing: the nodes of one text. Parse again to reuse its memory.
public struct JSONTape: Equatable, Sendable {
    var nodes: [JSONNode] = []

    /// An empty tape.
    public init() {}

    /// Validates `bytes` as one JSON text and notes its values; what was noted before is forgotten. After a fault the
    /// tape is empty: the values that a refused text began with have no ends to go by.
    ///
    /// - Throws: `JSONFault` at the first byte that is not JSON.
    public mutating func parse(
        _ bytes: UnsafeRawBufferPointer, as dialect: JSONDialect = .json
    ) throws(JSONFault) {
        nodes.removeAll(keepingCapacity: true)
        var parser = JSONParser(bytes, dialect: dialect)
        do throws(JSONFault) {
            try parser.parse(into: &nodes)
        } catch {
            nodes.removeAll(keepingCapacity: true)
            throw error
        }
    }

    /// Calls `body` with the root value. The view is valid during the call only.
    ///
    /// `bytes` must be the bytes that were parsed last. An empty tape gives the view of a null.
    public func withRoot<Result, Failure: Error>(
        in bytes: UnsafeRawBufferPointer, _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withView(of: 0, in: bytes, body)
    }

    func withView<Result, Failure: Error>(
        of index: Int, in bytes: UnsafeRawBufferPointer, _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try nodes.withUnsafeBufferPointer { (nodes) throws(Failure) in
            try body(JSONView(bytes: bytes, nodes: nodes, index: index))
        }
    }
}

/// Which texts are accepted.
public enum JSONDialect: Equatable, Sendable {
    /// RFC 8259, strictly.
    case json
    /// JSON with `//` and `/* */` comments and trailing commas, as editors' settings files have it.
    case jsonc
}
