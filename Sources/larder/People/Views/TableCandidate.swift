import JSON

/// A field that may become a column of a table. Widths are in character cells of the terminal.
struct TableCandidate {
    /// The kinds of fields, from the most to the least informative.
    enum Rank: Int, Comparable {
        case id, scalars, objects, arrays, links, empty

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    let name: String
    /// The width of the widest cell, or of the header if the header is wider.
    let natural: Int
    let isNumeric: Bool
    let rank: Rank

    init(_ name: String, _ items: [JSONValue]) {
        self.name = name
        let values = items.compactMap { CellText.find(name, in: $0) }.filter { $0 != .null }
        natural = max(1, TextWidth.of(VisibleText.line(name)), Self.width(of: name, items))
        isNumeric = !values.isEmpty && values.allSatisfy { if case .number = $0 { true } else { false } }
        rank = Self.rank(name, values)
    }

    /// Returns the width of the widest table cell of a field.
    static func width(of name: String, _ items: [JSONValue]) -> Int {
        items.map { CellText.find(name, in: $0).map { TextWidth.of(CellText.short($0)) } ?? 0 }.max() ?? 0
    }

    /// Whether the cells of this column must never be shortened. True for ids and numbers, because a shortened id or
    /// number would be wrong.
    var isWhole: Bool { isNumeric || Self.isID(name) }

    /// The minimum useful width of a column that the user has not selected. Columns of ids, numbers and links need
    /// their full width: a shortened id or number would be wrong, and a shortened link does not work.
    var minWidth: Int {
        switch rank {
        case _ where isWhole: natural
        case .id, .links, .empty: natural
        case .scalars: min(natural, 17)
        case .objects, .arrays: min(natural, 12)
        }
    }

    /// The minimum width of the column if the user has selected its field.
    var selectedWidth: Int { isWhole ? natural : min(natural, 3) }

    /// Whether the name of a field suggests ids, such as `id`, `owner_id`, `ownerId` or `owner.uuid`.
    private static func isID(_ name: String) -> Bool {
        guard let last = name.split(separator: ".").last else { return false }
        return ["id", "ID", "uuid", "UUID"].contains(String(last))
            || ["_id", "_uuid", "Id", "ID", "Uuid", "UUID"].contains { last.hasSuffix($0) }
    }

    private static func rank(_ name: String, _ values: [JSONValue]) -> Rank {
        let nonempty = values.filter { $0 != "" && $0 != .array([]) && $0 != .object(JSONObject()) }
        guard let first = nonempty.first else { return .empty }
        if name == "id" { return .id }
        if nonempty.allSatisfy({ isLink($0) }) { return .links }
        switch first {
        case .object: return .objects
        case .array: return .arrays
        default: return .scalars
        }
    }

    private static func isLink(_ value: JSONValue) -> Bool {
        guard case .string(let text) = value else { return false }
        return text.hasPrefix("https://") || text.hasPrefix("http://")
    }
}
