import DataSources
import JSON
import Protocol

/// What `cache/stats` tells of the shared level of the cache.
enum SharedDescription {
    static let schema = JSONSchema.object(
        [
            .required("url", .string), .required("mode", .one(of: SharedMode.allCases.map(\.rawValue))),
            .required("namespace", .string),
            .required("state", .one(of: SharedStatistics.State.allCases.map(\.rawValue))),
            .required("reason", .string.orNull), .required("version", .string.orNull),
            .required("writeRefusal", .string.orNull),
        ]
            + JSONSchema.counts(
                "hits", "misses", "written", "refused", "rejected", "lost", "failures", "waited"))

    static func json(_ shared: SharedStatistics) -> JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        return [
            "url": .string(shared.url), "mode": .string(shared.mode.rawValue),
            "namespace": .string(shared.namespace), "state": .string(shared.state.rawValue),
            "reason": text(shared.reason), "version": text(shared.version), "writeRefusal": text(shared.writeRefusal),
            "hits": .integer(shared.hits), "misses": .integer(shared.misses), "written": .integer(shared.written),
            "refused": .integer(shared.refused), "rejected": .integer(shared.rejected),
            "lost": .integer(shared.lost), "failures": .integer(shared.failures),
            "waited": .integer(shared.waited),
        ]
    }
}
