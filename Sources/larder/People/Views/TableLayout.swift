import JSON

/// The columns of a table and their widths. The first page of rows determines the columns. Later pages can make the
/// columns wider. All widths in this file are in character cells of the terminal.
struct TableLayout {
    /// A column of a table: a field with its width.
    struct Column: Equatable {
        let name: String
        var width: Int
        /// The width of the widest cell in all pages so far, or of the header if the header is wider.
        var natural: Int
        /// Whether the column contains only numbers. Numbers are aligned to the right.
        let isNumeric: Bool
        /// Whether the cells of this column must never be shortened. True for ids and numbers, because a shortened id
        /// or number would be wrong.
        let isWhole: Bool
        /// The additional width that the column needs to show its widest cell completely; 0 if this cell fits.
        var missing: Int { max(0, natural - width) }
    }

    /// The width of the gap between two columns of the table.
    private static let gap = 2
    /// The minimum width of a text column. A text column may become this narrow to make room for a column of ids or
    /// numbers.
    private static let leastTextWidth = 8
    /// The minimum width that `completeTexts` leaves to a column of long texts.
    private static let leastLongTextWidth = 5
    /// The minimum ratio between the widest cells of two text columns. Below this ratio, `completeTexts` moves no width
    /// from one column to the other.
    private static let longTextFactor = 3

    private(set) var columns: [Column]
    /// The names of the fields without a column: the fields that do not fit into the table, and the fields that are
    /// empty in all items of the first page.
    let omitted: [String]
    /// The maximum width of the table.
    private let width: Int

    /// Chooses the columns of a table and their widths.
    ///
    /// - Parameters:
    ///   - items: the items of the first page.
    ///   - fields: the fields that the user selected; nil to choose the most informative fields.
    ///   - width: the maximum width of the table.
    init(_ items: [JSONValue], fields: [String]?, width: Int) {
        let candidates = (fields ?? Self.names(items)).map { TableCandidate($0, items) }
        let chosen: [Int]
        if fields != nil {
            // The selected fields become columns in the given order, until there is no room for their minimum widths.
            chosen = Self.fitting(candidates, Array(candidates.indices), width) { $0.selectedWidth }
        } else {
            let ranked = candidates.indices.sorted { (candidates[$0].rank, $0) < (candidates[$1].rank, $1) }
            let nonempty = ranked.filter { candidates[$0].rank != .empty }
            chosen = Self.fitting(candidates, nonempty.isEmpty ? ranked : nonempty, width) { $0.minWidth }.sorted()
        }
        columns = chosen.map { index in
            let candidate = candidates[index]
            return Column(
                name: candidate.name, width: fields == nil ? candidate.minWidth : candidate.selectedWidth,
                natural: candidate.natural, isNumeric: candidate.isNumeric, isWhole: candidate.isWhole)
        }
        omitted = candidates.indices.filter { !chosen.contains($0) }.map { candidates[$0].name }
        self.width = width
        if columns.count == 1, !columns[0].isWhole { columns[0].width = min(columns[0].width, width) }
        widen()
        completeTexts()
    }

    /// Widens the columns for the items of a further page.
    ///
    /// 1. A column of ids or numbers gets the width of its widest cell. The column takes unused width first, and then
    ///    width from text columns. If both are not enough, the table exceeds its maximum width.
    /// 2. The text columns share the remaining unused width.
    /// 3. Short texts are completed (`completeTexts`).
    /// 4. A text column with shortened cells takes width from wider text columns with shortened cells, until their
    ///    widths are nearly equal.
    mutating func grow(for items: [JSONValue]) {
        for index in columns.indices {
            let column = columns[index]
            let counted = column.isNumeric ? items.filter { Self.isNumber(column.name, $0) } : items
            columns[index].natural = max(column.natural, TableCandidate.width(of: column.name, counted))
        }
        for index in columns.indices where columns[index].isWhole {
            columns[index].width += min(max(0, room), columns[index].missing)
            takeWidth(for: index)
            columns[index].width += columns[index].missing
        }
        widen()
        completeTexts()
        for index in columns.indices { takeWidth(for: index) }
    }

    /// Widens columns of short texts, such as names, so that all their cells fit. Names often differ only at their end,
    /// so shortened names may look equal. The width comes from columns of much longer texts, which are shortened in any
    /// case. A column stays unchanged if its cells would still not fit.
    private mutating func completeTexts() {
        let cut = columns.indices.filter { !columns[$0].isWhole && columns[$0].missing > 0 }
        for index in cut.sorted(by: { columns[$0].missing < columns[$1].missing }) {
            let donors = cut.filter {
                columns[$0].natural / Self.longTextFactor >= columns[index].natural
                    && columns[$0].width > Self.leastLongTextWidth
            }
            let spare = donors.reduce(0) { $0 + columns[$1].width - Self.leastLongTextWidth }
            guard spare >= columns[index].missing else { continue }
            while columns[index].missing > 0,
                let donor = donors.max(by: { columns[$0].width < columns[$1].width })
            {
                columns[donor].width -= 1
                columns[index].width += 1
            }
        }
    }

    /// Moves width from text columns to the column `index`. Stops when the widest cell of this column fits, or when no
    /// text column can give more width.
    private mutating func takeWidth(for index: Int) {
        while columns[index].missing > 0, let donor = donor(to: index) {
            columns[donor].width -= 1
            columns[index].width += 1
        }
    }

    /// Returns the index of the widest text column that can give width to the column `index`; nil if there is none.
    /// Columns with shortened cells give width first. Other columns give width only to a column of ids or numbers.
    private func donor(to index: Int) -> Int? {
        let isWhole = columns[index].isWhole
        let least = max(Self.leastTextWidth, isWhole ? 0 : columns[index].width + 1)
        let donors = columns.indices.filter { $0 != index && !columns[$0].isWhole && columns[$0].width > least }
        let shortened = donors.filter { columns[$0].missing > 0 }
        return (shortened.isEmpty && isWhole ? donors : shortened).max { columns[$0].width < columns[$1].width }
    }

    private static func isNumber(_ name: String, _ item: JSONValue) -> Bool {
        if case .number? = CellText.find(name, in: item) { true } else { false }
    }

    func header(_ paint: Paint) -> String {
        line { column, isLast in paint.heading(cell(VisibleText.line(column.name), column, isLast)) }
    }

    func row(_ item: JSONValue, _ paint: Paint) -> String {
        line { column, isLast in
            let value = CellText.find(column.name, in: item)
            let text = value.map { CellText.short($0) } ?? ""
            let isWhole: Bool
            switch value {
            case .number?: isWhole = true
            // A later page can contain strings in a column that contained only numbers before.
            case .string? where column.isNumeric: isWhole = false
            default: isWhole = column.isWhole
            }
            let cell = isWhole && TextWidth.of(text) > column.width ? text : cell(text, column, isLast)
            if column.name == "id" { return paint.name(cell) }
            return value == .null ? paint.aside(cell) : cell
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

    /// The unused width of the table; negative if the columns are wider than the table.
    private var room: Int { width - columns.reduce(0) { $0 + $1.width } - Self.gap * (columns.count - 1) }

    /// Divides the unused width equally among the columns that are narrower than their content.
    private mutating func widen() {
        var left = room
        while left > 0 {
            let narrow = columns.indices.filter { columns[$0].missing > 0 }
            if narrow.isEmpty { return }
            let share = max(1, left / narrow.count)
            for index in narrow where left > 0 {
                let more = min(share, columns[index].missing, left)
                columns[index].width += more
                left -= more
            }
        }
    }

    /// The maximum number of fields that can become columns.
    private static let maxNames = 200

    /// Returns the names of the items' fields, in the order of their first occurrence. The result has at most
    /// `maxNames` names.
    private static func names(_ items: [JSONValue]) -> [String] {
        var names: [String] = []
        var seen: Set<String> = []
        for case .object(let item) in items {
            for member in item.members.prefix(maxNames) where names.count < maxNames {
                if seen.insert(member.key).inserted { names.append(member.key) }
            }
        }
        return names
    }

    /// Returns the indices of the fields that fit next to each other into the table at their minimum widths. Always
    /// includes the first field in `order`.
    private static func fitting(
        _ candidates: [TableCandidate], _ order: [Int], _ width: Int, _ minWidth: (TableCandidate) -> Int
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
}
