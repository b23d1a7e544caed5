/// Writes roff source text with the `man` macros.
struct Roff {
    private(set) var text = ""

    /// Writes the title line of the man page.
    mutating func title(_ name: String, section: Int, source: String, manual: String) {
        line(".TH \(quoted(name)) \(section) \"\" \(quoted(source)) \(quoted(manual))")
    }

    mutating func section(_ name: String) { line(".SH \(quoted(name))") }

    mutating func subsection(_ name: String) { line(".SS \(quoted(name))") }

    mutating func paragraph(_ words: String) {
        line(".PP")
        line(Self.escaped(words))
    }

    /// Writes a term in bold, and its meaning indented below the term.
    mutating func row(_ term: String, _ meaning: String) {
        line(".TP")
        line("\\fB\(Self.escaped(term))\\fR")
        line(Self.escaped(meaning))
    }

    /// Writes lines and keeps their line breaks.
    mutating func lines(_ lines: [String]) {
        line(".nf")
        for text in lines { line(Self.escaped(text)) }
        line(".fi")
    }

    /// Escapes text so that roff prints it unchanged. A dash becomes a minus sign, so that users can copy options. A
    /// leading `.` is escaped, because roff would treat the line as a request.
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
