import Catalog
import DataSources
import JSON
import Model
import Protocol
import System

/// Limits the size of tool answers. Also adds the age of the items, because models do not know the current time.
struct ToolOutput: Sendable {
    let clock: any ClockContract

    /// The approximate maximum size of the items in an answer, in bytes. MCP clients cut longer answers, which makes
    /// the JSON invalid.
    static let largest = 60_000

    /// Returns the range of the items that fit into one answer. The range contains at least one item, so that paging
    /// always makes progress.
    ///
    /// - Parameters:
    ///   - count: the number of available items.
    ///   - offset: the index of the first item.
    ///   - limit: the maximum number of items.
    ///   - size: returns the size of an item in bytes.
    static func shown(
        of count: Int, from offset: Int = 0, atMost limit: Int = .max, size: (Int) -> Int
    ) -> Range<Int> {
        let start = min(offset, count)
        var (end, total) = (start, 0)
        while end < count, end - start < limit {
            total += size(end) + 1
            guard total <= largest || end == start else { break }
            end += 1
        }
        return start..<end
    }

    /// Writes the member `items` with as many items as fit into one answer. Returns the number of written items.
    static func write(_ items: [[UInt8]], to writer: inout JSONWriter) -> Int {
        let shown = shown(of: items.count) { items[$0].count }
        writer.key("items")
        writer.beginArray()
        for item in items[shown] { writer.splice(item) }
        writer.endArray()
        return shown.count
    }

    /// Writes the age of the oldest item, in seconds.
    func writeAge(since oldest: Timestamp?, to writer: inout JSONWriter) {
        guard let oldest else { return }
        writer.key("age")
        writer.integer(clock.now().age(of: oldest) / 1000)
    }
}
