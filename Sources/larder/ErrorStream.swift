import JSON
import RPCServer

/// Writes messages for users to stderr.
enum ErrorStream {
    /// Writes messages. On a terminal, control characters are escaped, and long lines are broken between words.
    static func show(_ text: String) {
        guard let columns = Terminal.columns(of: 2), columns > 0 else {
            StandardStreams.show(text, on: 2)
            return
        }
        StandardStreams.write(wrapped(VisibleText.lines(text), to: max(columns, Terminal.minWidth)), to: 2)
    }

    /// Breaks the lines that are wider than `width` columns. Indents the continuation of each broken line more deeply.
    static func wrapped(_ text: String, to width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = String(line)
            if TextWidth.of(line) <= width { return line }
            let indent = String(line.prefix { $0 == " " })
            return TextWidth.paragraph(line, to: width, indent: indent, hanging: indent + "  ")
        }.joined(separator: "\n")
    }
}
