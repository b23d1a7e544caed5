/// The kinds of JSON values (RFC 8259, section 3).
@frozen public enum JSONKind: UInt8, Equatable, Sendable {
    case null, `true`, `false`, number, string, array, object
}

/// One value of a parsed JSON text. It contains the byte range of the value and the index of the value that follows.
///
/// The nodes of a JSON text form one array, in the order in which the values start. In an object, keys and values
/// alternate.
@frozen public struct JSONNode: Equatable, Sendable {
    @usableFromInline let start: UInt32
    @usableFromInline var end: UInt32
    /// The index of the first node after this value and its content. During parsing, an unfinished array or object
    /// stores the index of its parent here.
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

        /// Marks a string that contains an escape sequence.
        @inlinable static var escaped: Flags { Flags(rawValue: 1) }
        /// Marks a string that contains a byte outside ASCII.
        @inlinable static var nonASCII: Flags { Flags(rawValue: 2) }
    }
}

/// The nodes of a JSON text during parsing. The memory is managed manually, so that `append` is fast: it checks only
/// the capacity.
struct JSONNodes {
    private(set) var base: UnsafeMutablePointer<JSONNode>
    private(set) var count = 0
    private var capacity: Int

    /// Allocates memory for nodes, without adding any. The owner must call `deallocate`.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    func deallocate() { base.deallocate() }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ node: JSONNode) {
        if count == capacity { grow() }
        // A node consists of plain bytes, so it needs no deinitialization.
        (base + count).initialize(to: node)
        count &+= 1
    }

    /// Records the end of an array or object: its end offset and the index of the next node. Returns the index of the
    /// enclosing array or object.
    // Until then, `next` has contained the index of the parent.
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
