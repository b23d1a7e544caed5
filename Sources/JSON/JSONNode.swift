/// The kinds of a JSON value (RFC 8259, section 3).
@frozen public enum JSONKind: UInt8, Equatable, Sendable {
    case null, `true`, `false`, number, string, array, object
}

/// One value of a parsed text: where its bytes are and where the value after it stands.
///
/// The nodes of a text lie in one array in the order of the text. An object's children are key, value, key, value;
/// a container's `next` skips its whole content, so that a value is passed over in one step.
@frozen public struct JSONNode: Equatable, Sendable {
    @usableFromInline let start: UInt32
    @usableFromInline var end: UInt32
    /// Index of the first node behind this value; while a container is open, the index of its parent.
    @usableFromInline var next: UInt32
    @usableFromInline let kind: JSONKind
    @usableFromInline let flags: Flags

    @inlinable
    init(start: UInt32, end: UInt32, next: UInt32, kind: JSONKind, flags: Flags) {
        self.start = start
        self.end = end
        self.next = next
        self.kind = kind
        self.flags = flags
    }

    @usableFromInline
    @frozen struct Flags: OptionSet, Equatable, Sendable {
        @usableFromInline let rawValue: UInt8

        @inlinable
        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The string has a backslash.
        @inlinable static var escaped: Flags { Flags(rawValue: 1) }
        /// The string has a byte outside ASCII.
        @inlinable static var nonASCII: Flags { Flags(rawValue: 2) }
    }
}

/// The nodes of a text while it is parsed, in memory of their own: to append one costs no check but that of the room.
struct JSONNodes {
    private(set) var base: UnsafeMutablePointer<JSONNode>
    private(set) var count = 0
    private var capacity: Int

    /// No nodes, and room for some. Whoever made it must `deallocate` it.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    func deallocate() { base.deallocate() }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ node: JSONNode) {
        if count == capacity { grow() }
        // A node is plain bytes: nothing has to be deinitialised before or after.
        (base + count).initialize(to: node)
        count &+= 1
    }

    /// Notes where a container ends, and what follows it. Returns its parent, which stood in `next` until then.
    @inline(__always)
    mutating func close(_ container: UInt32, end: Int) -> UInt32 {
        let node = base + Int(container)
        let parent = node.pointee.next
        node.pointee.end = UInt32(truncatingIfNeeded: end)
        node.pointee.next = UInt32(truncatingIfNeeded: count)
        return parent
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
