import RPCServer

/// The help text of `larder --help` and `larder help TOPIC`.
enum HelpText {
    /// The overview that `larder help` prints.
    static var text: String {
        let ways = CommandDefinition.all.flatMap { command in
            command.usages.map { usage in
                (term: usage.line(of: command), meaning: usage.help)
            }
        }
        let questions = [(term: "larder -h, --help | -V, --version", meaning: "print this page; print the versions")]
        let options = OptionDefinition.all.map { (term: $0.head, meaning: $0.help) }
        return """
            larder \(Version.current): data from REST and GraphQL APIs, cached, as JSON-RPC 2.0 over stdin and stdout

            Usage (options are accepted in any position):
            \(HelpLayout.table(ways + questions))

            Examples:
              larder list character name=rick
              larder call character/list page=2 filter.name=rick

            Options:
            \(HelpLayout.table(options))

            Exit codes:
            \(HelpLayout.paragraph(exitCodes, indent: "  "))

            Details and examples: larder help TOPIC, one of
            \(HelpLayout.paragraph(HelpTopic.names.joined(separator: ", "), indent: "  "))

            """
    }

    /// Returns the text of a help topic in the layout for a terminal.
    static func text(of topic: HelpTopic) -> String {
        let head = "larder \(topic.name)" + (topic.title.isEmpty ? "" : ": \(topic.title)")
        let parts = topic.parts.map { part in
            switch part {
            case .text(let text): HelpLayout.paragraph(text, indent: "")
            case .rows(let rows): HelpLayout.table(rows)
            case .examples(let examples):
                "Examples:\n" + examples.map { "  # \($0.help)\n  \($0.line)" }.joined(separator: "\n")
            }
        }
        return ((topic.title.isEmpty ? [] : [head]) + parts).joined(separator: "\n\n") + "\n"
    }

    private static var exitCodes: String {
        let rows = HelpTopic.exitCodes.parts.flatMap { part in
            if case .rows(let rows) = part { rows.map { "\($0.term) \($0.meaning)" } } else { [String]() }
        }
        return rows.joined(separator: "; ")
    }
}

/// Formats help text for a terminal.
enum HelpLayout {
    /// The maximum width of a line, in columns. It is one column less than the usual width of a terminal.
    private static let width = 79

    /// The maximum width of a term in the left column, in columns. A wider term gets its own line.
    private static let termWidth = 26

    /// Returns terms in a left column and their meanings in a right column. A term that is too wide for the left column
    /// gets its own line.
    static func table(_ rows: [(term: String, meaning: String)]) -> String {
        let column = min(rows.map(\.term.count).max() ?? 0, termWidth) + 4
        let indent = String(repeating: " ", count: column)
        return rows.map { row in
            let meaning = paragraph(row.meaning, indent: indent)
            let term = "  \(row.term)"
            return term.count + 2 <= column ? term + meaning.dropFirst(term.count) : "\(term)\n\(meaning)"
        }.joined(separator: "\n")
    }

    /// Breaks a paragraph into lines of at most `width` columns. A word that is longer gets a line of its own.
    static func paragraph(_ text: String, indent: String) -> String {
        var lines: [String] = []
        var line = indent
        for word in text.split(separator: " ") {
            if line.count > indent.count, line.count + 1 + word.count > width {
                lines.append(line)
                line = indent
            }
            line += (line.count > indent.count ? " " : "") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }
}

extension OptionDefinition {
    /// The option's names with the placeholder of its value, such as `-c, --catalog FILE`.
    var head: String {
        let names = (short.map { "\($0), " } ?? "") + name
        return argument.map { "\(names) \($0)" } ?? names
    }
}
