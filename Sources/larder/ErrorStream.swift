import JSON
import Protocol
import RPCServer
import System

/// Writes messages for users to stderr.
enum ErrorStream {
    private static let hasColour = Lock(false)

    /// Turns the colours of error messages on or off, depending on `--color` and the terminal.
    static func useColour(_ colour: ColourChoice, _ environment: Environment) {
        let isOn = Terminal(of: 2, colour: colour, environment).hasColour
        hasColour.withLock { $0 = isOn }
    }

    /// Writes messages. On a terminal, control characters are escaped, and long lines are broken between words.
    static func show(_ text: String) { write(text) { $0 } }

    /// Writes an error message. Its beginning (`larder:` and the kind of the error) is coloured if colours are on.
    static func fail(_ text: String) {
        write(text) { text in
            let mark = mark(of: text)
            return Paint(isOn: hasColour.withLock { $0 }).error(mark) + text.dropFirst(mark.count)
        }
    }

    private static func write(_ text: String, _ paint: (String) -> String) {
        let columns = Terminal.columns(of: 2)
        var text = columns == nil ? text : VisibleText.lines(text)
        if let columns, columns > 0 { text = wrapped(text, to: max(columns, Terminal.minWidth)) }
        StandardStreams.write(paint(text), to: 2)
    }

    /// Returns the beginning of an error message, such as `larder: notFound:`. Empty for text that does not begin with
    /// `larder:`.
    private static func mark(of text: String) -> String {
        let program = "larder:"
        guard text.hasPrefix(program) else { return "" }
        for case let kind? in RPCError.Code.own.map(\.kind) {
            let mark = "\(program) \(kind):"
            if text.hasPrefix(mark) { return mark }
        }
        return program
    }

    /// Breaks lines that are wider than `width` columns. Each continuation is indented by two more spaces than its
    /// line.
    static func wrapped(_ text: String, to width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = String(line)
            if TextWidth.of(line) <= width { return line }
            let indent = String(line.prefix { $0 == " " })
            return TextWidth.paragraph(line, to: width, indent: indent, hanging: indent + "  ")
        }.joined(separator: "\n")
    }
}
