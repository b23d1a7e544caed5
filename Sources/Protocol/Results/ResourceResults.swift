import JSON

/// Where an answer came from, nearest first.
public enum SourceName: String, CaseIterable, Sendable {
    case memory, persistence, remote
}

/// What every answer says of itself: `"source"`, `"fetchedAt"`, `"stale"` and, where the remote failed, `"fallback"`.
public struct Provenance: Sendable {
    /// Where it came from.
    public let source: SourceName
    /// When it came from the remote: RFC 3339 in UTC with milliseconds, in ASCII.
    public let fetchedAt: [UInt8]
    /// Whether it is older than it should be.
    public let isStale: Bool
    /// Why the remote did not answer, if it was asked.
    public let fallback: RPCError?

    /// What an answer says of itself.
    public init(source: SourceName, fetchedAt: [UInt8], isStale: Bool, fallback: RPCError?) {
        self.source = source
        self.fetchedAt = fetchedAt
        self.isStale = isStale
        self.fallback = fallback
    }

    static var members: [JSONSchema.Member] {
        [
            .required("source", .one(of: SourceName.allCases.map(\.rawValue)).described("Where it came from.")),
            .required("fetchedAt", .moment.described("When it came from the API.")),
            .required("stale", .boolean.described("Whether it is older than it should be.")),
            .optional("fallback", .component(RPCError.schemaName)),
        ]
    }

    func write(to writer: inout JSONWriter) {
        switch source {
        case .memory: writer.append(",\"source\":\"memory\",\"fetchedAt\":\"")
        case .persistence: writer.append(",\"source\":\"persistence\",\"fetchedAt\":\"")
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

/// The result of `R/get`: `{"item", "source", "fetchedAt", "stale", "fallback"?}`.
public struct GetResult: RPCResult {
    /// The item as JSON.
    public let item: [UInt8]
    /// Where it came from.
    public let provenance: Provenance

    /// What it looks like with such an item.
    public static func schema(item: JSONSchema) -> JSONSchema {
        .object([.required("item", item)] + Provenance.members)
    }

    /// A result.
    public init(item: [UInt8], provenance: Provenance) {
        self.item = item
        self.provenance = provenance
    }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the result of a hit in memory, the fast way.
    ///
    /// - Parameter fetchedAt: milliseconds since 1970.
    public static func writeHit(_ item: [UInt8], fetchedAt: Int64, isStale: Bool, to writer: inout JSONWriter) {
        writer.append("{\"item\":")
        writer.beginText()
        writer.splice(item)
        writer.append(",\"source\":\"memory\",\"fetchedAt\":\"")
        writer.append(moment: fetchedAt)
        writer.append(isStale ? "\",\"stale\":true}" : "\",\"stale\":false}")
    }

    /// Writes the members of the result into an object that is open.
    @inline(__always)
    public func writeMembers(to writer: inout JSONWriter) {
        writer.key("item")
        writer.splice(item)
        provenance.write(to: &writer)
    }
}

/// The result of `R/list`: `{"items", "page", "source", "fetchedAt", "stale", "fallback"?}`.
public struct ListResult: RPCResult {
    /// The items as JSON.
    public let items: JSONTexts
    /// `{"current", "pages", "count", "next", "previous"}` as JSON.
    public let page: [UInt8]
    /// Where it came from.
    public let provenance: Provenance

    /// What it looks like with such items and pages.
    public static func schema(item: JSONSchema, page: JSONSchema) -> JSONSchema {
        let info = JSONSchema.object([
            .required("current", page), .required("pages", .count.orNull), .required("count", .count.orNull),
            .required("next", page.orNull), .required("previous", page.orNull),
        ])
        return .object([.required("items", .array(of: item)), .required("page", info)] + Provenance.members)
    }

    /// A result.
    public init(items: JSONTexts, page: [UInt8], provenance: Provenance) {
        self.items = items
        self.page = page
        self.provenance = provenance
    }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the members of the result into an object that is open.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.key("items")
        writer.splice(array: items)
        writer.key("page")
        writer.splice(page)
        provenance.write(to: &writer)
    }
}

/// The result of `R/getMany`: `{"items", "missing", "sources"}`, and `"stale"` and `"fallback"` where the remote
/// failed.
public struct GetManyResult: RPCResult {
    /// The items as JSON, in the order asked.
    public let items: [[UInt8]]
    /// The ids, as JSON, for which there is no item.
    public let missing: [[UInt8]]
    /// How many items came from where.
    public let sources: [(name: SourceName, count: Int)]
    /// Why the remote did not answer, if cached items stand in.
    public let fallback: RPCError?

    /// What it looks like with such items and ids.
    public static func schema(item: JSONSchema, id: JSONSchema) -> JSONSchema {
        .object([
            .required("items", .array(of: item)), .required("missing", .array(of: id)),
            .required("sources", .object(JSONSchema.counts("memory", "persistence", "remote"))),
            .optional("stale", .boolean), .optional("fallback", .component(RPCError.schemaName)),
        ])
    }

    /// A result.
    public init(
        items: [[UInt8]], missing: [[UInt8]], sources: [(name: SourceName, count: Int)], fallback: RPCError?
    ) {
        self.items = items
        self.missing = missing
        self.sources = sources
        self.fallback = fallback
    }

    /// Writes the result.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        writer.splice(array: items)
        writer.key("missing")
        writer.splice(array: missing)
        writer.key("sources")
        writer.beginObject()
        for source in sources {
            writer.key(text: source.name.rawValue)
            writer.integer(source.count)
        }
        writer.endObject()
        if let fallback {
            writer.key("stale")
            writer.bool(true)
            writer.key("fallback")
            fallback.write(to: &writer)
        }
        writer.endObject()
    }
}
