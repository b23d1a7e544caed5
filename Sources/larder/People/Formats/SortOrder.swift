import JSON

/// The order of printed items: the fields of `--sort`, and `--reverse`.
struct SortOrder: Equatable, Sendable {
    /// A field by which items are sorted.
    struct Key: Equatable, Sendable {
        let name: String
        let isDescending: Bool
    }

    var keys: [Key] = []
    /// Whether the command prints the items in reverse order.
    var isReversed = false

    /// Whether `--sort` or `--reverse` is given. Otherwise, items are printed in the API's order.
    var isNeeded: Bool { !keys.isEmpty || isReversed }

    /// Parses the value of `--sort`, such as `status,-created`. A minus sign before a name means descending order. Nil
    /// if a name is empty.
    static func keys(_ list: String) -> [Key]? {
        guard let names = TerminalOptions.names(list) else { return nil }
        let keys = names.map {
            $0.hasPrefix("-")
                ? Key(name: String($0.dropFirst()), isDescending: true)
                : Key(name: $0, isDescending: false)
        }
        return keys.contains { $0.name.isEmpty } ? nil : keys
    }

    /// Sorts items. Items with equal values keep their order. Items without a value come last.
    func sorted(_ items: [JSONValue]) -> [JSONValue] {
        let rows = items.enumerated().map { index, item in
            (index, item, keys.map { SortValue(CellText.find($0.name, in: item)) })
        }
        let sorted = rows.sorted { left, right in
            for (key, values) in zip(keys, zip(left.2, right.2)) where values.0 != values.1 {
                if values.0.isMissing || values.1.isMissing { return values.1.isMissing }
                return (values.0 < values.1) != key.isDescending
            }
            return left.0 < right.0
        }
        let items = sorted.map(\.1)
        return isReversed ? items.reversed() : items
    }
}

/// A value for comparisons: numbers come first, then strings, then values of all other types. Strings are compared
/// without regard to case.
private enum SortValue: Comparable {
    case number(Double, String)
    case text(String, String)
    case other(String)
    case missing

    init(_ value: JSONValue?) {
        switch value {
        case nil, .null?: self = .missing
        case .number(let text)?: self = .number(Double(text) ?? 0, text)
        case .string(let text)?: self = .text(text.lowercased(), text)
        case let value?: self = .other(value.text)
        }
    }

    var isMissing: Bool { self == .missing }
}
