import JSON
import RPCServer

/// Prints the items of a list on stdout. Prints each page when it arrives, or all items at the end if they must be
/// sorted.
struct ItemsPrinter {
    private let order: SortOrder
    private var text: ItemsText
    /// The items received so far, in the API's order. Empty if the items need not be sorted.
    private var waiting: [JSONValue] = []
    /// The maximum number of items to print if they are sorted. It does not apply to unsorted items.
    private let limit: Int
    /// Whether items were omitted because of `limit`.
    private(set) var isCut = false
    var output: TerminalOutput

    init(
        _ view: TerminalView, _ order: SortOrder, limit: Int, _ output: TerminalOutput,
        similar: @escaping (String) -> String?
    ) {
        self.order = order
        self.limit = limit
        self.output = output
        text = ItemsText(view, names: order.keys.map(\.name), similar: similar)
    }

    /// The number of received items so far.
    var count: Int { text.count + waiting.count }
    var notes: [String] { text.notes }

    /// Prints a page, or stores its items for the output at the end. Returns false if stdout accepts no more text.
    mutating func write(_ items: [JSONValue]) -> Bool {
        if order.isNeeded {
            waiting += items
            return true
        }
        return output.write(text.text(items))
    }

    /// Prints the stored items and the text after the last item. Returns false if stdout accepts no more text.
    mutating func end() -> Bool {
        isCut = waiting.count > limit
        let last = text.text(Array(order.sorted(waiting).prefix(limit)))
        waiting = []
        let isWritten = output.write(last + text.end)
        for warning in text.warnings { ErrorStream.show("larder: \(warning)\n") }
        return isWritten
    }
}
