/// Writes roff with the macros of `man`.
struct Roff {
    private(set) var text = ""

    /// Writes the title line of the page.
    mutating func title(_ name: String, section: Int, source: String, manual: String) {
        line(".TH \(quoted(name)) \(section) \"\" \(quoted(source)) \(quoted(manual))")
    }

    mutating func section(_ name: String) { line(".SH \(quoted(name))") }

    mutating func subsection(_ name: String) { line(".SS \(quoted(name))") }

    mutating func paragraph(_ words: String) {
        line(".PP")
        line(Self.escaped(words))
    }

    /// Writes a term in bold and, indented below it, its meaning.
    mutating func row(_ term: String, _ meaning: String) {
        line(".TP")
        line("\\fB\(Self.escaped(term))\\fR")
        line(Self.escaped(meaning))
    }

    /// Writes lines without filling.
    mutating func lines(_ lines: [String]) {
        line(".nf")
        for text in lines { line(Self.escaped(text)) }
        line(".fi")
    }

    /// Escapes text so that roff prints it literally. A dash becomes a minus sign, so that options can be copied, and
    /// a leading `.` does not start a request.
    static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "\\": out += "\\e"
            case "-": out += "\\-"
            case "'": out += "\\(aq"
            case "`": out += "\\(ga"
            case "^": out += "\\(ha"
            case "~": out += "\\(ti"
            default: out.append(character)
            }
        }
        return out.hasPrefix(".") ? "\\&" + out : out
    }

    private func quoted(_ text: String) -> String {
        "\"\(Self.escaped(text).split(separator: "\"").joined(separator: "\\(dq"))\""
    }

    private mutating func line(_ line: String) { text += line + "\n" }
}
