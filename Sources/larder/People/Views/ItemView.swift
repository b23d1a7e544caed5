import JSON

/// One item to read: a line for each field, those inside others below them.
struct ItemView {
    /// Longer texts are cut.
    private static let mostLines = 12
    /// What is nested deeper stands as JSON.
    private static let mostDepth = 4
    private static let indent = 2
    /// Below so many columns a value stands under its name.
    private static let leastRoom = 20

    let width: Int
    let paint: Paint

    func text(_ item: JSONValue) -> String {
        guard case .object(let object) = item, !object.members.isEmpty else {
            return TextWidth.wrap(CellText.of(item), to: width, limit: Self.mostLines).map { $0 + "\n" }.joined()
        }
        return lines(object, depth: 0).map { $0 + "\n" }.joined()
    }

    private func lines(_ object: JSONObject, depth: Int) -> [String] {
        let margin = Self.indent * depth
        let names = object.members.map { VisibleText.line($0.key, limit: 200) }
        // Names take no more than half of a line.
        let label = min(names.map { TextWidth.of($0) }.max() ?? 0, max(1, (width - margin) / 2 - 2))
        // Beside the names there must be room to read.
        let isStacked = width - margin - label - 2 < Self.leastRoom
        let before = margin + (isStacked ? Self.indent : label + 2)
        let space = String(repeating: " ", count: before)
        return zip(object.members, names).flatMap { member, name in
            let begin = String(repeating: " ", count: margin)
            let head = begin + paint.name(TextWidth.cut(name, to: isStacked ? max(1, width - margin) : label))
            if let inner = inner(member.value, depth) { return [head] + inner }
            let lines = lines(of: member.value, width - before).map { paint.value(member.value, $0) }
            guard !isStacked, let first = lines.first, !first.isEmpty else {
                return [head] + lines.filter { !$0.isEmpty }.map { space + $0 }
            }
            let gap = String(repeating: " ", count: max(0, label - TextWidth.of(name)) + 2)
            return [head + gap + first] + lines.dropFirst().map { $0.isEmpty ? "" : space + $0 }
        }
    }

    /// The lines below a name; nil where the value stands beside it.
    private func inner(_ value: JSONValue, _ depth: Int) -> [String]? {
        guard depth + 1 < Self.mostDepth else { return nil }
        guard case .object(let object) = value, !object.members.isEmpty else { return nil }
        return lines(object, depth: depth + 1)
    }

    private func lines(of value: JSONValue, _ width: Int) -> [String] {
        let width = max(1, width)
        switch value {
        case .string(let text):
            // The lines of a text stay lines.
            let parts = text.split(maxSplits: Self.mostLines, omittingEmptySubsequences: false) {
                $0 == "\n" || $0 == "\r\n"
            }
            return limited(parts.flatMap { TextWidth.wrap(shown(String($0)), to: width, limit: Self.mostLines) }, width)
        case .array(let elements):
            if elements.contains(where: { if case .object = $0 { true } else { false } }) {
                let shown = elements.prefix(Self.mostLines + 1)
                return limited(shown.map { TextWidth.cut(CellText.of($0), to: width) }, width)
            }
            let text = elements.prefix(1000).map { CellText.of($0) }.joined(separator: ", ")
            return TextWidth.wrap(text, to: width, limit: Self.mostLines)
        case .object(let object):
            return TextWidth.wrap(VisibleText.line(JSONValue.object(object).text, limit: 2000), to: width, limit: 3)
        case .null, .bool, .number:
            return TextWidth.wrap(CellText.of(value), to: width, limit: Self.mostLines)
        }
    }

    private func shown(_ line: String) -> String {
        // As many as can be seen, at two bytes to a column and more.
        VisibleText.line(line, limit: Self.mostLines * width * 2)
    }

    private func limited(_ lines: [String], _ width: Int) -> [String] {
        guard lines.count > Self.mostLines, let last = lines.prefix(Self.mostLines).last else { return lines }
        return lines.prefix(Self.mostLines - 1) + [TextWidth.cut(last + "…", to: width)]
    }
}
