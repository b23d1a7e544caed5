import JSON

/// A value in one line, for a person.
enum CellText {
    /// More of a text does not fit any line, and is not looked at.
    private static let longest = 1000
    /// Of an array so many values are named; of a longer one their number.
    private static let mostNamed = 3
    /// The fields that name an object best, the best first.
    private static let names = ["name", "title", "label", "login", "key", "id"]

    /// The same for a table, where a moment needs no fractions of a minute.
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
        case .string(let text): VisibleText.line(text, limit: longest)
        case .array(let elements) where elements.count > mostNamed: "\(elements.count) values"
        case .array(let elements): elements.map { of($0) }.joined(separator: ", ")
        case .object(let object): of(object)
        }
    }

    private static func of(_ object: JSONObject) -> String {
        for name in names {
            switch object[name] {
            case .string(let text)? where !text.isEmpty: return VisibleText.line(text, limit: longest)
            case .number(let text)?: return text
            default: break
            }
        }
        return VisibleText.line(JSONValue.object(object).text, limit: longest)
    }

    /// What a field of an item holds; a dotted name leads into fields, and into each element of an array, unless a
    /// field has that very name.
    static func find(_ name: String, in item: JSONValue) -> JSONValue? {
        if let value = item[name] { return value }
        return find(name.split(separator: ".", omittingEmptySubsequences: false)[...], in: item)
    }

    private static func find(_ path: ArraySlice<Substring>, in value: JSONValue) -> JSONValue? {
        guard let step = path.first else { return value }
        if case .array(let elements) = value { return .array(elements.compactMap { find(path, in: $0) }) }
        return value[String(step)].flatMap { find(path.dropFirst(), in: $0) }
    }
}
