/// The reusable result of parsing: the nodes of one text. Parse again to reuse its memory.
public struct JSONTape: Equatable, Sendable {
    /// Owns the memory of the nodes.
    // Safe: they change only while one tape alone holds them, see `parse`.
    private final class Storage: @unchecked Sendable {
        var nodes: JSONNodes

        init(capacity: Int) { nodes = JSONNodes(capacity: capacity) }

        deinit { nodes.deallocate() }
    }

    private var storage: Storage?

    public init() {}

    /// Validates `bytes` as one JSON text and notes its values; what was noted before is forgotten. After a fault the
    /// tape is empty: the values that a refused text began with have no ends to go by.
    ///
    /// - Throws: `JSONFault` at the first byte that is not JSON.
    public mutating func parse(
        _ bytes: UnsafeRawBufferPointer, as dialect: JSONDialect = .json
    ) throws(JSONFault) {
        try parse(bytes, as: dialect, from: 0)
    }

    /// The same from a byte on. What stands before it is left alone.
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

    /// Storage that no copy of this tape holds.
    private mutating func ownStorage(for size: Int) -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        // A text has about one value in eight bytes; one that has more makes it grow.
        let storage = Storage(capacity: size / 8 + 8)
        self.storage = storage
        return storage
    }

    /// Calls `body` with the root value. The view is valid during the call only.
    ///
    /// `bytes` must be the bytes that were parsed last. An empty tape gives the view of a null.
    public func withRoot<Result, Failure: Error>(
        in bytes: UnsafeRawBufferPointer, _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withView(of: 0, in: bytes, body)
    }

    @inline(__always)
    func withView<Result, Failure: Error>(
        of index: Int, in bytes: UnsafeRawBufferPointer, _ body: (JSONView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The view points into the storage, which must live as long.
        defer { withExtendedLifetime(storage) {} }
        return try body(JSONView(bytes: bytes, nodes: nodes, index: index))
    }

    /// The index of the first node behind a value.
    func end(of index: Int) -> Int {
        defer { withExtendedLifetime(storage) {} }
        let nodes = nodes
        return nodes.indices.contains(index) ? Int(nodes[index].next) : index + 1
    }

    private var nodes: UnsafeBufferPointer<JSONNode> {
        guard let storage else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: storage.nodes.base, count: storage.nodes.count)
    }

    /// Equal where the nodes are.
    public static func == (left: JSONTape, right: JSONTape) -> Bool {
        defer { withExtendedLifetime((left, right)) {} }
        return left.nodes.elementsEqual(right.nodes)
    }
}

/// Which texts are accepted.
public enum JSONDialect: Equatable, Sendable {
    /// RFC 8259, strictly.
    case json
    /// JSON with `//` and `/* */` comments and trailing commas, as editors' settings files have it.
    case jsonc
}
