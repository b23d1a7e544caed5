/// A strict RFC 8259 parser over bytes, without recursion.
///
/// Beyond the grammar it refuses what other readers of the same text would trip over: invalid UTF-8 (overlong forms and
/// encoded surrogates included), escaped lone surrogates, and containers nested deeper than `maxDepth`.
struct JSONParser {
    /// How deep arrays and objects may be nested.
    static let maxDepth = 512
    static let noParent = UInt32.max

    let bytes: UnsafeRawBufferPointer
    let dialect: JSONDialect
    var at = 0
    private var depth = 0

    init(_ bytes: UnsafeRawBufferPointer, dialect: JSONDialect) {
        self.bytes = bytes
        self.dialect = dialect
    }

    /// Reads one text. What stands open is a chain through the nodes' `next`, so that no stack is needed.
    mutating func parse(into nodes: inout [JSONNode]) throws(JSONFault) {
        guard bytes.count < Int(UInt32.max) else { throw JSONFault("the text is larger than 4 GiB", at: 0) }
        var parent = Self.noParent
        try skipBlanks()
        repeat {
            let opened = try readValue(into: &nodes, parent: parent)
            if opened { parent = UInt32(nodes.count - 1) }
            try closeOrContinue(&nodes, &parent, justOpened: opened)
        } while parent != Self.noParent
        try skipBlanks()
        if at < bytes.count { throw JSONFault("unexpected \(found) after the value", at: at) }
    }

    /// Reads a scalar, or the opening of a container. Returns whether a container was opened.
    private mutating func readValue(into nodes: inout [JSONNode], parent: UInt32) throws(JSONFault) -> Bool {
        guard at < bytes.count else { throw JSONFault("expected a value, but the text ends", at: at) }
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
            nodes.append(JSONNode(start: UInt32(start), end: 0, next: parent, kind: kind, flags: []))
            return true
        case UInt8(ascii: "\""):
            try readString(into: &nodes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber()
            append(.number, from: start, to: &nodes)
        case UInt8(ascii: "t"):
            try skipLiteral("true")
            append(.true, from: start, to: &nodes)
        case UInt8(ascii: "f"):
            try skipLiteral("false")
            append(.false, from: start, to: &nodes)
        case UInt8(ascii: "n"):
            try skipLiteral("null")
            append(.null, from: start, to: &nodes)
        default:
            throw JSONFault("expected a value, found \(found)", at: at)
        }
        return false
    }

    /// After a value: closes what ends here, and stands before the next value, or leaves with no parent.
    private mutating func closeOrContinue(
        _ nodes: inout [JSONNode], _ parent: inout UInt32, justOpened: Bool
    ) throws(JSONFault) {
        var mayClose = justOpened
        var mayContinue = justOpened
        while parent != Self.noParent {
            try skipBlanks()
            let isObject = nodes[Int(parent)].kind == .object
            let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            let byte = at < bytes.count ? bytes[at] : 0
            if !mayContinue, byte == UInt8(ascii: ",") {
                at += 1
                try skipBlanks()
                mayContinue = true
                mayClose = dialect == .jsonc
                continue
            }
            if byte == closing, mayClose || !mayContinue {
                at += 1
                depth -= 1
                let outer = nodes[Int(parent)].next
                nodes[Int(parent)].end = UInt32(at)
                nodes[Int(parent)].next = UInt32(nodes.count)
                parent = outer
                mayContinue = false
                continue
            }
            guard mayContinue else {
                throw JSONFault(
                    isObject ? "expected ',' or '}', found \(found)" : "expected ',' or ']', found \(found)", at: at)
            }
            if isObject { try readKey(into: &nodes) }
            return
        }
    }

    private mutating func readKey(into nodes: inout [JSONNode]) throws(JSONFault) {
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
            throw JSONFault("expected a key in quotes, found \(found)", at: at)
        }
        try readString(into: &nodes)
        try skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else {
            throw JSONFault("expected ':' after the key, found \(found)", at: at)
        }
        at += 1
        try skipBlanks()
    }

    private mutating func readString(into nodes: inout [JSONNode]) throws(JSONFault) {
        let start = at
        let flags = try skipString()
        let next = UInt32(nodes.count + 1)
        nodes.append(JSONNode(start: UInt32(start), end: UInt32(at), next: next, kind: .string, flags: flags))
    }

    private func append(_ kind: JSONKind, from start: Int, to nodes: inout [JSONNode]) {
        let next = UInt32(nodes.count + 1)
        nodes.append(JSONNode(start: UInt32(start), end: UInt32(at), next: next, kind: kind, flags: []))
    }

    /// The byte at hand, in words.
    var found: String {
        guard at < bytes.count else { return "the end of the text" }
        let byte = bytes[at]
        return byte > 0x20 && byte < 0x7F
            ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
    }
}
