/// Writes roff with the macros of `man`.
struct Roff {
    private(set) var text = ""

    /// The page's title line.
    mutating func title(_ name: String, section: Int, source: String, manual: String) {
        line(".TH \(quoted(name)) \(section) \"\" \(quoted(source)) \(quoted(manual))")
    }

    mutating func section(_ name: String) { line(".SH \(quoted(name))") }

    mutating func subsection(_ name: String) { line(".SS \(quoted(name))") }

    mutating func paragraph(_ words: String) {
        line(".PP")
        line(Self.escaped(words))
    }

    /// A term in bold, and its meaning, indented below it.
    mutating func row(_ term: String, _ meaning: String) {
        line(".TP")
        line("\\fB\(Self.escaped(term))\\fR")
        line(Self.escaped(meaning))
    }

    /// Lines as they are.
    mutating func lines(_ lines: [String]) {
        line(".nf")
        for text in lines { line(Self.escaped(text)) }
        line(".fi")
    }

    /// Text that stands for itself: a backslash is none of roff's, a dash is a minus that can be copied, and what a
    /// line begins with is no request.
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
