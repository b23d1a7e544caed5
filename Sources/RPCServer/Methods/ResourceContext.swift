import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// What the handlers of one resource share: its repository, and the way between the wire's words and the repository's.
package struct ResourceContext: Sendable {
    /// That of the resource, or of one of its scopes.
    package internal(set) var repository: any ResourceRepositoryContract
    /// Of which scope the repository is; nil for the resource's own.
    var scope: ResourceScope?
    /// In a search, the values that a scope must have; nil for a resource without one.
    var narrowing: ScopeNarrowing?
    /// What the resource's ids are.
    let idType: IDType
    let errors: RPCErrorMapper
    /// Whether the network must never be used: every policy then is `localOnly`.
    let isOffline: Bool
    /// Whether there is a shared level of the cache: only then answers speak of it.
    var hasShared = false

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
        if let id = idType.canonical(text) {
            // First, because `resource` is a large copy.
            if DotSegments.areFound(in: id), repository.resource.hasDotSegments(id, in: "id", "ids") {
                throw .dotSegments(id, "\(name)")
            }
            return id
        }
        let expected = idType == .integer ? "an integer" : "a string that is not empty"
        throw RPCError(.invalidParams, "'\(name)' must be \(expected), not '\(text.prefix(100))'")
    }

    /// The fields that items show; nil for all.
    ///
    /// - Throws: `invalidParams` for one that the resource does not have.
    func fields(_ param: FieldsParam?) throws(RPCError) -> FieldsParam? {
        guard let param, let declared = repository.resource.fields else { return param }
        let names = FieldNames(fields: declared)
        for name in param.names where !names.areShown(by: name) {
            let known = names.all.map { "'\($0)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams, "'fields' has '\(name.prefix(100))': the fields of an item are \(known)")
        }
        return param.taking { name in declared.contains { $0.name == name } }
    }

    /// What `fields(_:)` takes.
    var fieldsSchema: JSONSchema {
        let pattern = repository.resource.fields.map { FieldNames(fields: $0).shownPattern }
        return .array(ofSome: .string(pattern: pattern ?? #"^[^.]+(\.[^.]+)*$"#))
    }

    /// An id as results have it.
    func json(_ id: String) -> [UInt8] {
        var writer = JSONWriter()
        idType.write(id, to: &writer)
        return writer.bytes
    }

    /// How many items of an answer came from each source that there is.
    func counted(_ sources: [Source: Int]) -> [Source: Int] {
        hasShared ? sources.merging([.shared: 0]) { count, _ in count } : sources
    }

    func provenance<Value>(_ answer: Answer<Value>) -> Provenance {
        Provenance(
            source: answer.source, fetchedAt: answer.fetchedAt, isStale: answer.isStale,
            fallback: answer.fallback.map { errors.remote($0) })
    }
}

extension RPCError {
    /// Refuses a value that a server could take for another path.
    static func dotSegments(_ value: String, _ name: String) -> RPCError {
        RPCError(
            .invalidParams,
            "'\(name)' must not have a segment '.' or '..': '\(value.prefix(100))' could lead to another path")
    }
}
