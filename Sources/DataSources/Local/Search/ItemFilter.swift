import JSON

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
