/// A strict RFC 8259 parser over bytes, without recursion.
///
/// The parser rejects invalid UTF-8 and escaped lone surrogates, which other parsers may misread. It also rejects
/// arrays and objects that are nested deeper than `maxDepth`.
// Invalid UTF-8 includes overlong forms and encoded surrogates.
struct JSONParser {
    /// The maximum nesting depth of arrays and objects.
    static let maxDepth = 512
    private static let noParent = UInt32.max

    private let bytes: UnsafeRawBufferPointer
    private let dialect: JSONDialect
    var nodes: JSONNodes
    private var at: Int
    private var depth = 0

    /// Creates a parser. The JSON text starts at the byte offset `start`.
    init(_ bytes: UnsafeRawBufferPointer, dialect: JSONDialect, nodes: JSONNodes, from start: Int) {
        self.bytes = bytes
        self.dialect = dialect
        self.nodes = nodes
        at = start
    }

    /// Reads one JSON text.
    // The parser needs no stack, because each array or object that is not complete yet stores the index of its parent
    // in `next`.
    mutating func parse() throws(JSONFault) {
        guard bytes.count < Int(UInt32.max) else { throw JSONFault("the JSON must be smaller than 4 GiB", at: 0) }
        var parent = Self.noParent
        try skipBlanks()
        repeat {
            if try readValue(parent: parent) {
                parent = UInt32(truncatingIfNeeded: nodes.count &- 1)
                if try moveToFirst(in: parent) { continue }
                close(&parent)
            }
            try closeOrContinue(&parent)
        } while parent != Self.noParent
        try skipBlanks()
        if at < bytes.count { throw JSONFault("unexpected \(found) after the value", at: at) }
    }

    /// Reads a scalar value, or the opening bracket of an array or object. Returns whether it has read an opening
    /// bracket.
    @inline(__always)
    private mutating func readValue(parent: UInt32) throws(JSONFault) -> Bool {
        guard at < bytes.count else { throw JSONFault("expected a value, but the JSON ends", at: at) }
        let start = at
        let first = bytes[at]
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            guard depth <= Self.maxDepth else {
                throw JSONFault("nested deeper than \(Self.maxDepth) levels", at: at)
            }
            at += 1
            let kind: JSONKind = first == UInt8(ascii: "{") ? .object : .array
            nodes.append(
                JSONNode(start: UInt32(truncatingIfNeeded: start), end: 0, next: parent, kind: kind, flags: []))
            return true
        case UInt8(ascii: "\""):
            try readString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber()
            append(.number, from: start)
        case UInt8(ascii: "t"):
            try skipLiteral("true")
            append(.true, from: start)
        case UInt8(ascii: "f"):
            try skipLiteral("false")
            append(.false, from: start)
        case UInt8(ascii: "n"):
            try skipLiteral("null")
            append(.null, from: start)
        default:
            throw JSONFault("expected a value, found \(found)", at: at)
        }
        return false
    }

    /// Moves from the opening bracket of an array or object to its first value, or to its closing bracket. Returns
    /// whether there is a first value.
    @inline(__always)
    private mutating func moveToFirst(in parent: UInt32) throws(JSONFault) -> Bool {
        try skipBlanks()
        let isObject = isObject(parent)
        if at < bytes.count, bytes[at] == Self.closing(isObject) { return false }
        if isObject { try readKey() }
        return true
    }

    /// Moves from a value to the next value and closes finished arrays and objects. After the last value, sets `parent`
    /// to `noParent`.
    @inline(__always)
    private mutating func closeOrContinue(_ parent: inout UInt32) throws(JSONFault) {
        while parent != Self.noParent {
            try skipBlanks()
            let isObject = isObject(parent)
            let closing = Self.closing(isObject)
            let byte = at < bytes.count ? bytes[at] : 0
            if byte == UInt8(ascii: ",") {
                at &+= 1
                try skipBlanks()
                let endsHere = dialect == .jsonc && at < bytes.count && bytes[at] == closing
                if !endsHere {
                    if isObject { try readKey() }
                    return
                }
            } else if byte != closing {
                throw JSONFault(
                    isObject ? "expected ',' or '}', found \(found)" : "expected ',' or ']', found \(found)", at: at)
            }
            close(&parent)
        }
    }

    /// Reads the closing bracket of an array or object. The enclosing array or object becomes the new `parent`.
    @inline(__always)
    private mutating func close(_ parent: inout UInt32) {
        at &+= 1
        depth &-= 1
        parent = nodes.close(parent, end: at)
    }

    @inline(__always)
    private func isObject(_ container: UInt32) -> Bool { nodes.base[Int(container)].kind == .object }

    @inline(__always)
    private static func closing(_ isObject: Bool) -> UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    @inline(__always)
    private mutating func readKey() throws(JSONFault) {
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
            throw JSONFault("expected a key in quotes, found \(found)", at: at)
        }
        try readString()
        try skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else {
            throw JSONFault("expected ':' after the key, found \(found)", at: at)
        }
        at += 1
        try skipBlanks()
    }

    @inline(__always)
    private mutating func readString() throws(JSONFault) {
        let start = at
        let flags = try JSONString.skip(bytes, &at)
        let next = UInt32(truncatingIfNeeded: nodes.count &+ 1)
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: at), next: next,
                kind: .string, flags: flags))
    }

    @inline(__always)
    private mutating func append(_ kind: JSONKind, from start: Int) {
        let next = UInt32(truncatingIfNeeded: nodes.count &+ 1)
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: at), next: next, kind: kind,
                flags: []))
    }

    /// The description of the next byte for an error message.
    private var found: String {
        guard at < bytes.count else { return "the end of input" }
        let byte = bytes[at]
        return byte > 0x20 && byte < 0x7F
            ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
    }
}

/// Parses whitespace, literals and numbers.
extension JSONParser {
    /// Skips whitespace. If the dialect is `.jsonc`, also skips comments.
    // Returns at once if there are none, because most messages contain none between two tokens.
    @inline(__always)
    private mutating func skipBlanks() throws(JSONFault) {
        if at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: "/") { return }
        try skipBlanksAndComments()
    }

    @inline(never)
    private mutating func skipBlanksAndComments() throws(JSONFault) {
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                at += 1
            case UInt8(ascii: "/") where dialect == .jsonc:
                try skipComment()
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSONFault) {
        let start = at
        let kind = at + 1 < bytes.count ? bytes[at + 1] : 0
        at += 2
        if kind == UInt8(ascii: "/") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
        } else if kind == UInt8(ascii: "*") {
            while at + 1 < bytes.count, bytes[at] != UInt8(ascii: "*") || bytes[at + 1] != UInt8(ascii: "/") { at += 1 }
            guard at + 1 < bytes.count else { throw JSONFault("the comment is not closed with '*/'", at: start) }
            at += 2
        } else {
            throw JSONFault("expected a comment: '//' or '/*'", at: start)
        }
    }

    private mutating func skipLiteral(_ literal: StaticString) throws(JSONFault) {
        let start = at
        for index in 0..<literal.utf8CodeUnitCount {
            guard at < bytes.count, bytes[at] == literal.utf8Start[index] else {
                throw JSONFault("expected '\(literal)'", at: start)
            }
            at += 1
        }
    }

    private mutating func skipNumber() throws(JSONFault) {
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        if at < bytes.count, bytes[at] == UInt8(ascii: "0") {
            at += 1
            if isDigitNext { throw JSONFault("a number must not have leading zeros", at: at) }
        } else {
            try skipDigits()
        }
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            at += 1
            try skipDigits()
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            try skipDigits()
        }
    }

    private var isDigitNext: Bool {
        at < bytes.count && bytes[at] >= UInt8(ascii: "0") && bytes[at] <= UInt8(ascii: "9")
    }

    // A local variable holds the index, because each change of a property would be written to memory.
    private mutating func skipDigits() throws(JSONFault) {
        var index = at
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        guard index > at else { throw JSONFault("expected a digit, found \(found)", at: at) }
        at = index
    }
}
