import JSON

/// Formats a JSON value as one line of text for a table cell.
enum CellText {
    /// The maximum length of a cell's text, in Unicode scalars. This is more than a line of a terminal can show.
    private static let maxLength = 1000
    /// The maximum number of array elements in a cell. For a longer array, the cell shows the number of elements.
    private static let maxElements = 3
    /// The names of members that can represent an object in a cell, in order of preference.
    private static let names = ["name", "title", "label", "login", "key", "id"]

    /// Returns a value as the text of a table cell. A UTC timestamp appears without seconds.
    static func short(_ value: JSONValue) -> String {
        guard case .string(let text) = value, text.utf8.count >= 20, text.utf8.last == UInt8(ascii: "Z"),
            text.utf8.dropFirst(10).first == UInt8(ascii: "T"), DateText(text) != nil
        else { return of(value) }
        let bytes = Array(text.utf8)
        let parts = [bytes[..<10], bytes[11..<16]].map { String(decoding: $0, as: UTF8.self) }
        return "\(parts[0]) \(parts[1])Z"
    }

    static func of(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .number(let text): text
        case .string(let text): VisibleText.line(text, limit: maxLength)
        case .array(let elements) where elements.count > maxElements: "\(elements.count) values"
        case .array(let elements): elements.map { of($0) }.joined(separator: ", ")
        case .object(let object): of(object)
        }
    }

    private static func of(_ object: JSONObject) -> String {
        for name in names {
            switch object[name] {
            case .string(let text)? where !text.isEmpty: return VisibleText.line(text, limit: maxLength)
            case .number(let text)?: return text
            default: break
            }
        }
        return VisibleText.line(JSONValue.object(object).text, limit: maxLength)
    }

    /// Returns the value of a field; nil if the item does not contain the field. A dotted name such as `labels.name`
    /// selects a member of an object, or this member of each element of an array.
    static func find(_ name: String, in item: JSONValue) -> JSONValue? {
        if let value = item[name] { return value }
        return find(name.split(separator: ".", omittingEmptySubsequences: false)[...], in: item)
    }

    /// Whether an item contains a field. An array contains a member, as in `labels.name`, if at least one element
    /// contains it. Null and an empty array count as containing every member, because they do not show which members
    /// exist.
    static func contains(_ name: String, in item: JSONValue) -> Bool {
        item[name] != nil || contains(name.split(separator: ".", omittingEmptySubsequences: false)[...], in: item)
    }

    private static func contains(_ path: ArraySlice<Substring>, in value: JSONValue) -> Bool {
        guard let step = path.first else { return true }
        switch value {
        case .object(let object):
            return object[String(step)].map { $0 == .null || contains(path.dropFirst(), in: $0) } ?? false
        case .array(let elements): return elements.isEmpty || elements.contains { contains(path, in: $0) }
        default: return false
        }
    }

    private static func find(_ path: ArraySlice<Substring>, in value: JSONValue) -> JSONValue? {
        guard let step = path.first else { return value }
        if case .array(let elements) = value { return .array(elements.compactMap { find(path, in: $0) }) }
        return value[String(step)].flatMap { find(path.dropFirst(), in: $0) }
    }
}
