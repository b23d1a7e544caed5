import JSON
import Model
import System

/// The source and the age of an answer: `"source"`, `"fetchedAt"` and `"stale"`. If a sync has confirmed the value
/// after `"fetchedAt"`, `"syncedAt"` contains the time of this sync. If the API failed, `"fallback"` contains the API's
/// error.
public struct Provenance: Sendable {
    public let source: Source
    /// The time at which the API returned the value.
    public let fetchedAt: Timestamp
    /// Whether the value is stale.
    public let isStale: Bool
    /// The time of the sync that confirmed the value; nil if there was none.
    public let syncedAt: Timestamp?
    /// The API's error that made the server return a cached value; nil if there was none.
    public let fallback: RPCError?

    public init(
        source: Source, fetchedAt: Timestamp, isStale: Bool, syncedAt: Timestamp? = nil, fallback: RPCError?
    ) {
        self.source = source
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        self.syncedAt = syncedAt
        self.fallback = fallback
    }

    static var members: [JSONSchema.Member] {
        [
            .required("source", .one(of: Source.allCases.map(\.rawValue)).described("The source of the value.")),
            .required("fetchedAt", .moment.described("The time at which the API returned the value.")),
            .required("stale", .boolean.described("Whether the value is no longer fresh.")),
            .optional("fallback", .component(RPCError.schemaName)),
        ]
    }

    /// The members of a result that contains a single item: `members` and `syncedAt`.
    static var itemMembers: [JSONSchema.Member] {
        members + [
            .optional("syncedAt", .moment.described("The time of the sync that confirmed the item after `fetchedAt`."))
        ]
    }

    /// Writes the members about the source and the age of an answer, such as `source` and `fetchedAt`. The caller opens
    /// and closes the JSON object.
    ///
    /// - Parameter now: the current time, from which the member `age` is computed; nil to omit this member.
    public func write(to writer: inout JSONWriter, now: Timestamp? = nil) {
        writer.key("source")
        switch source {
        case .memory: writer.append("\"memory\",\"fetchedAt\":\"")
        case .persistence: writer.append("\"persistence\",\"fetchedAt\":\"")
        case .shared: writer.append("\"shared\",\"fetchedAt\":\"")
        case .remote: writer.append("\"remote\",\"fetchedAt\":\"")
        }
        writer.append(moment: fetchedAt.milliseconds)
        writer.append("\"")
        if let now {
            writer.append(",\"age\":")
            writer.append(String(now.age(of: fetchedAt) / 1000).utf8)
        }
        writer.append(",\"stale\":")
        writer.bool(isStale)
        if let syncedAt {
            writer.append(",\"syncedAt\":\"")
            writer.append(moment: syncedAt.milliseconds)
            writer.append("\"")
        }
        if let fallback {
            writer.key("fallback")
            fallback.write(to: &writer)
        }
    }
}

extension Timestamp {
    /// Returns the milliseconds since an earlier time. Returns 0 if the clock was set back.
    public func age(of moment: Timestamp) -> Int64 { max(0, milliseconds - moment.milliseconds) }
}
