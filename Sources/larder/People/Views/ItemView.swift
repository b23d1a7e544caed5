import JSON

/// Formats one item as readable text: one line per field, with nested fields and arrays indented below their parent.
struct ItemView {
    /// The maximum number of lines for one value. A longer value is shortened.
    private static let maxLines = 12
    /// The maximum nesting depth of indented fields. Values at greater depths appear as JSON.
    private static let maxDepth = 8
    /// The maximum number of printed elements of an array with nested fields.
    private static let maxElements = 20
    private static let indent = 2
    /// The minimum width for a value beside its name, in columns. With less room, the value appears below its name.
    private static let minValueWidth = 20

    let width: Int
    let paint: Paint

    func text(_ item: JSONValue) -> String {
        guard case .object(let object) = item, !object.members.isEmpty else {
            return TextWidth.wrap(CellText.of(item), to: width, limit: Self.maxLines).map { $0 + "\n" }.joined()
        }
        return lines(object, depth: 0).map { $0 + "\n" }.joined()
    }

    private func lines(_ object: JSONObject, depth: Int) -> [String] {
        let margin = Self.indent * depth
        let names = object.members.map { VisibleText.line($0.key, limit: 200) }
        // The names of the fields take at most half of a line.
        let label = min(names.map { TextWidth.of($0) }.max() ?? 0, max(1, (width - margin) / 2 - 2))
        let isStacked = width - margin - label - 2 < Self.minValueWidth
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

    /// Returns the indented lines for a value with nested fields. Returns nil for other values and for deeply nested
    /// values, which are printed beside their names.
    private func inner(_ value: JSONValue, _ depth: Int) -> [String]? {
        guard depth + 1 < Self.maxDepth, width >= Self.indent * (depth + 3) + 4 else { return nil }
        switch value {
        case .object(let object) where !object.members.isEmpty: return lines(object, depth: depth + 1)
        case .array(let elements) where elements.contains(where: Self.isNested): return lines(elements, depth + 2)
        default: return nil
        }
    }

    private static func isNested(_ value: JSONValue) -> Bool {
        if case .object(let object) = value { !object.members.isEmpty } else { false }
    }

    /// Returns the indented lines of an array. A dash marks the first line of each element.
    private func lines(_ elements: [JSONValue], _ depth: Int) -> [String] {
        let margin = String(repeating: " ", count: Self.indent * depth)
        let mark = String(repeating: " ", count: Self.indent * (depth - 1)) + "- "
        var out = elements.prefix(Self.maxElements).flatMap { element in
            var lines: [String]
            if case .object(let object) = element, !object.members.isEmpty {
                lines = self.lines(object, depth: depth)
            } else {
                lines = self.lines(of: element, width - margin.utf8.count).map { margin + $0 }
            }
            if let first = lines.first { lines[0] = mark + first.dropFirst(margin.count) }
            return lines
        }
        if elements.count > Self.maxElements {
            out.append(margin + paint.aside(TextWidth.cut("… \(elements.count - Self.maxElements) more", to: width)))
        }
        return out
    }

    private func lines(of value: JSONValue, _ width: Int) -> [String] {
        let width = max(1, width)
        switch value {
        case .string(let text):
            // The printed value keeps the line breaks of the string.
            let parts = text.split(maxSplits: Self.maxLines, omittingEmptySubsequences: false) {
                $0 == "\n" || $0 == "\r\n"
            }
            return limited(parts.flatMap { TextWidth.wrap(shown(String($0)), to: width, limit: Self.maxLines) }, width)
        case .array(let elements):
            let text = elements.prefix(1000).map { CellText.of($0) }.joined(separator: ", ")
            return TextWidth.wrap(text, to: width, limit: Self.maxLines)
        case .object(let object):
            return TextWidth.wrap(VisibleText.line(JSONValue.object(object).text, limit: 2000), to: width, limit: 3)
        case .null, .bool, .number:
            return TextWidth.wrap(CellText.of(value), to: width, limit: Self.maxLines)
        }
    }

    private func shown(_ line: String) -> String {
        // This limit leaves enough text for the visible lines, with two Unicode scalars per column.
        VisibleText.line(line, limit: Self.maxLines * width * 2)
    }

    private func limited(_ lines: [String], _ width: Int) -> [String] {
        guard lines.count > Self.maxLines, let last = lines.prefix(Self.maxLines).last else { return lines }
        return lines.prefix(Self.maxLines - 1) + [TextWidth.cut(last + "…", to: width)]
    }
}
