import JSON
import RPCServer

/// Prints the items of a list on stdout: each page when it arrives, or all of them at the end if they must be sorted.
struct ItemsPrinter {
    private let order: SortOrder
    private var text: ItemsText
    /// The items that wait for the end, in the order of the API.
    private var waiting: [JSONValue] = []
    var output: TerminalOutput

    init(_ view: TerminalView, _ order: SortOrder, _ output: TerminalOutput) {
        self.order = order
        self.output = output
        text = ItemsText(view, names: order.keys.map(\.name))
    }

    /// The number of items so far, printed or waiting.
    var count: Int { text.count + waiting.count }
    var notes: [String] { text.notes }

    /// Prints a page, or keeps it for the end. Returns false if stdout accepts no more text.
    mutating func write(_ items: [JSONValue]) -> Bool {
        if order.isNeeded {
            waiting += items
            return true
        }
        return output.write(text.text(items))
    }

    /// Prints the items that wait, and what follows the last item. Returns false if stdout accepts no more text.
    mutating func end() -> Bool {
        let last = text.text(order.sorted(waiting))
        waiting = []
        let isWritten = output.write(last + text.end)
        for warning in text.warnings { StandardStreams.show("larder: \(warning)\n", on: 2) }
        return isWritten
    }
}
