import JSON
import Protocol
import System

/// Where what is shown came from and how old it is, of one answer or of several together.
struct OriginText {
    private var remote = 0
    private var kept = 0
    private var shared = 0
    private var isStale = false
    private var oldest: Int64?
    private var fallback: JSONValue?
    private var skipped = 0
    private var missing = 0

    /// Counts a result of `get` or `list`.
    mutating func add(_ result: JSONValue) {
        switch result["source"] {
        case "remote"?: remote += 1
        case "shared"?: shared += 1
        default: kept += 1
        }
        if result["stale"] == true { isStale = true }
        if let moment = result["fetchedAt"]?.string.flatMap({ DateText($0) })?.milliseconds {
            oldest = min(oldest ?? moment, moment)
        }
        fallback = fallback ?? result["fallback"]
        skipped += result["skipped"]?.elements.count ?? 0
        missing += result["missing"]?.elements.count ?? 0
    }

    /// In words: `from the API, just now`.
    func text(now: Timestamp, isOffline: Bool) -> String {
        let age = oldest.map { Self.age(now.milliseconds - $0) } ?? "at no known time"
        var parts: [String] = []
        if remote + kept + shared > 1 {
            for (number, from) in [(remote, "from the API"), (kept, "kept"), (shared, "from the shared level")] {
                if number > 0 { parts.append("\(Self.count(number, "page")) \(from)") }
            }
            parts.append("the oldest \(age)")
        } else if fallback != nil || kept == 1 {
            parts = ["kept \(age)"]
        } else {
            parts = [shared == 1 ? "from the shared level, \(age)" : "from the API, \(age)"]
        }
        if isOffline { parts.append("offline") }
        if isStale, fallback == nil { parts.append("stale") }
        return (parts + troubles).joined(separator: ", ")
    }

    /// What is not as it should be, for who sees the items alone; nil where that is nothing.
    func warning(now: Timestamp) -> String? {
        if troubles.isEmpty { return nil }
        let age = oldest.map { "kept \(Self.age(now.milliseconds - $0))" } ?? "kept"
        return ((fallback == nil ? [] : [age]) + troubles).joined(separator: ", ")
    }

    private var troubles: [String] {
        var troubles: [String] = []
        if let fallback {
            let kind = fallback["data"]?["kind"]?.string
            let isSilent = kind == RPCError.Code.network.kind || kind == RPCError.Code.timeout.kind
            let message = VisibleText.line(fallback["message"]?.string ?? "no reason is known")
            troubles.append("the API \(isSilent ? "did not answer" : "failed"): \(message)")
        }
        if skipped > 0 { troubles.append("\(Self.count(skipped, "item")) of another shape left out") }
        if missing > 0 { troubles.append("\(Self.count(missing, "item")) could not be had") }
        return troubles
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// How long ago something was.
    ///
    /// - Parameter milliseconds: below 0 where another machine's clock is ahead.
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
