import JSON

/// The params of `R/get`: `{"id", "cachePolicy"?, "maxAge"?}`.
public struct GetParams: MethodParams, Equatable, Sendable {
    public static let declared = ParameterList(
        Parameters.id.required, Parameters.cachePolicy.optional, Parameters.maxAge.optional)

    /// The item's id: an integer's digits, or the string.
    public let id: String
    public let freshness: FreshnessParams

    public init(_ reader: ParamsReader) throws(RPCError) {
        // Most requests have nothing but an id.
        if let id = try reader.only(Parameters.id) {
            self.id = id
            freshness = .standard
            return
        }
        let (id, cachePolicy, maxAge) = try Self.declared.read(reader)
        self.id = id
        freshness = FreshnessParams(cachePolicy, maxAge)
    }
}

/// The result of `R/get`: `{"item", "source", "fetchedAt", "stale", "fallback"?}`.
public struct GetResult: RPCResult {
    public let item: [UInt8]
    public let provenance: Provenance

    public static func schema(item: JSONSchema) -> JSONSchema {
        .object([.required("item", item)] + Provenance.members)
    }

    public init(item: [UInt8], provenance: Provenance) {
        self.item = item
        self.provenance = provenance
    }

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
