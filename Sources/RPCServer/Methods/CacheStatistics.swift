import DataSources
import JSON
import Model
import Protocol
import Repositories

/// The result of `cache/stats`, with a schema for each member.
struct CacheStatistics {
    let levels: [Source: LocalStatistics]
    let remote: RemoteCounters.Statistics
    let resources: [(name: String, statistics: ResourceStatistics)]

    static let table = ObjectTable<CacheStatistics>([
        .object("memory", ObjectTable(entries)) { $0.levels[.memory] ?? off },
        .object("persistence", ObjectTable(entries + file)) { $0.levels[.persistence] ?? off },
        .optionalObject("shared", shared) { $0.levels[.shared]?.shared },
        .object("remote", ofRemote) { $0 },
        .value("resources", .map(of: resource.schema)) { statistics in
            .object(JSONObject(statistics.resources.map { ($0.name, resource.json($0.statistics)) }))
        },
    ])

    private static let entries: [ObjectTable<LocalStatistics>.Row] = [
        .count("entries", \.entries), .count("bytes", \.bytes), .count("limit", \.limit), .count("hits", \.hits),
        .count("misses", \.misses), .count("evictions", \.evictions),
    ]

    private static let file: [ObjectTable<LocalStatistics>.Row] = [
        .count("damaged", \.damaged), .optionalText("path", \.path), .choice("state", \.state),
    ]

    private static let shared = ObjectTable<SharedStatistics>([
        .text("url", \.url), .choice("mode", \.mode), .text("namespace", \.namespace), .choice("state", \.state),
        .optionalText("reason", \.reason), .optionalText("version", \.version),
        .optionalText("writeRefusal", \.writeRefusal), .count("hits", \.hits), .count("misses", \.misses),
        .count("written", \.written), .count("refused", \.refused), .count("rejected", \.rejected),
        .count("lost", \.lost), .count("failures", \.failures), .count("waited", \.waited),
    ])

    // The value of `coalesced` comes from the repositories. They count the calls that shared another call's API
    // request.
    private static let ofRemote = ObjectTable<CacheStatistics>([
        .count("requests", \.remote.requests), .count("failures", \.remote.failures),
        .count("retries", \.remote.retries),
        .count("coalesced") { $0.resources.reduce(0) { $0 &+ $1.statistics.coalesced } },
        .count("notModified", \.remote.notModified),
    ])

    private static let resource = ObjectTable<ResourceStatistics>([
        .count("hits", \.hits), .count("misses", \.misses),
    ])

    /// The statistics that `cache/stats` reports for a cache level that is turned off.
    private static let off = {
        var statistics = LocalStatistics()
        statistics.state = .off
        return statistics
    }()
}
