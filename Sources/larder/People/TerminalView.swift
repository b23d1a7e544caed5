import JSON
import RPCServer
import System

/// The formatter of results. It returns JSON lines, or tables and items for reading on a terminal.
struct TerminalView {
    let terminal: Terminal
    let isJSON: Bool
    let fields: [String]?
    let paint: Paint
    private let clock: any ClockContract
    private let isOffline: Bool

    init(_ terminal: Terminal, _ options: CommandOptions, _ clock: any ClockContract) {
        self.terminal = terminal
        isJSON = options.isJSON || !(options.people.isTable || terminal.isTerminal)
        fields = options.people.fields
        paint = Paint(isOn: terminal.hasColour)
        self.clock = clock
        isOffline = options.isOffline
    }

    /// Returns a value as one line of JSON. For a terminal, control characters are escaped.
    func json(_ value: JSONValue) -> String {
        (terminal.isTerminal ? VisibleText.json(value.text) : value.text) + "\n"
    }

    func item(_ item: JSONValue) -> String {
        isJSON ? json(item) : ItemView(width: terminal.width, paint: paint).text(item)
    }

    /// Returns the summary of a finished `prefetch` command.
    func prefetched(_ result: JSONValue) -> String {
        if isJSON { return json(result) }
        func number(_ name: String) -> Int { result[name]?.int ?? 0 }
        let completeness =
            switch result["complete"] {
            case .bool(true)?: "the list is complete"
            case .bool(false)?: "the list is incomplete"
            default: "the list may be incomplete"
            }
        return lines(
            "\(OriginText.count(number("items"), "item")) on \(OriginText.count(number("pages"), "page")), "
                + "\(number("fetched")) fetched, \(number("reused")) from the cache; \(completeness)"
        ).joined()
    }

    /// Writes the notes, and then the source and age of the data. JSON output gets neither; if its data is incomplete
    /// or not current, a warning is written to stderr.
    func end(_ origin: OriginText, to output: inout TerminalOutput, before notes: [String] = []) {
        let now = clock.now()
        if isJSON {
            if let warning = origin.warning(now: now) { StandardStreams.show("larder: \(warning)\n", on: 2) }
            return
        }
        let source = origin.text(now: now, isOffline: isOffline)
        let last = notes.last.map { "\($0); \(source)" } ?? source
        end(to: &output, notes.dropLast() + [last])
    }

    /// Writes the notes below a table, the least important first. Writes nothing with JSON output.
    func end(to output: inout TerminalOutput, _ notes: [String]) {
        if isJSON { return }
        _ = output.write(notes.flatMap { lines($0) }.joined())
    }

    private func lines(_ text: String) -> [String] {
        TextWidth.wrap(text, to: terminal.width).map { paint.aside($0) + "\n" }
    }
}

/// The formatter of a list's rows. It formats one page after the other.
struct TerminalRows {
    private let view: TerminalView
    /// The layout of the table; nil before the first page, whose items determine the layout.
    private var layout: TableLayout?
    /// The number of rows that were formatted so far.
    private(set) var count = 0

    init(_ view: TerminalView) { self.view = view }

    /// Returns the text of further rows. The table's header precedes the first row.
    mutating func text(_ items: [JSONValue]) -> String {
        count += items.count
        if view.isJSON { return items.map { view.json($0) }.joined() }
        if items.isEmpty { return "" }
        var text = ""
        let layout = layout ?? TableLayout(items, fields: view.fields, width: view.terminal.width)
        if self.layout == nil { text += layout.header(view.paint) }
        self.layout = layout
        return text + items.map { layout.row($0, view.paint) }.joined()
    }

    /// A note with the names of the columns that do not fit; empty if all columns fit.
    var notes: [String] {
        guard let omitted = layout?.omitted, !omitted.isEmpty else { return [] }
        return ["not shown: \(omitted.map { VisibleText.line($0) }.joined(separator: ", ")) (--fields)"]
    }
}
