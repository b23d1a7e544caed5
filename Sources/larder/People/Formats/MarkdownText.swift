/// Formats tables in GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-).
enum MarkdownText {
    /// Characters that always have a backslash, because Markdown could read them as markup.
    private static let marks: Set<Unicode.Scalar> = ["\\", "|", "`", "*", "[", "<", "~", "$"]
    /// Characters that a link cannot contain, or that readers of Markdown treat differently in a link.
    private static let linkEnds: Set<Unicode.Scalar> = ["<", ">", "\\", "\u{7F}"]

    /// Returns a row of a table.
    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    /// Returns the line between the header and the rows.
    ///
    /// - Parameter isNumeric: whether each column contains only numbers. Numbers are aligned to the right.
    static func divider(_ isNumeric: [Bool]) -> String { row(isNumeric.map { $0 ? "---:" : "---" }) }

    /// Returns a text that Markdown shows unchanged in one cell. A line break becomes `<br>`, and a URL becomes a link.
    static func cell(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var out = String.UnicodeScalarView()
        var index = 0
        // The end of a text that starts like a URL, but cannot be a link.
        var plainEnd = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if index >= plainEnd, startsURL(scalars[index...]) {
                let run = scalars[index...].prefix { !$0.properties.isWhitespace && $0 != "\"" }
                if let link = autolink(run) {
                    out.append(contentsOf: link)
                    index = run.endIndex
                    continue
                }
                plainEnd = run.endIndex
            }
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
                    case "&": startsReference(scalars[index...])
                    default: marks.contains(scalar)
                    }
                if isMark { out.append("\\") }
                out.append(scalar)
            }
            index += 1
        }
        return String(out)
    }

    private static func startsURL(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.starts(with: "http://".unicodeScalars) || text.starts(with: "https://".unicodeScalars)
    }

    /// Returns a URL as a link (https://github.github.com/gfm/#autolinks). In a link, a backslash is not an escape.
    /// Returns nil if the URL contains characters that a link cannot contain.
    private static func autolink(_ url: ArraySlice<Unicode.Scalar>) -> String.UnicodeScalarView? {
        guard url.allSatisfy({ $0 > " " && !linkEnds.contains($0) }) else { return nil }
        var out = String.UnicodeScalarView()
        out.append("<")
        for index in url.indices {
            switch url[index] {
            // The backslash is for the table, which is read before the links.
            case "|": out.append(contentsOf: "\\|".unicodeScalars)
            case "&" where startsReference(url[index...]): out.append(contentsOf: "&amp;".unicodeScalars)
            default: out.append(url[index])
            }
        }
        out.append(">")
        return out
    }

    /// Whether a text that starts with `&` starts with a character reference such as `&lt;`, `&#60;` or `&#x3C;`.
    private static func startsReference(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        var rest = text.dropFirst()
        if rest.first == "#" { rest = rest.dropFirst() }
        // No name of a character is longer than 31 letters.
        let name = rest.prefix(32).prefix { $0.isASCII && isWord($0) }
        return !name.isEmpty && rest.dropFirst(name.count).first == ";"
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
}
