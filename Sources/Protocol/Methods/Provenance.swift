import JSON
import Model

/// A result with several items, each of which may have come at another time.
public protocol AgedResult: RPCResult {
    /// When the oldest of them came from the API, in milliseconds since 1970; nil for none. It is not on the wire.
    var oldest: Int64? { get }
}

/// What every answer says of itself: `"source"`, `"fetchedAt"`, `"stale"` and, where the remote failed, `"fallback"`.
public struct Provenance: Sendable {
    public let source: Source
    /// When it came from the remote: RFC 3339 in UTC with milliseconds, in ASCII.
    public let fetchedAt: [UInt8]
    /// Whether it is older than it should be.
    public let isStale: Bool
    /// Why the remote did not answer, if it was asked.
    public let fallback: RPCError?

    public init(source: Source, fetchedAt: [UInt8], isStale: Bool, fallback: RPCError?) {
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

    func write(to writer: inout JSONWriter) {
        switch source {
        case .memory: writer.append(",\"source\":\"memory\",\"fetchedAt\":\"")
        case .persistence: writer.append(",\"source\":\"persistence\",\"fetchedAt\":\"")
        case .shared: writer.append(",\"source\":\"shared\",\"fetchedAt\":\"")
        case .remote: writer.append(",\"source\":\"remote\",\"fetchedAt\":\"")
        }
        writer.append(fetchedAt)
        writer.append(isStale ? "\",\"stale\":true" : "\",\"stale\":false")
        if let fallback {
            writer.key("fallback")
            fallback.write(to: &writer)
        }
    }
}
