import DataSources
import JSON
import Protocol
import Repositories

/// `cache/stats`: how much is kept, and how often it helped.
struct CacheStatsHandler: Handler {
    /// How the levels of the cache are that there are.
    let levels: @Sendable () async -> [Source: LocalStatistics]
    let remote: RemoteCounters
    let repositories: [any ResourceRepositoryContract]

    var description: MethodDescription {
        MethodDescription(
            tag: .cache, summary: "What is kept, and how often it helped.",
            result: .object([
                .required("memory", .object(Self.counted)),
                .required(
                    "persistence",
                    .object(
                        Self.counted + JSONSchema.counts("damaged") + [
                            .required("path", .string.orNull),
                            .required("state", .one(of: LevelState.allCases.map(\.rawValue))),
                        ])),
                .required(
                    "remote", .object(JSONSchema.counts("requests", "failures", "retries", "coalesced", "notModified"))),
                .required("resources", .map(of: .object(JSONSchema.counts("hits", "misses")))),
            ]))
    }

    func begin(
        _ params: NoParams, in session: Session, result: inout JSONWriter
    ) throws(RPCError) -> Step {
        .work(
            Work(in: .cache) {
                let levels = await levels()
                var off = LocalStatistics()
                off.state = .off
                return ValueResult([
                    "memory": .object(Self.numbers(of: levels[.memory] ?? off)),
                    "persistence": Self.describe(levels[.persistence] ?? off),
                    "remote": describeRemote(),
                    "resources": .object(
                        JSONObject(repositories.map { ($0.resource.name, Self.describe($0.statistics)) })),
                ])
            })
    }

    private static let counted = JSONSchema.counts("entries", "bytes", "limit", "hits", "misses", "evictions")

    private static func numbers(of statistics: LocalStatistics) -> JSONObject {
        JSONObject([
            ("entries", .integer(statistics.entries)), ("bytes", .integer(statistics.bytes)),
            ("limit", .integer(statistics.limit)), ("hits", .integer(statistics.hits)),
            ("misses", .integer(statistics.misses)), ("evictions", .integer(statistics.evictions)),
        ])
    }

    /// What was shared between calls is counted by those who share it.
    private func describeRemote() -> JSONValue {
        let counted = remote.statistics
        return [
            "requests": .integer(counted.requests), "failures": .integer(counted.failures),
            "retries": .integer(counted.retries),
            "coalesced": .integer(repositories.reduce(0) { $0 &+ $1.statistics.coalesced }),
            "notModified": .integer(counted.notModified),
        ]
    }

    private static func describe(_ statistics: LocalStatistics) -> JSONValue {
        var object = numbers(of: statistics)
        object["damaged"] = .integer(statistics.damaged)
        object["path"] = statistics.path.map { .string($0) } ?? .null
        object["state"] = .string(statistics.state.rawValue)
        return .object(object)
    }

    private static func describe(_ statistics: ResourceStatistics) -> JSONValue {
        ["hits": .integer(statistics.hits), "misses": .integer(statistics.misses)]
    }
}
