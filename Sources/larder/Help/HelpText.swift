import RPCServer

/// The help text of `larder --help` and `larder help TOPIC`.
enum HelpText {
    /// Returns the overview that `larder help` prints.
    static func text(_ layout: HelpLayout = .standard) -> String {
        let ways = CommandDefinition.all.flatMap { command in
            command.usages.map { usage in
                (term: usage.line(of: command), meaning: usage.help)
            }
        }
        let questions = [(term: "larder -h, --help | -V, --version", meaning: "print this page; print the versions")]
        let options = OptionDefinition.all.map { (term: $0.head, meaning: $0.help) }
        return """
            \(layout.paragraph("larder \(Version.current): \(summary)", indent: ""))

            \(layout.paragraph("Usage (options are accepted in any position):", indent: ""))
            \(layout.table(ways + questions))

            Examples:
              larder list character name=rick
              larder call character/list page=2 filter.name=rick

            Options:
            \(layout.table(options))

            Exit codes:
            \(layout.paragraph(exitCodes, indent: "  "))

            \(layout.paragraph("Details and examples: larder help TOPIC, one of", indent: ""))
            \(layout.paragraph(HelpTopic.names.joined(separator: ", "), indent: "  "))

            """
    }

    /// Returns a help topic as text for a terminal.
    static func text(of topic: HelpTopic, _ layout: HelpLayout = .standard) -> String {
        let head = "larder \(topic.name)" + (topic.title.isEmpty ? "" : ": \(topic.title)")
        let parts = topic.parts.map { part in
            switch part {
            case .text(let text): layout.paragraph(text, indent: "")
            case .rows(let rows): layout.table(rows)
            case .examples(let examples):
                "Examples:\n" + examples.map { "  # \($0.help)\n  \($0.line)" }.joined(separator: "\n")
            }
        }
        return ((topic.title.isEmpty ? [] : [layout.paragraph(head, indent: "")]) + parts).joined(separator: "\n\n")
            + "\n"
    }

    private static let summary = "data from REST and GraphQL APIs, cached, as JSON-RPC 2.0 over stdin and stdout"

    private static var exitCodes: String {
        let rows = HelpTopic.exitCodes.parts.flatMap { part in
            if case .rows(let rows) = part { rows.map { "\($0.term) \($0.meaning)" } } else { [String]() }
        }
        return rows.joined(separator: "; ")
    }
}

/// Formats help text for a terminal.
struct HelpLayout {
    /// The layout for a terminal with 80 columns.
    static let standard = HelpLayout(columns: 80)

    /// The maximum width of a line, in columns: one column less than the width of the terminal.
    private let width: Int
    /// The maximum width of the left column. A wider term gets its own line.
    private let termWidth: Int

    /// Creates the layout for a terminal. A width above 100 columns counts as 100, and a width below 40 columns counts
    /// as 40.
    ///
    /// - Parameter columns: the width of the terminal.
    init(columns: Int) {
        width = min(max(columns, 40), 100) - 1
        termWidth = min(26, width / 3)
    }

    /// Returns terms in a left column and their meanings in a right column. A term that is too wide for the left column
    /// gets its own line.
    func table(_ rows: [(term: String, meaning: String)]) -> String {
        let column = min(rows.map(\.term.count).max() ?? 0, termWidth) + 4
        let indent = String(repeating: " ", count: column)
        return rows.map { row in
            let meaning = paragraph(row.meaning, indent: indent)
            let term = paragraph(row.term, indent: "  ", hanging: "      ")
            return term.count + 2 <= column ? term + meaning.dropFirst(term.count) : "\(term)\n\(meaning)"
        }.joined(separator: "\n")
    }

    /// Breaks a paragraph into lines of at most `width` columns. A long word stays whole.
    ///
    /// - Parameter hanging: the indentation of all lines except the first; nil to indent all lines equally.
    func paragraph(_ text: String, indent: String, hanging: String? = nil) -> String {
        TextWidth.paragraph(text, to: width, indent: indent, hanging: hanging ?? indent)
    }
}

extension OptionDefinition {
    /// The option's names with the placeholder of its value, such as `-c, --catalog FILE`.
    var head: String {
        let names = (short.map { "\($0), " } ?? "") + name
        return argument.map { "\(names) \($0)" } ?? names
    }
}
