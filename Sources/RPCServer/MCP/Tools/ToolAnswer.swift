import Catalog
import DataSources
import JSON
import Model
import Protocol
import System

/// How the result of a method becomes the answer of a tool: the same members, with the age of what is shown.
struct ToolAnswer: Sendable {
    let clock: any ClockContract

    /// About how many bytes of items an answer shows: hosts cut what is longer, and then it is no JSON any more.
    static let largest = 60_000

    /// How many of the items an answer shows, beginning with one of them: what fits, and one in any case, so that a
    /// model gets on.
    static func shown(of items: JSONView?, from offset: Int, atMost limit: Int) -> Range<Int> {
        var index = 0
        var end = offset
        var size = 0
        guard let items else { return offset..<offset }
        for item in items.elements {
            defer { index += 1 }
            guard index >= offset else { continue }
            size += item.token.count + 1
            guard index - offset < limit, size <= largest || index == offset else { break }
            end = index + 1
        }
        return min(offset, index)..<max(end, min(offset, index))
    }

    /// Writes the items of a range.
    static func write(_ items: JSONView?, _ range: Range<Int>, to writer: inout JSONWriter) {
        writer.key("items")
        writer.beginArray()
        if let items {
            for (index, item) in items.elements.enumerated() where range.contains(index) { writer.value(item) }
        }
        writer.endArray()
    }

    /// Writes the members of a result but those that the tool writes itself. After the moment at which it came from
    /// the API stands how many seconds ago that was: models do not know what time it is.
    func copy(_ result: JSONView, without own: [StaticString] = [], to writer: inout JSONWriter) {
        for member in result.members where !own.contains(where: { member.key.isString($0) }) {
            writer.key(member.key)
            writer.value(member.value)
            guard member.key.isString("fetchedAt"), let age = milliseconds(since: member.value.string) else { continue }
            writer.key("age")
            writer.integer(age / 1000)
        }
    }

    /// Writes how many seconds ago the oldest of several items came.
    func writeAge(since oldest: Int64?, to writer: inout JSONWriter) {
        guard let oldest else { return }
        writer.key("age")
        writer.integer(max(0, clock.now().milliseconds - oldest) / 1000)
    }

    /// Milliseconds since a moment; nil for a text that is none.
    func milliseconds(since moment: String?) -> Int64? {
        guard let moment, let then = RFC3339Reader.milliseconds(moment) else { return nil }
        return max(0, clock.now().milliseconds - then)
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
