/// The nodes of one parsed JSON text. A tape can be used again for further JSON texts, without allocating new memory.
public struct JSONTape: Equatable, Sendable {
    /// An object that owns the memory of a tape's nodes. Copies of a tape share this object until one of them parses
    /// another JSON text.
    // Safe: the nodes change only while a single tape holds them, see `parse`.
    private final class Storage: @unchecked Sendable {
        var nodes: JSONNodes

        init(capacity: Int) { nodes = JSONNodes(capacity: capacity) }

        deinit { nodes.deallocate() }
    }

    private var storage: Storage?

    public init() {}

    /// Parses `bytes` as one JSON text and replaces the previous nodes. If parsing fails, the tape contains no nodes.
    ///
    /// - Throws: `JSONFault` at the first byte that is not JSON.
    public mutating func parse(
        _ bytes: UnsafeRawBufferPointer, as dialect: JSONDialect = .json
    ) throws(JSONFault) {
        try parse(bytes, as: dialect, from: 0)
    }

    /// Parses the JSON text that starts at a byte offset, and ignores the bytes before this offset. If parsing fails,
    /// the tape contains no nodes.
    mutating func parse(
        _ bytes: UnsafeRawBufferPointer, as dialect: JSONDialect, from start: Int
    ) throws(JSONFault) {
        let storage = ownStorage(for: bytes.count)
        var parser = JSONParser(bytes, dialect: dialect, nodes: storage.nodes, from: start)
        parser.nodes.removeAll()
        defer { storage.nodes = parser.nodes }
        do throws(JSONFault) {
            try parser.parse()
        } catch {
            parser.nodes.removeAll()
            throw error
        }
    }

    /// Returns a storage object that belongs only to this tape. If the tape has none, or shares it with a copy of the
    /// tape, first creates a new one.
    private mutating func ownStorage(for size: Int) -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        // A JSON text contains about one value for each eight bytes. More values make the storage grow.
        let storage = Storage(capacity: size / 8 + 8)
        self.storage = storage
        return storage
    }

    /// Calls `body` with a view of the root value. The view is valid only during the call. If no JSON text has been
    /// parsed, the view is `null`.
    ///
    /// `bytes` must be the bytes of the last parsed JSON text.
    public func withRoot<Result, Failure: Error>(
        in bytes: UnsafeRawBufferPointer, _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withView(of: 0, in: bytes, body)
    }

    @inline(__always)
    func withView<Result, Failure: Error>(
        of index: Int, in bytes: UnsafeRawBufferPointer, _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The view points into the storage, which must live until `body` returns.
        defer { withExtendedLifetime(storage) {} }
        return try body(JSONView(bytes: bytes, nodes: nodes, index: index))
    }

    /// Returns the index of the node after the value at `index`. Skips the nodes inside this value.
    func end(of index: Int) -> Int {
        defer { withExtendedLifetime(storage) {} }
        let nodes = nodes
        return nodes.indices.contains(index) ? Int(nodes[index].next) : index + 1
    }

    private var nodes: UnsafeBufferPointer<JSONNode> {
        guard let storage else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: storage.nodes.base, count: storage.nodes.count)
    }

    /// Compares the nodes of two parsed JSON texts. Does not compare the bytes of the texts.
    public static func == (left: JSONTape, right: JSONTape) -> Bool {
        defer { withExtendedLifetime((left, right)) {} }
        return left.nodes.elementsEqual(right.nodes)
    }
}

/// The variants of JSON that the parser accepts: strict JSON, or JSON with comments.
public enum JSONDialect: Equatable, Sendable {
    /// Strict JSON (RFC 8259).
    case json
    /// JSON with `//` and `/* */` comments and trailing commas, as editors use in their settings files.
    case jsonc
}
