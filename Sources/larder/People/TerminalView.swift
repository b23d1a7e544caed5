import JSON
import RPCServer
import System

/// Formats results in the format that the user's options select. Without such an option, the format depends on whether
/// the output is a terminal or a pipe.
struct TerminalView {
    let terminal: Terminal
    let format: OutputFormat
    let fields: [String]?
    let paint: Paint
    private let clock: any ClockContract
    let isOffline: Bool

    /// Creates the formatter for one command.
    ///
    /// - Parameter isSingle: whether the command prints one item instead of a list.
    init(_ terminal: Terminal, isSingle: Bool, _ options: CommandOptions, _ clock: any ClockContract) {
        self.terminal = terminal
        format = options.people.format(isJSON: options.isJSON, isSingle: isSingle, terminal)
        fields = options.people.fields
        paint = Paint(isOn: terminal.hasColour)
        self.clock = clock
        isOffline = options.isOffline
    }

    /// Returns a value as one line of JSON. For a terminal, control characters are escaped.
    func json(_ value: JSONValue) -> String { terminal.line(value) }

    /// Returns a value as indented JSON on several lines, without a line break at the end.
    func indentedJSON(_ value: JSONValue, margin: Int = 0) -> String {
        PrettyJSON(paint: paint, isVisible: terminal.isTerminal).text(value, margin: margin)
    }

    /// Returns text with several lines. For a terminal, control characters are escaped.
    func plain(_ text: String) -> String { terminal.isTerminal ? VisibleText.lines(text) : text }

    /// Returns all printed items of a command in the selected format.
    func text(_ items: [JSONValue]) -> String {
        var text = ItemsText(self)
        return text.text(items) + text.end
    }

    /// Returns a method's result in one of the formats `yaml`, `jsonl` and `json`.
    func text(_ result: JSONValue, as format: OutputFormat) -> String {
        switch format {
        case .yaml: plain(YAMLText.text(result))
        case .jsonl: json(result)
        default: indentedJSON(result) + "\n"
        }
    }

    func record(_ item: JSONValue) -> String { ItemView(width: terminal.width, paint: paint).text(item) }

    /// Returns the output of a finished `prefetch` command: a summary for a terminal, or the result as JSON for a
    /// program.
    func prefetched(_ result: JSONValue) -> String {
        if !format.isForPeople { return format == .json ? indentedJSON(result) + "\n" : json(result) }
        func number(_ name: String) -> Int { result[name]?.int ?? 0 }
        let completeness =
            switch result["complete"] {
            case .bool(true)?: "the list is complete"
            case .bool(false)?: "the list is incomplete"
            default: "the list may be incomplete"
            }
        return lines(
            "\(OriginText.count(number("items"), "item")) on \(OriginText.count(number("pages"), "page")) "
                + "(\(number("fetched")) fetched, \(number("reused")) from the cache); \(completeness)"
        ).joined()
    }

    /// Returns the output of a finished `sync` command: the changes and a summary for a terminal, or the result as JSON
    /// for a program.
    func synced(_ result: JSONValue) -> String {
        if !format.isForPeople { return format == .json ? indentedJSON(result) + "\n" : json(result) }
        let changes = SyncText.changes(result).map { VisibleText.line($0) + "\n" }
        return (changes + lines(SyncText.summary(result))).joined()
    }

    /// Writes the notes, then the source and age of the data. Machine-readable output must not contain these texts, so
    /// a warning on stderr reports incomplete or outdated data instead.
    func end(_ origin: OriginText, to output: inout TerminalOutput, before notes: [String] = []) {
        let now = clock.now()
        if !format.isForPeople {
            // Without this note, the receiver of a pipe could assume that the list is complete.
            if let more = notes.last, more.contains("--all"), !terminal.isTerminal, isatty(2) != 0 {
                ErrorStream.show("larder: \(more)\n")
            }
            if let warning = origin.warning(now: now) { ErrorStream.show("larder: \(warning)\n") }
            return
        }
        let source = origin.text(now: now, isOffline: isOffline)
        let last = source.isEmpty ? notes.last ?? "" : notes.last.map { "\($0); \(source)" } ?? source
        end(to: &output, notes.dropLast() + [last])
    }

    /// Writes the notes below a table, the least important note first. Does nothing for machine-readable formats.
    func end(to output: inout TerminalOutput, _ notes: [String]) {
        if !format.isForPeople { return }
        _ = output.write(notes.flatMap { lines($0) }.joined())
    }

    private func lines(_ text: String) -> [String] {
        TextWidth.wrap(text, to: terminal.width).map { paint.aside($0) + "\n" }
    }
}
