import JSON
import RPCServer
import System

/// How answers are shown: as JSON lines, or as tables and items to read.
struct PeopleView {
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

    /// One line; a terminal is given nothing that it would follow.
    func json(_ value: JSONValue) -> String {
        (terminal.isTerminal ? VisibleText.json(value.text) : value.text) + "\n"
    }

    func item(_ item: JSONValue) -> String {
        isJSON ? json(item) : ItemView(width: terminal.width, paint: paint).text(item)
    }

    /// The result of `prefetch`.
    func prefetched(_ result: JSONValue) -> String {
        if isJSON { return json(result) }
        func number(_ name: String) -> Int { result[name]?.int ?? 0 }
        let whole =
            switch result["complete"] {
            case .bool(true)?: "that is the whole list"
            case .bool(false)?: "that is not the whole list"
            default: "whether that is the whole list, nobody can tell"
            }
        return lines(
            "\(OriginText.count(number("items"), "item")) on \(OriginText.count(number("pages"), "page")), "
                + "\(number("fetched")) from the API, \(number("reused")) kept already; \(whole)"
        ).joined()
    }

    /// The last lines: where all came from. Who reads JSON hears on stderr what is wrong with it, and no more.
    func end(_ origin: OriginText, to output: inout PeopleOutput, before notes: [String] = []) {
        let now = clock.now()
        if isJSON {
            if let warning = origin.warning(now: now) { StandardStreams.show("larder: \(warning)\n", on: 2) }
            return
        }
        let source = origin.text(now: now, isOffline: isOffline)
        let last = notes.last.map { "\($0); \(source)" } ?? source
        end(to: &output, notes.dropLast() + [last])
    }

    /// The last lines of a table, the least important first.
    func end(to output: inout PeopleOutput, _ notes: [String]) {
        if isJSON { return }
        _ = output.write(notes.flatMap { lines($0) }.joined())
    }

    private func lines(_ text: String) -> [String] {
        TextWidth.wrap(text, to: terminal.width).map { paint.aside($0) + "\n" }
    }
}

/// The rows of a list that comes page by page.
struct PeopleRows {
    private let view: PeopleView
    /// Made from the first page.
    private var layout: TableLayout?
    /// How many there were.
    private(set) var count = 0

    init(_ view: PeopleView) { self.view = view }

    /// The text of some more.
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

    /// What is to be said of the columns.
    var notes: [String] {
        guard let omitted = layout?.omitted, !omitted.isEmpty else { return [] }
        return ["not shown: \(omitted.map { VisibleText.line($0) }.joined(separator: ", ")) (--fields)"]
    }
}
