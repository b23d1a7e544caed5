import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// The URIs under which the Model Context Protocol knows items: `larder://RESOURCE/PARENT/.../ID`, and
/// `larder://RESOURCE` for what there is to know of a resource.
struct ItemURI: Sendable {
    static let scheme = "larder://"

    let resource: ResourceDefinition
    /// The values of the scope, in the order of the catalog, and the id; empty for the resource itself.
    let parts: [String]

    /// The template of a resource's items (RFC 6570, level 1).
    static func template(of resource: ResourceDefinition) -> String {
        scheme + resource.name + resource.scope.map { "/{\($0.name)}" }.joined() + "/{id}"
    }

    /// The names of the variables in it.
    static func variables(of resource: ResourceDefinition) -> [String] { resource.scope.map(\.name) + ["id"] }

    /// The URI of what is known of a resource.
    static func uri(of resource: ResourceDefinition) -> String { scheme + resource.name }

    /// Reads a URI; nil for one that names nothing of these resources.
    init?(_ uri: String, among resources: [ResourceDefinition]) {
        guard uri.hasPrefix(Self.scheme) else { return nil }
        let steps = uri.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard let name = steps.first, let resource = resources.first(where: { $0.name == name }) else { return nil }
        let parts = steps.dropFirst().map { PercentEncoding.decode(String($0)) }
        guard parts.isEmpty || (parts.count == resource.scope.count + 1 && resource.canGet && !parts.contains(""))
        else { return nil }
        self.resource = resource
        self.parts = parts
    }

    /// The values of the scope, in their canonical form.
    ///
    /// - Throws: `invalidParams` for a value that the scope cannot have.
    func scopeValues() throws(RPCError) -> [(name: String, value: JSONValue)] {
        let given = JSONObject(zip(resource.scope.map(\.name), parts).map { ($0, .string($1)) })
        return try resource.scope.values(isOptional: false) { given[$0] }
    }
}

/// The repositories by the names of their resources.
struct RepositoryTable: Sendable {
    let repositories: [any ResourceRepositoryContract]

    /// The item that a URI leads to, to be watched; nil for a resource itself, which changes with the catalog alone.
    ///
    /// - Throws: what a URI gets that leads nowhere, also for a value that the resource cannot have.
    func thing(_ text: String, _ version: MCPVersion) throws(RPCError) -> WatchedThing? {
        guard let uri = ItemURI(text, among: repositories.map(\.resource)) else {
            throw .noResource(text, version, "there is no resource '\(text.prefix(200))'")
        }
        do throws(RPCError) {
            return try thing(uri)
        } catch {
            throw .noResource(text, version, error.message)
        }
    }

    private func thing(_ uri: ItemURI) throws(RPCError) -> WatchedThing? {
        let resource = uri.resource
        guard let last = uri.parts.last else { return nil }
        guard let id = resource.id.canonical(last) else {
            throw RPCError(.invalidParams, "the id of '\(resource.name)' must be an integer, not '\(last.prefix(100))'")
        }
        if resource.hasDotSegments(id, in: "id", "ids") { throw .dotSegments(id, "id") }
        if resource.scope.isEmpty { return WatchedThing(resource: resource.name, scope: nil, name: .item(id: id)) }
        let scope = try ResourceScope(uri.scopeValues(), of: resource)
        return WatchedThing(resource: resource.name, scope: scope, name: .item(id: id))
    }
}

extension RPCError {
    /// What a URI gets that leads nowhere.
    static func noResource(_ uri: String, _ version: MCPVersion, _ reason: String) -> RPCError {
        RPCError(
            version.isStateless ? .invalidParams : .resourceNotFound, reason,
            data: JSONObject([("uri", .string(uri))]))
    }
}
