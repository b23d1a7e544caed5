import Catalog
import DataSources
import JSON
import Model
import Protocol
import System

/// What the answers of tools have besides the result of a method: the age of the items, because models do not know what
/// time it is, and a limit of their size.
struct ToolAnswer: Sendable {
    let clock: any ClockContract

    /// About how many bytes of items an answer shows: hosts cut what is longer, and then it is no JSON any more.
    static let largest = 60_000

    /// The items that an answer shows: those that fit, and at least one, so that a model gets to the end.
    ///
    /// - Parameters:
    ///   - count: the number of items that there are.
    ///   - offset: the first item to show.
    ///   - limit: the maximum number of items to show.
    ///   - size: the number of bytes of an item.
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

    /// Writes the items that an answer shows. Returns their number.
    static func write(_ items: [[UInt8]], to writer: inout JSONWriter) -> Int {
        let shown = shown(of: items.count) { items[$0].count }
        writer.key("items")
        writer.beginArray()
        for item in items[shown] { writer.splice(item) }
        writer.endArray()
        return shown.count
    }

    /// Writes how many seconds ago the oldest of several items came.
    func writeAge(since oldest: Timestamp?, to writer: inout JSONWriter) {
        guard let oldest else { return }
        writer.key("age")
        writer.integer(clock.now().age(of: oldest) / 1000)
    }
}

/// The words that the schemas of several tools have in common.
enum ToolSchemas {
    static func resource(_ names: [String]) -> ToolArgument {
        ToolArgument(name: "resource", schema: .choice(of: names), isRequired: true)
    }

    static let scope = ToolArgument(
        name: "scope", schema: JSONSchema.object.described("Parents of the items, such as {\"owner\":\"a\"}."))
    static let fields = ToolArgument(
        name: "fields",
        schema: JSONSchema.array(ofSome: .string).described("Show only these, such as [\"id\",\"owner.name\"]."))
    static let cachePolicy = ToolArgument(
        name: "cachePolicy",
        schema: JSONSchema.choice(of: CachePolicy.allCases.map(\.rawValue)).described(
            "Default localFirst: cache if fresh, else API. remoteFirst: API, cache if that fails. localOnly: cache. "
                + "none: API."))
    static let maxAge = ToolArgument(
        name: "maxAge",
        schema: JSONSchema.any(ofTypes: "string", "number").described(
            "How old a cached answer may be: seconds, or \"5m\"."))
    static let filter = ToolArgument(name: "filter", schema: JSONSchema.object.described("See the description."))
}
