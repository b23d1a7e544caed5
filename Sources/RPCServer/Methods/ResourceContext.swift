import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// The state that the handlers of one resource share: its repository, and the conversion of params and results.
package struct ResourceContext: Sendable {
    /// The repository of the resource, or of one of its scopes.
    package internal(set) var repository: any ResourceRepositoryContract
    /// The repository's scope; nil for the whole resource.
    var scope: ResourceScope?
    /// The scope values that a search is limited to; nil for a resource without a scope.
    var narrowing: ScopeNarrowing?
    /// The type of the resource's ids.
    let idType: IDType
    let errors: RPCErrorMapper
    /// Whether the process uses no network. Then every policy is `localOnly`.
    let isOffline: Bool
    /// Whether the cache has a shared level. Only then do results mention it.
    var hasShared = false

    var name: String { repository.resource.name }
    /// The schema of an item.
    var itemSchema: JSONSchema { .component(repository.resource.itemSchemaName) }
    /// The schema of an item as the list returns it.
    var listItemSchema: JSONSchema { .component(repository.resource.listItemSchemaName) }

    /// Returns the cache policy and the maximum age of a request.
    func control(_ params: FreshnessParams) -> CacheControl {
        CacheControl(isOffline ? .localOnly : params.cachePolicy, maxAge: params.maxAge)
    }

    /// Returns an id in the resource's canonical form.
    ///
    /// - Throws: `invalidParams` for an id that the resource cannot have.
    func id(_ text: String, named name: StaticString = "id") throws(RPCError) -> String {
        if let id = idType.canonical(text) {
            // Checked first, because `resource` is a large copy.
            if DotSegments.areFound(in: id), repository.resource.hasDotSegments(id, in: "id", "ids") {
                throw .dotSegments(id, "\(name)")
            }
            return id
        }
        let expected = idType == .integer ? "an integer" : "a string that is not empty"
        throw RPCError(.invalidParams, "'\(name)' must be \(expected), not '\(text.prefix(100))'")
    }

    /// Returns the fields to show; nil for all.
    ///
    /// - Throws: `invalidParams` for an unknown field.
    func fields(_ param: FieldsParam?) throws(RPCError) -> FieldsParam? {
        guard let param, let declared = repository.resource.fields else { return param }
        let names = FieldNames(fields: declared)
        for name in param.names where !names.areShown(by: name) {
            let known = names.all.map { "'\($0)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams,
                "'fields' has an unknown field '\(name.prefix(100))': the fields of an item are \(known)")
        }
        return param.taking { name in declared.contains { $0.name == name } }
    }

    /// The schema of the names that `fields(_:)` accepts.
    var fieldsSchema: JSONSchema {
        let pattern = repository.resource.fields.map { FieldNames(fields: $0).shownPattern }
        return .array(ofSome: .string(pattern: pattern ?? #"^[^.]+(\.[^.]+)*$"#))
    }

    /// Returns an id as JSON.
    func json(_ id: String) -> [UInt8] {
        var writer = JSONWriter()
        idType.write(id, to: &writer)
        return writer.bytes
    }

    /// Adds a count of 0 for the shared level if the cache has one and no item came from it.
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
    /// Returns the error for a value with a `.` or `..` segment, which could change the path of a URL.
    static func dotSegments(_ value: String, _ name: String) -> RPCError {
        RPCError(
            .invalidParams,
            "'\(name)' must not have a segment '.' or '..': '\(value.prefix(100))' could lead to another path")
    }
}
