import JSON
import Protocol
import System

/// Describes the source and the age of the printed data. The description may cover several results, such as the pages
/// of a list.
struct OriginText {
    /// The number of results from each source, such as `remote`.
    private var counts: [String: Int] = [:]
    private var isStale = false
    private var oldest: Int64?
    /// The earliest `syncedAt` in the results; nil if no result has one. The `syncedAt` of a result is the time of the
    /// last sync that confirmed the result.
    private var syncedAt: Int64?
    private var fallback: JSONValue?
    private var skipped = 0
    private var missing = 0

    init() {}

    /// Creates the description of a `getMany` result, without the sources of the items. The function `many` describes
    /// the sources.
    init(many result: JSONValue) {
        isStale = result["stale"] == true
        fallback = result["fallback"]
    }

    /// Adds the source and age of a `get` or `list` result to the description.
    mutating func add(_ result: JSONValue) {
        counts[result["source"]?.string ?? "memory", default: 0] += 1
        if result["stale"] == true { isStale = true }
        if let moment = Self.moment(result["fetchedAt"]) {
            oldest = min(oldest ?? moment, moment)
        }
        if let moment = Self.moment(result["syncedAt"]) { syncedAt = min(syncedAt ?? moment, moment) }
        fallback = fallback ?? result["fallback"]
        skipped += result["skipped"]?.elements.count ?? 0
        missing += result["missing"]?.elements.count ?? 0
    }

    /// Returns a time in a result, such as `fetchedAt`, as milliseconds. Returns nil if the value is missing or not a
    /// time.
    static func moment(_ value: JSONValue?) -> Int64? {
        value?.string.flatMap { DateText($0) }?.milliseconds
    }

    /// Adds the time of the last sync to the description. Does nothing if a result has its own `syncedAt`.
    ///
    /// - Parameter moment: the time of the last sync of the local copy that contains the results; nil if there is no
    ///   such copy.
    mutating func add(copySyncedAt moment: JSONValue?) { syncedAt = syncedAt ?? Self.moment(moment) }

    /// The names of the data sources and their descriptions, in the order of the output.
    private static let sources = [
        ("remote", "from the API"), ("memory", "from the cache (memory)"), ("persistence", "from the cache (disk)"),
        ("shared", "from the shared level"),
    ]

    /// Returns the source and age of the data as text, such as `from the cache (disk), 3 min old`.
    func text(now: Timestamp, isOffline: Bool) -> String {
        let age = oldest.map { Self.age(now.milliseconds - $0) } ?? "of unknown age"
        var parts = Self.sources.compactMap { name, from in
            counts[name].map { counts.values.reduce(0, +) > 1 ? "\(Self.count($0, "page")) \(from)" : from }
        }
        if counts.values.reduce(0, +) > 1 {
            if counts.keys.contains(where: { $0 != "remote" }) { parts.append(Self.oldest(age)) }
        } else if counts.isEmpty {
            parts = []
        } else if counts["remote"] == nil || age != Self.justNow {
            parts.append(age)
        }
        if let syncedAt { parts.append(Self.synced(now.milliseconds - syncedAt)) }
        if isOffline { parts.append("offline") }
        if isStale, fallback == nil { parts.append("stale") }
        return (parts + troubles).joined(separator: ", ")
    }

    /// Returns a warning about missing items or a failed API; nil if there is no problem. The warning accompanies JSON
    /// output, which does not show the source of the data.
    func warning(now: Timestamp) -> String? {
        if troubles.isEmpty { return nil }
        let age = "from the cache" + (oldest.map { ", \(Self.age(now.milliseconds - $0))" } ?? "")
        return ((fallback == nil ? [] : [age]) + troubles).joined(separator: ", ")
    }

    private var troubles: [String] {
        var troubles: [String] = []
        if let fallback {
            let kind = fallback["data"]?["kind"]?.string
            let isSilent = kind == RPCError.Code.network.kind || kind == RPCError.Code.timeout.kind
            let message = VisibleText.line(fallback["message"]?.string ?? "unknown reason")
            let isReplay = kind == RPCError.Code.notReplayed.kind
            troubles.append(isReplay ? message : "the API \(isSilent ? "did not answer" : "failed"): \(message)")
        }
        if skipped > 0 { troubles.append("\(Self.count(skipped, "malformed item")) skipped") }
        if missing > 0 { troubles.append("\(Self.count(missing, "item")) could not be fetched") }
        return troubles
    }

    /// Returns the number and sources of the items in a `getMany` result, such as `2 items: 1 from the cache (disk), 1
    /// from the API`.
    static func many(_ result: JSONValue) -> String {
        let items = count(result["items"]?.elements.count ?? 0, "item")
        let parts = Self.sources.compactMap { name, from in
            (result["sources"]?[name]?.int).flatMap { $0 > 0 ? "\($0) \(from)" : nil }
        }
        return parts.isEmpty ? items : "\(items): \(parts.joined(separator: ", "))"
    }

    static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// The text for an age of less than 5 s.
    static let justNow = "just now"

    /// Returns the text for the age of the oldest of several results, such as `the oldest 3 h old`.
    static func oldest(_ age: String) -> String { age == justNow ? age : "the oldest \(age)" }

    /// Returns the time since a sync as text, such as `synced 3 h ago`.
    static func synced(_ milliseconds: Int64) -> String {
        let age = age(milliseconds)
        return "synced " + (age == justNow ? age : age.dropLast("old".count) + "ago")
    }

    /// Returns the age of data as text, such as `3 h old`.
    ///
    /// - Parameter milliseconds: the age; negative if the clock of another machine is ahead.
    static func age(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        switch seconds {
        case ..<5: return justNow
        case ..<120: return "\(seconds) s old"
        case ..<7200: return "\(seconds / 60) min old"
        case ..<172_800: return "\(seconds / 3600) h old"
        default: return "\(seconds / 86_400) d old"
        }
    }
}
