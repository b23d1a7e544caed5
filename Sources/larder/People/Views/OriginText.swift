import JSON
import Protocol
import System

/// A description of where the printed data comes from and how old it is. It may cover several results, such as the
/// pages of a list.
struct OriginText {
    private var remote = 0
    private var cached = 0
    private var shared = 0
    private var isStale = false
    private var oldest: Int64?
    private var fallback: JSONValue?
    private var skipped = 0
    private var missing = 0

    /// Adds the source and age of a `get` or `list` result.
    mutating func add(_ result: JSONValue) {
        switch result["source"] {
        case "remote"?: remote += 1
        case "shared"?: shared += 1
        default: cached += 1
        }
        if result["stale"] == true { isStale = true }
        if let moment = result["fetchedAt"]?.string.flatMap({ DateText($0) })?.milliseconds {
            oldest = min(oldest ?? moment, moment)
        }
        fallback = fallback ?? result["fallback"]
        skipped += result["skipped"]?.elements.count ?? 0
        missing += result["missing"]?.elements.count ?? 0
    }

    /// Returns the source and age of the data, such as `from the API, just now`.
    func text(now: Timestamp, isOffline: Bool) -> String {
        let age = oldest.map { Self.age(now.milliseconds - $0) } ?? "of unknown age"
        var parts: [String] = []
        if remote + cached + shared > 1 {
            let sources = [(remote, "from the API"), (cached, "from the cache"), (shared, "from the shared level")]
            for (number, from) in sources where number > 0 {
                parts.append("\(Self.count(number, "page")) \(from)")
            }
            parts.append("the oldest \(age)")
        } else if fallback != nil || cached == 1 {
            parts = ["from the cache, \(age)"]
        } else {
            parts = [shared == 1 ? "from the shared level, \(age)" : "from the API, \(age)"]
        }
        if isOffline { parts.append("offline") }
        if isStale, fallback == nil { parts.append("stale") }
        return (parts + troubles).joined(separator: ", ")
    }

    /// Returns a warning for JSON output, which does not show the source of the data. Nil if no item is missing and the
    /// API did not fail.
    func warning(now: Timestamp) -> String? {
        if troubles.isEmpty { return nil }
        let age = oldest.map { "from the cache, \(Self.age(now.milliseconds - $0))" } ?? "from the cache"
        return ((fallback == nil ? [] : [age]) + troubles).joined(separator: ", ")
    }

    private var troubles: [String] {
        var troubles: [String] = []
        if let fallback {
            let kind = fallback["data"]?["kind"]?.string
            let isSilent = kind == RPCError.Code.network.kind || kind == RPCError.Code.timeout.kind
            let message = VisibleText.line(fallback["message"]?.string ?? "unknown reason")
            troubles.append("the API \(isSilent ? "did not answer" : "failed"): \(message)")
        }
        if skipped > 0 { troubles.append("\(Self.count(skipped, "malformed item")) skipped") }
        if missing > 0 { troubles.append("\(Self.count(missing, "item")) could not be fetched") }
        return troubles
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns the age of data as text, such as `3 h ago`.
    ///
    /// - Parameter milliseconds: the age; negative if the clock of another machine is ahead.
    static func age(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        switch seconds {
        case ..<5: return "just now"
        case ..<120: return "\(seconds) s ago"
        case ..<7200: return "\(seconds / 60) min ago"
        case ..<172_800: return "\(seconds / 3600) h ago"
        default: return "\(seconds / 86_400) d ago"
        }
    }
}
