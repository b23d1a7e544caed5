import JSON
import Model

/// Whether an item's fields have the values that they must have.
struct ItemFilter {
    private let conditions: [Condition]
    private var tape = JSONTape()

    /// A filter; each of them names a field of the item, or leads to a value inside one by a dotted path.
    init(_ filters: [PageRequest.Filter]) { conditions = filters.map { Condition($0) } }

    /// Whether there is nothing to look at.
    var isEmpty: Bool { conditions.isEmpty }

    /// Whether all fields have their values; false for what is no JSON.
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

    /// A field that has the dots in its own name comes before one inside another.
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

/// A JSON number by its value, exactly: `1`, `1.0` and `10e-1` are equal, and no digit of a large one is lost.
struct DecimalNumber: Equatable {
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero. The value is 0.DIGITS times ten to the `exponent`.
    private let digits: [UInt8]
    private let exponent: Int

    /// A number as JSON writes it (RFC 8259, section 6). Nil where its exponent is beyond all use.
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
