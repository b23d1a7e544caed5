import DataSources
import JSON
import Protocol
import Repositories

/// What the handlers of one resource share: its repository, and the way between the wire's words and the repository's.
struct ResourceContext: Sendable {
    let repository: any ResourceRepositoryContract
    /// What the resource's ids are.
    let idType: IDType
    let errors: RPCErrorMapper
    /// Whether the network must never be used: every policy then is `localOnly`.
    let isOffline: Bool

    var name: String { repository.resource.name }
    /// What an item looks like.
    var itemSchema: JSONSchema { .component(repository.resource.itemSchemaName) }
    /// What the list shows of an item.
    var listItemSchema: JSONSchema { .component(repository.resource.listItemSchemaName) }

    func control(_ params: FreshnessParams) -> CacheControl {
        CacheControl(isOffline ? .localOnly : params.cachePolicy, maxAge: params.maxAge)
    }

    /// The id as the resource writes it.
    ///
    /// - Throws: `invalidParams` for one that the resource cannot have.
    func id(_ text: String, named name: StaticString = "id") throws(RPCError) -> String {
        if let id = idType.canonical(text) { return id }
        let expected = idType == .integer ? "an integer" : "a string that is not empty"
        throw RPCError(.invalidParams, "'\(name)' must be \(expected), not '\(text.prefix(100))'")
    }

    /// An id as results have it.
    func json(_ id: String) -> [UInt8] {
        var writer = JSONWriter()
        idType.write(id, to: &writer)
        return writer.bytes
    }

    func provenance<Value>(_ answer: Answer<Value>) -> Provenance {
        Provenance(
            source: answer.source, fetchedAt: answer.fetchedAt.rfc3339Bytes, isStale: answer.isStale,
            fallback: answer.fallback.map { errors.remote($0) })
    }
}
