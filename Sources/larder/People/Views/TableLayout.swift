import JSON

/// The columns of a table and their widths. The first page of rows determines them for the whole table.
struct TableLayout {
    /// A column of a table. All widths in this file are in terminal columns.
    struct Column: Equatable {
        let name: String
        var width: Int
        /// Whether the column contains only numbers, which are aligned to the right.
        let isNumeric: Bool
    }

    /// The width of the gap between two columns of the table.
    private static let gap = 2

    let columns: [Column]
    /// The names of the fields that have no column, because the terminal is too narrow.
    let omitted: [String]

    /// Chooses the columns of a table and their widths.
    ///
    /// - Parameters:
    ///   - items: the items of the first rows.
    ///   - fields: the fields that the user selected; nil to choose the most informative fields.
    ///   - width: the maximum width of the table.
    init(_ items: [JSONValue], fields: [String]?, width: Int) {
        let candidates = (fields ?? Self.names(items)).map { Candidate($0, items) }
        let chosen: [Int]
        if fields != nil {
            // Of the selected fields, those that fit with their minimum widths become columns, in the given order.
            chosen = Self.fitting(candidates, candidates.indices.map { $0 }, width) { min($0.natural, 3) }
        } else {
            let ranked = candidates.indices.sorted { (candidates[$0].rank, $0) < (candidates[$1].rank, $1) }
            let nonempty = ranked.filter { candidates[$0].rank != .empty }
            chosen = Self.fitting(candidates, nonempty.isEmpty ? ranked : nonempty, width) { $0.minWidth }.sorted()
        }
        var columns = chosen.map { index in
            let candidate = candidates[index]
            let minWidth = fields == nil ? candidate.minWidth : min(candidate.natural, 3)
            return Column(name: candidate.name, width: minWidth, isNumeric: candidate.isNumeric)
        }
        Self.widen(&columns, chosen.map { candidates[$0].natural }, width)
        self.columns = columns
        omitted = candidates.indices.filter { !chosen.contains($0) }.map { candidates[$0].name }
    }

    func header(_ paint: Paint) -> String {
        line { column, isLast in paint.heading(cell(VisibleText.line(column.name), column, isLast)) }
    }

    func row(_ item: JSONValue, _ paint: Paint) -> String {
        line { column, isLast in
            let value = CellText.find(column.name, in: item)
            let text = cell(value.map { CellText.short($0) } ?? "", column, isLast)
            if column.name == "id" { return paint.name(text) }
            return value == .null ? paint.aside(text) : text
        }
    }

    private func cell(_ text: String, _ column: Column, _ isLast: Bool) -> String {
        isLast && !column.isNumeric
            ? TextWidth.cut(text, to: column.width)
            : TextWidth.fit(text, to: column.width, isRight: column.isNumeric)
    }

    private func line(_ cell: (Column, Bool) -> String) -> String {
        columns.indices.map { cell(columns[$0], $0 == columns.count - 1) }
            .joined(separator: String(repeating: " ", count: Self.gap)) + "\n"
    }

    /// Returns the names of all fields of the items, in the order of their first occurrence.
    private static func names(_ items: [JSONValue]) -> [String] {
        var names: [String] = []
        var seen: Set<String> = []
        for case .object(let item) in items {
            for member in item.members where seen.insert(member.key).inserted { names.append(member.key) }
        }
        return names
    }

    /// Returns those possible columns that fit into the width with their minimum widths. The first one is always
    /// included.
    private static func fitting(
        _ candidates: [Candidate], _ order: [Int], _ width: Int, _ minWidth: (Candidate) -> Int
    ) -> [Int] {
        var chosen: [Int] = []
        var used = 0
        for index in order {
            let more = minWidth(candidates[index]) + (chosen.isEmpty ? 0 : gap)
            guard chosen.isEmpty || used + more <= width else { continue }
            chosen.append(index)
            used += more
        }
        return chosen
    }

    /// Distributes the remaining width equally among the columns that are narrower than their content.
    private static func widen(_ columns: inout [Column], _ natural: [Int], _ width: Int) {
        if columns.count == 1 { columns[0].width = min(columns[0].width, width) }
        var left = width - columns.reduce(0) { $0 + $1.width } - gap * (columns.count - 1)
        while left > 0 {
            let narrow = columns.indices.filter { columns[$0].width < natural[$0] }
            if narrow.isEmpty { return }
            let share = max(1, left / narrow.count)
            for index in narrow where left > 0 {
                let more = min(share, natural[index] - columns[index].width, left)
                columns[index].width += more
                left -= more
            }
        }
    }
}

/// A field that may become a column of the table.
private struct Candidate {
    /// The kinds of fields, the most informative first.
    enum Rank: Int, Comparable {
        case scalars, objects, arrays, links, empty

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    let name: String
    /// The width of the widest cell or of the header.
    let natural: Int
    let isNumeric: Bool
    let rank: Rank

    init(_ name: String, _ items: [JSONValue]) {
        self.name = name
        let values = items.compactMap { CellText.find(name, in: $0) }.filter { $0 != .null }
        natural =
            items.map { CellText.find(name, in: $0).map { TextWidth.of(CellText.short($0)) } ?? 0 }
            .reduce(max(1, TextWidth.of(VisibleText.line(name)))) { max($0, $1) }
        isNumeric = !values.isEmpty && values.allSatisfy { if case .number = $0 { true } else { false } }
        rank = Self.rank(values)
    }

    private static func rank(_ values: [JSONValue]) -> Rank {
        let nonempty = values.filter { $0 != "" && $0 != .array([]) && $0 != .object(JSONObject()) }
        guard let first = nonempty.first else { return .empty }
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

    /// The minimum useful width of the column. A link is never cut, because a cut link does not work.
    var minWidth: Int {
        switch rank {
        case .scalars: min(natural, 17)
        case .objects, .arrays: min(natural, 12)
        case .links, .empty: natural
        }
    }
}
