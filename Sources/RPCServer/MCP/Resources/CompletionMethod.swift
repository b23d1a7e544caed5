import DataSources
import JSON
import Model
import Protocol
import Repositories

/// `completion/complete`: suggests values for a variable in the URI template of a resource. The values come from the
/// cached items.
struct CompletionMethod: MCPMethodContract {
    /// The maximum number of suggested values. The protocol sets this limit (`CompleteResult`).
    private static let maxCount = 100
    /// The maximum length of the value to complete, in bytes. A search for a longer value would take too long.
    private static let maxLength = 1000

    let repositories: RepositoryTable
    let errors: RPCErrorMapper

    var readsCache: Bool { true }

    @_optimize(size)
    func begin(_ params: JSONView?, _ exchange: MCPExchange, result: inout JSONWriter) throws(RPCError) -> Step {
        let repository = try repository(params?["ref" as StaticString])
        let argument = params?["argument" as StaticString]
        guard let name = argument?["name" as StaticString]?.string,
            let value = argument?["value" as StaticString]?.string
        else {
            throw RPCError(.invalidParams, "'argument' must have 'name' and 'value', both strings")
        }
        guard value.utf8.count <= Self.maxLength else {
            throw RPCError(.invalidParams, "'value' must have at most \(Self.maxLength) bytes")
        }
        let resource = repository.resource
        let variables = ItemURI.variables(of: resource)
        guard variables.contains(name) else {
            let known = variables.map { "'\($0)'" }.joined(separator: ", ")
            throw RPCError(
                .invalidParams, "the template has no variable '\(name.prefix(100))'; use one of \(known)")
        }
        let given = params?["context" as StaticString]?["arguments" as StaticString]
        let narrowing = ScopeNarrowing(
            try resource.scope.filter { $0.name != name }.values(isOptional: true) { part in
                given?[part].flatMap { $0.string?.isEmpty == false ? .some(JSONValue($0)) : .none }
            })
        return .work(
            Work { () async throws(RPCError) in
                do throws(LocalDataError) {
                    let scope = resource.scope.isEmpty ? nil : narrowing
                    let values =
                        try await name == "id"
                        ? repository.ids(matching: value, scope: scope, limit: Self.maxCount + 1)
                        : repository.scopeValues(of: name, scope: narrowing).filter { $0.hasPrefix(value) }
                    return Completion(values: values, maxCount: Self.maxCount, exchange: exchange)
                } catch {
                    throw errors.local(error)
                }
            })
    }

    private func repository(_ ref: JSONView?) throws(RPCError) -> any ResourceRepositoryContract {
        guard ref?["type" as StaticString]?.isString("ref/resource") == true,
            let uri = ref?["uri" as StaticString]?.string
        else {
            throw RPCError(.invalidParams, "'ref' must be {\"type\": \"ref/resource\", \"uri\": a template}")
        }
        let found = repositories.repositories.first { repository in
            repository.resource.canGet && ItemURI.template(of: repository.resource) == uri
        }
        guard let found else {
            throw RPCError(
                .invalidParams,
                "there is no template '\(uri.prefix(200))'; 'resources/templates/list' lists the templates")
        }
        return found
    }

    private struct Completion: RPCResult {
        let values: [String]
        let maxCount: Int
        let exchange: MCPExchange

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("completion")
            writer.beginObject()
            writer.key("values")
            writer.beginArray()
            for value in values.prefix(maxCount) { writer.string(value) }
            writer.endArray()
            writer.key("hasMore")
            writer.bool(values.count > maxCount)
            writer.endObject()
            exchange.close(&writer)
        }
    }
}
