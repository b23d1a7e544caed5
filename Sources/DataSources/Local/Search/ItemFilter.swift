import JSON
import Model

/// A filter that checks whether fields of an item have required values.
struct ItemFilter {
    private let conditions: [Condition]
    private var tape = JSONTape()

    /// Creates a filter. Each condition names a field of the item, or a nested value by a path with dots.
    init(_ filters: [PageRequest.Filter]) { conditions = filters.map { Condition($0) } }

    /// Whether the filter has no conditions.
    var isEmpty: Bool { conditions.isEmpty }

    /// Returns whether all fields of an item have the required values. Returns false for invalid JSON.
    mutating func matches(_ json: [UInt8]) -> Bool {
        json.withUnsafeBytes { bytes in
            guard (try? tape.parse(bytes)) != nil else { return false }
            return tape.withRoot(in: bytes) { item in conditions.allSatisfy { $0.matches(item) } }
        }
    }
}

private struct Condition {
    private let name: String
    private let path: JSONSelector?
    private let value: JSONValue
    private let number: DecimalNumber?

    init(_ filter: PageRequest.Filter) {
        name = filter.name
        path = JSONSelector(filter.name)
        value = filter.value
        if case .number(let digits) = filter.value { number = DecimalNumber(digits) } else { number = nil }
    }

    /// Returns whether an item meets this condition. A field whose name contains the dots, such as `a.b`, takes
    /// precedence over the nested value `b` in `a`.
    func matches(_ item: JSONView) -> Bool {
        guard let found = item[name] ?? path?.select(in: item) else { return false }
        switch value {
        case .string(let text): return found.isString(text)
        case .number(let digits):
            guard let other = found.number else { return false }
            return other == digits || (number != nil && DecimalNumber(other) == number)
        default: return JSONValue(found) == value
        }
    }
}

/// The exact value of a JSON number. `1`, `1.0` and `10e-1` are equal, and large numbers lose no digits.
struct DecimalNumber: Equatable {
    private let isNegative: Bool
    /// The digits of the number without leading and trailing zeros; empty for zero. The number is 0.DIGITS times ten to
    /// the power of `exponent`.
    private let digits: [UInt8]
    private let exponent: Int

    /// Parses a number in JSON syntax (RFC 8259, section 6). Returns nil if the number's exponent does not fit into an
    /// integer.
    init?(_ text: String) {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        guard let mantissa = parts.first, parts.count <= 2 else { return nil }
        let written = parts.count == 2 ? Int(Substring(parts[1])) : 0
        let halves = mantissa.drop { $0 == UInt8(ascii: "-") }
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let all = halves.joined().drop { $0 == UInt8(ascii: "0") }
        let leading = halves.reduce(0) { $0 + $1.count } - all.count
        var digits = Array(all)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        guard let written, let whole = halves.first?.count else { return nil }
        let (exponent, overflow) = written.addingReportingOverflow(whole - leading)
        if overflow { return nil }
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
        isNegative = !digits.isEmpty && mantissa.first == UInt8(ascii: "-")
    }
}
