import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// The state that all handlers of one resource share. The context holds the repository, and converts request parameters
/// and results.
package struct ResourceContext: Sendable {
    /// The repository of the whole resource, or of one scope of the resource.
    package internal(set) var repository: any ResourceRepositoryContract
    /// The scope that the repository is limited to; nil for the whole resource.
    var scope: ResourceScope?
    /// The scope values to which a search is limited; nil for a resource without a scope.
    var narrowing: ScopeNarrowing?
    let idType: IDType
    let errors: RPCErrorMapper
    /// Whether the process makes no network requests. The cache policy of every request is then `localOnly`.
    let isOffline: Bool
    /// Whether the cache has a shared level (Redis). Results mention this level only if it exists.
    var hasShared = false
    /// The object that logs a warning if no item has a requested field. Nil if the catalog declares the fields, because
    /// unknown fields are then rejected.
    var missingFields: MissingFieldWarnings?

    var name: String { repository.resource.name }
    var itemSchema: JSONSchema { .component(repository.resource.itemSchemaName) }
    /// The JSON Schema of one item in a list. It can have fewer fields than `itemSchema`.
    var listItemSchema: JSONSchema { .component(repository.resource.listItemSchemaName) }

    /// Returns the cache policy and the maximum age that a request sets.
    func control(_ params: FreshnessParams) -> CacheControl {
        CacheControl(isOffline ? .localOnly : params.cachePolicy, maxAge: params.maxAge)
    }

    /// Returns an id in the resource's canonical form.
    ///
    /// - Throws: `invalidParams` for an id that is invalid for the resource.
    func id(_ text: String, named name: StaticString = "id") throws(RPCError) -> String {
        if let id = idType.canonical(text) {
            // The cheap test for dot segments comes first, because the test of `resource` copies a large struct.
            if DotSegments.areFound(in: id), repository.resource.hasDotSegments(id, in: "id", "ids") {
                throw .dotSegments(id, "\(name)")
            }
            return id
        }
        let expected = idType == .integer ? "an integer" : "a string that is not empty"
        let subject = "\(name)" == "ids" ? "each of 'ids'" : "'\(name)'"
        throw RPCError(.invalidParams, "\(subject) must be \(expected), not '\(text.prefix(100))'")
    }

    /// Returns the item fields that the result must contain; nil for all fields.
    ///
    /// - Throws: `invalidParams` for an unknown field.
    func fields(_ param: FieldsParam?) throws(RPCError) -> FieldsParam? {
        guard let param, let declared = repository.resource.fields else { return param }
        let names = FieldNames(fields: declared)
        for name in param.names where !names.areShown(by: name) {
            let known = names.all.map { "'\($0)'" }.joined(separator: ", ")
            let near = Suggestion.nearest(to: name, in: names.all).map { "; did you mean '\($0)'?" } ?? ""
            throw RPCError(
                .invalidParams,
                "'fields' has an unknown field '\(name.prefix(100))'; an item has the fields \(known)\(near)")
        }
        return param.taking { name in declared.contains { $0.name == name } }
    }

    /// Logs a warning for each requested field that no item has. Returns the requested fields unchanged.
    func checked(_ fields: FieldsParam?, in items: some Sequence<[UInt8]>) -> FieldsParam? {
        if let fields { missingFields?.check(fields.names, of: name, in: items) }
        return fields
    }

    /// The JSON Schema of the `fields` parameter. It accepts the names of the resource's fields.
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

    /// Adds the count 0 for the shared cache level if no item came from it. Returns the counts unchanged if the cache
    /// has no shared level.
    func counted(_ sources: [Source: Int]) -> [Source: Int] {
        hasShared ? sources.merging([.shared: 0]) { count, _ in count } : sources
    }

    func provenance<Value>(_ answer: Answer<Value>) -> Provenance {
        Provenance(
            source: answer.source, fetchedAt: answer.fetchedAt, isStale: answer.isStale, syncedAt: answer.syncedAt,
            fallback: answer.fallback.map { errors.remote($0) })
    }
}

extension RPCError {
    /// Creates the error for a value with a `.` or `..` segment. Such values are rejected because they could change the
    /// path of a URL.
    static func dotSegments(_ value: String, _ name: String) -> RPCError {
        RPCError(
            .invalidParams,
            "'\(name)' must not have a segment '.' or '..': '\(value.prefix(100))' could lead to another path; use"
                + " another value"
        )
    }
}
