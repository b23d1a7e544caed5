/// Formats tables in GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-).
enum MarkdownText {
    /// Characters that always have a backslash, because Markdown could read them as markup.
    private static let marks: Set<Unicode.Scalar> = ["\\", "|", "`", "*", "[", "<", "~"]

    /// Returns a row of a table.
    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    /// Returns the line between the header and the rows.
    ///
    /// - Parameter isNumeric: whether each column contains only numbers. Numbers are aligned to the right.
    static func divider(_ isNumeric: [Bool]) -> String { row(isNumeric.map { $0 ? "---:" : "---" }) }

    /// Returns a text that Markdown shows unchanged in one cell. A line break becomes `<br>`.
    static func cell(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var out = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            switch scalar {
            case "\r" where next == "\n": break
            case "\r", "\n": out.append(contentsOf: "<br>".unicodeScalars)
            case "\t": out.append(" ")
            default:
                let previous = index > 0 ? scalars[index - 1] : " "
                let isMark =
                    switch scalar {
                    // An underscore within a word, as in `created_at`, is not markup.
                    case "_": !isWord(previous) || !isWord(next)
                    // Only a name or a number makes an entity, such as `&lt;`.
                    case "&": next == "#" || isWord(next)
                    default: marks.contains(scalar)
                    }
                if isMark { out.append("\\") }
                out.append(scalar)
            }
        }
        return String(out)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
}
