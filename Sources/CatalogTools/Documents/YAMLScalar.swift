/// Resolves scalars by the core schema of YAML 1.2 (section 10.3.2).
///
/// Unlike in YAML 1.1, `off`, `no`, `=`, dates and times are strings.
enum YAMLScalar: Equatable {
    case null
    case bool(Bool)
    /// A number in JSON notation.
    case number(String)
    case string

    private static let namespace = "tag:yaml.org,2002:"

    /// Resolves a YAML scalar to a JSON value. Nil if the scalar does not match the type that the scalar's tag names.
    ///
    /// - Parameters:
    ///   - isPlain: whether the scalar has no quotes and is not a block scalar.
    ///   - tag: the tag as a URI; nil if the scalar has no tag. A scalar with a tag outside the core schema is a
    ///     string.
    init?(_ text: [UInt8], isPlain: Bool, tag: String? = nil) {
        guard let tag else {
            self = isPlain ? Self.resolve(text) : .string
            return
        }
        let name = tag.hasPrefix(Self.namespace) ? String(tag.dropFirst(Self.namespace.count)) : ""
        let resolved = Self.resolve(text)
        switch (name, resolved) {
        case ("null", .null), ("bool", .bool), ("int", .number), ("float", .number): self = resolved
        case ("float", .string) where Self.isInfinityOrNaN(text): self = .string
        case ("null", _), ("bool", _), ("int", _), ("float", _): return nil
        default: self = .string
        }
    }

    /// Returns the value of a plain scalar. JSON has no number for infinity or NaN, so `.inf` and `.nan` are strings.
    private static func resolve(_ text: [UInt8]) -> YAMLScalar {
        // The longest literal in this switch (`false`) has 5 bytes.
        if text.count <= 5 {
            switch String(decoding: text, as: UTF8.self) {
            case "", "~", "null", "Null", "NULL": return .null
            case "true", "True", "TRUE": return .bool(true)
            case "false", "False", "FALSE": return .bool(false)
            default: break
            }
        }
        return number(text).map { .number($0) } ?? .string
    }

    private static func isInfinityOrNaN(_ text: [UInt8]) -> Bool {
        let word = String(decoding: text, as: UTF8.self)
        let unsigned = word.hasPrefix("+") || word.hasPrefix("-") ? String(word.dropFirst()) : word
        return [".inf", ".Inf", ".INF"].contains(unsigned) || [".nan", ".NaN", ".NAN"].contains(word)
    }

    /// Returns a number in JSON notation; nil if the scalar is not a number.
    private static func number(_ text: [UInt8]) -> String? {
        guard let first = text.first, isDigit(first) || "+-.".utf8.contains(first) else { return nil }
        if text.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")]) { return integer(text.dropFirst(2), radix: 16) }
        if text.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "o")]) { return integer(text.dropFirst(2), radix: 8) }
        var rest = text[...]
        let sign = rest.first == UInt8(ascii: "-") ? "-" : ""
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = digits(&rest)
        var fraction: [UInt8]?
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits(&rest)
        }
        guard !whole.isEmpty || fraction?.isEmpty == false else { return nil }
        var exponent = ""
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            exponent = "e"
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                rest.removeFirst()
                exponent += sign == UInt8(ascii: "-") ? "-" : ""
            }
            let power = digits(&rest)
            guard !power.isEmpty else { return nil }
            exponent += String(decoding: power, as: UTF8.self)
        }
        guard rest.isEmpty else { return nil }
        let significant = whole.drop { $0 == UInt8(ascii: "0") }
        let start = significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self)
        let middle = fraction.map { "." + ($0.isEmpty ? "0" : String(decoding: $0, as: UTF8.self)) } ?? ""
        return sign + start + middle + exponent
    }

    /// Returns a hexadecimal or octal number in decimal digits. A number of more than 64 bits is usually an address or
    /// a hash, so it stays a string.
    private static func integer(_ digits: ArraySlice<UInt8>, radix: Int) -> String? {
        guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: radix).map { String($0) }
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let found = rest.prefix { isDigit($0) }
        rest = rest.dropFirst(found.count)
        return Array(found)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
