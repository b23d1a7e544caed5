/// One value of a parsed JSON text. Most accessors copy nothing.
///
/// A view points into the JSON text and its nodes. It is therefore valid only inside the closure that receives it.
@frozen public struct JSONView {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline let nodes: UnsafeBufferPointer<JSONNode>
    @usableFromInline let index: Int

    @inlinable
    init(bytes: UnsafeRawBufferPointer, nodes: UnsafeBufferPointer<JSONNode>, index: Int) {
        self.bytes = bytes
        self.nodes = nodes
        self.index = index
    }

    @inlinable var node: JSONNode {
        index < nodes.count ? nodes[index] : JSONNode(start: 0, end: 0, next: 1, kind: .null, flags: [])
    }

    @inlinable
    public var kind: JSONKind { node.kind }

    /// The byte offset of the value in the JSON text, counted from 0.
    public var offset: Int { Int(node.start) }

    /// The bytes of the value as written in the JSON text, including the quotes of a string.
    @inlinable
    public var token: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)])
    }

    @inlinable
    public var isNull: Bool { node.kind == .null }

    /// The members of an object in the order of the JSON text; empty for other kinds of values.
    @inlinable
    public var members: Members { Members(container: node.kind == .object ? self : nil) }

    /// The elements of an array; empty for other kinds of values.
    @inlinable
    public var elements: Elements { Elements(container: node.kind == .array ? self : nil) }

    /// The value of an object's member. If the key occurs several times, the last value is used, as most JSON parsers
    /// do.
    public subscript(key: String) -> JSONView? {
        var key = key
        return key.withUTF8 { wanted in
            var found: JSONView?
            for member in members where member.key.isString(wanted) { found = member.value }
            return found
        }
    }

    /// The value of an object's member. This variant accepts only constant names, and is therefore faster.
    @inlinable
    public subscript(key: StaticString) -> JSONView? {
        var found: JSONView?
        for member in members where member.key.isString(key) { found = member.value }
        return found
    }

    /// Whether the value is a string equal to `text`. Strings are compared scalar by scalar (RFC 8259, section 8.3), so
    /// a composed and a decomposed accent differ.
    public func isString(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isString($0) }
    }

    private func isString(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        guard node.kind == .string else { return false }
        return node.flags.contains(.escaped) ? unescaped().elementsEqual(wanted) : isContents(wanted)
    }

    /// Whether the value is a string equal to `text`. This variant accepts only constant strings, and is therefore
    /// faster.
    @inlinable @inline(__always)
    public func isString(_ text: StaticString) -> Bool {
        guard node.kind == .string else { return false }
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return node.flags.contains(.escaped) ? isUnescaped(wanted) : isContents(wanted)
    }

    /// The bytes of a string that contains no escapes; nil for any other value.
    @inlinable
    public var plainContents: UnsafeRawBufferPointer? {
        node.kind == .string && !node.flags.contains(.escaped) ? contents : nil
    }

    /// Whether the value is a string without escapes that consists of the given bytes.
    @inlinable
    public func isPlain(_ text: [UInt8]) -> Bool {
        guard node.kind == .string, !node.flags.contains(.escaped) else { return false }
        return text.withUnsafeBufferPointer { isContents($0) }
    }

    /// Whether the bytes between the quotes of a string equal the given bytes.
    // The function compares several bytes at a time, and the last comparison may overlap the previous one.
    @inlinable @inline(__always)
    func isContents(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = Int(node.end) &- Int(node.start) &- 2
        guard count == wanted.count else { return false }
        guard let right = UnsafeRawPointer(wanted.baseAddress), let left = bytes.baseAddress else { return count <= 0 }
        return Self.isEqual(left + Int(node.start) + 1, right, count)
    }

    @inlinable @inline(__always)
    static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        if count >= 8 {
            var offset = 0
            while offset < count &- 8 {
                if left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                {
                    return false
                }
                offset &+= 8
            }
            return left.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        }
        if count >= 4 {
            return left.loadUnaligned(as: UInt32.self) == right.loadUnaligned(as: UInt32.self)
                && left.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
                    == right.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
        }
        var offset = 0
        while offset < count {
            if left.load(fromByteOffset: offset, as: UInt8.self) != right.load(fromByteOffset: offset, as: UInt8.self) {
                return false
            }
            offset &+= 1
        }
        return true
    }

    /// The value of a string with its escapes resolved; nil for other kinds of values.
    public var string: String? {
        guard node.kind == .string else { return nil }
        return node.flags.contains(.escaped)
            ? String(decoding: unescaped(), as: UTF8.self) : String(decoding: contents, as: UTF8.self)
    }

    /// Returns the beginning of a string with its escapes resolved; nil for other kinds of values.
    ///
    /// - Parameter count: the maximum number of UTF-8 bytes. The end never splits a scalar.
    public func string(atMost count: Int) -> String? {
        guard node.kind == .string else { return nil }
        let bytes = node.flags.contains(.escaped) ? unescaped(atMost: count + 4) : Array(contents.prefix(count + 4))
        guard bytes.count > count else { return String(decoding: bytes, as: UTF8.self) }
        // A continuation byte never starts a scalar.
        var end = max(0, count)
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// The digits of a number, as written in the JSON text; nil for other kinds of values.
    public var number: String? {
        node.kind == .number ? String(decoding: token, as: UTF8.self) : nil
    }

    /// The value of an integer that fits into `Int`; nil for other kinds of values, and for `1.0` or `1e3`.
    public var integer: Int? {
        guard node.kind == .number else { return nil }
        return number.flatMap { Int($0) }
    }

    /// Whether the value is a number without a fraction or an exponent. The number can be too large for `Int`.
    package var isInteger: Bool {
        node.kind == .number
            && token.allSatisfy { $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The nearest `Double` of a number; nil for other kinds of values.
    public var double: Double? { number.flatMap { Double($0) } }

    /// The value of `true` or `false`; nil for other kinds of values.
    public var bool: Bool? {
        switch node.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// Whether the string contains only ASCII characters and no escapes, so that a writer can copy its bytes.
    var isPlainString: Bool { node.flags.isEmpty }

    /// The bytes between the quotes of a string, with unresolved escapes.
    @inlinable
    var contents: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(node.start) + 1..<max(Int(node.start) + 1, Int(node.end) - 1)])
    }
}

extension JSONView {
    /// The members of an object, in the order of the JSON text.
    @frozen public struct Members: Sequence, IteratorProtocol {
        @usableFromInline let view: JSONView?
        @usableFromInline var index: Int
        @usableFromInline let end: Int

        @inlinable
        init(container: JSONView?) {
            view = container
            index = (container?.index ?? 0) + 1
            end = container.map { Int($0.nodes[$0.index].next) } ?? 0
        }

        @inlinable
        public mutating func next() -> (key: JSONView, value: JSONView)? {
            guard let view, index < end else { return nil }
            let key = JSONView(bytes: view.bytes, nodes: view.nodes, index: index)
            let value = JSONView(bytes: view.bytes, nodes: view.nodes, index: index + 1)
            index = Int(view.nodes[index + 1].next)
            return (key, value)
        }
    }

    /// The elements of an array, in the order of the JSON text.
    @frozen public struct Elements: Sequence, IteratorProtocol {
        @usableFromInline let view: JSONView?
        @usableFromInline var index: Int
        @usableFromInline let end: Int

        @inlinable
        init(container: JSONView?) {
            view = container
            index = (container?.index ?? 0) + 1
            end = container.map { Int($0.nodes[$0.index].next) } ?? 0
        }

        @inlinable
        public mutating func next() -> JSONView? {
            guard let view, index < end else { return nil }
            defer { index = Int(view.nodes[index].next) }
            return JSONView(bytes: view.bytes, nodes: view.nodes, index: index)
        }
    }
}

extension JSONView {
    /// Returns the UTF-8 bytes of a string, with escapes resolved.
    ///
    /// - Parameter count: the number of bytes after which the conversion stops. The result can be a few bytes longer.
    // The parser has already checked the escapes.
    func unescaped(atMost count: Int = .max) -> [UInt8] {
        let contents = contents
        var out: [UInt8] = []
        out.reserveCapacity(min(contents.count, count))
        var at = 0
        while at < contents.count, out.count < count {
            guard contents[at] == UInt8(ascii: "\\") else {
                out.append(contents[at])
                at += 1
                continue
            }
            let letter = contents[at + 1]
            at += 2
            switch letter {
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = Self.unit(contents, at)
                at += 4
                if scalar & 0xF800 == 0xD800 {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + Self.unit(contents, at + 2) & 0x3FF
                    at += 6
                }
                out.append(contentsOf: Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) } ?? [])
            default: out.append(letter)
            }
        }
        return out
    }

    /// Whether a string with escapes equals the given bytes after its escapes are resolved.
    @usableFromInline
    func isUnescaped(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool { unescaped().elementsEqual(wanted) }

    /// Converts offsets in the decoded string to offsets in the JSON text. An offset inside an escaped character
    /// becomes the start of the escape.
    ///
    /// - Parameter targets: offsets in the string's decoded UTF-8, in ascending order. The end offset of the string
    ///   becomes the offset of the closing quote.
    public func offsets(ofBytes targets: [Int]) -> [Int] {
        let contents = contents
        var (at, done) = (0, 0)
        return targets.map { target in
            while at < contents.count, done < target {
                let (length, count) = Self.step(contents, at)
                // Each byte of an escaped character gets the offset of the escape.
                if count > 1, done + count > target { break }
                at += length
                done += count
            }
            return offset + 1 + at
        }
    }

    /// Returns two byte counts for the next character or escape in a JSON string: its length in the JSON text, and its
    /// length in UTF-8.
    private static func step(_ contents: UnsafeRawBufferPointer, _ at: Int) -> (length: Int, count: Int) {
        guard contents[at] == UInt8(ascii: "\\") else { return (1, 1) }
        guard contents[at + 1] == UInt8(ascii: "u") else { return (2, 1) }
        let unit = unit(contents, at + 2)
        if unit & 0xF800 == 0xD800 { return (12, 4) }
        return (6, unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3)
    }

    private static func unit(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 4 | UInt32(hexDigit(bytes[at + $1]) ?? 0) }
    }
}
