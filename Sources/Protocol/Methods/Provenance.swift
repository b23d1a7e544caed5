import JSON
import Model
import System

/// Where an answer came from and how old it is: `"source"`, `"fetchedAt"`, `"stale"` and, if the remote failed,
/// `"fallback"`.
public struct Provenance: Sendable {
    public let source: Source
    /// When it came from the remote.
    public let fetchedAt: Timestamp
    /// Whether it is older than it should be.
    public let isStale: Bool
    /// Why the remote did not answer, if it was asked.
    public let fallback: RPCError?

    public init(source: Source, fetchedAt: Timestamp, isStale: Bool, fallback: RPCError?) {
        self.source = source
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        self.fallback = fallback
    }

    static var members: [JSONSchema.Member] {
        [
            .required("source", .one(of: Source.allCases.map(\.rawValue)).described("Where it came from.")),
            .required("fetchedAt", .moment.described("When it came from the API.")),
            .required("stale", .boolean.described("Whether it is older than it should be.")),
            .optional("fallback", .component(RPCError.schemaName)),
        ]
    }

    /// Writes the members into an open object.
    ///
    /// - Parameter now: if given, `"age"` follows `"fetchedAt"`: the whole seconds between the two.
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
        if let fallback {
            writer.key("fallback")
            fallback.write(to: &writer)
        }
    }
}

extension Timestamp {
    /// The milliseconds since an earlier moment; 0 if the clock was set back.
    public func age(of moment: Timestamp) -> Int64 { max(0, milliseconds - moment.milliseconds) }
}
