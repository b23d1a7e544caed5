import Catalog
import DataSources
import JSON
import Model
import Protocol
import Repositories

/// The URI of an MCP resource. `larder://RESOURCE/PARENT/.../ID` names an item, and `larder://RESOURCE` names the
/// description of a resource in the catalog.
struct ItemURI: Sendable {
    static let scheme = "larder://"

    let resource: ResourceDefinition
    /// The scope values in the URI, in the catalog's order, followed by the item's id. Empty if the URI names a
    /// resource.
    let parts: [String]

    /// Returns the URI template of a resource's items (RFC 6570, level 1).
    static func template(of resource: ResourceDefinition) -> String {
        scheme + resource.name + resource.scope.map { "/{\($0.name)}" }.joined() + "/{id}"
    }

    /// Returns the names of the variables in the URI template of a resource's items.
    static func variables(of resource: ResourceDefinition) -> [String] { resource.scope.map(\.name) + ["id"] }

    /// Returns the URI of a resource's description.
    static func uri(of resource: ResourceDefinition) -> String { scheme + resource.name }

    /// Returns the URI of an item.
    ///
    /// - Parameter scope: the item's scope; nil for a resource without a scope.
    static func uri(of id: String, in scope: ResourceScope?, of resource: ResourceDefinition) -> String {
        let parts = (scope?.values.map(\.value.plainText) ?? []) + [id]
        return scheme + resource.name + parts.map { "/" + PercentEncoding.encode($0) }.joined()
    }

    /// Parses a URI. Returns nil for an unknown resource, and for a wrong number of scope values.
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

    /// Returns the scope's values in canonical form.
    ///
    /// - Throws: `invalidParams` for a value that is invalid for the scope.
    func scopeValues() throws(RPCError) -> [(name: String, value: JSONValue)] {
        let given = JSONObject(zip(resource.scope.map(\.name), parts).map { ($0, .string($1)) })
        return try resource.scope.values(isOptional: false) { given[$0] }
    }
}

/// Finds the items that `larder://` URIs name.
struct RepositoryTable: Sendable {
    let repositories: [any ResourceRepositoryContract]

    /// Returns the item that a URI names; nil if the URI names the description of a resource.
    ///
    /// - Throws: the MCP error for a missing resource if the URI is unknown or contains an invalid value.
    func target(_ text: String, _ version: MCPVersion) throws(RPCError) -> ObservedTarget? {
        guard let uri = ItemURI(text, among: repositories.map(\.resource)) else {
            throw .unknownURI(text, version)
        }
        do throws(RPCError) {
            return try target(uri)
        } catch {
            throw .noResource(text, version, error.message)
        }
    }

    private func target(_ uri: ItemURI) throws(RPCError) -> ObservedTarget? {
        let resource = uri.resource
        guard let last = uri.parts.last else { return nil }
        guard let id = resource.id.canonical(last) else {
            throw RPCError(.invalidParams, "the id of '\(resource.name)' must be an integer, not '\(last.prefix(100))'")
        }
        if resource.hasDotSegments(id, in: "id", "ids") { throw .dotSegments(id, "id") }
        if resource.scope.isEmpty { return ObservedTarget(resource: resource.name, scope: nil, name: .item(id: id)) }
        let scope = try ResourceScope(uri.scopeValues(), of: resource)
        return ObservedTarget(resource: resource.name, scope: scope, name: .item(id: id))
    }
}

extension RPCError {
    /// Creates the error for a URI that names neither a resource nor an item.
    static func unknownURI(_ uri: String, _ version: MCPVersion) -> RPCError {
        noResource(
            uri, version,
            "there is no resource '\(uri.prefix(200))'; 'resources/list' and 'resources/templates/list' list the URIs")
    }

    /// Creates the MCP error for a missing resource, with the given reason. The error code depends on the protocol
    /// version.
    static func noResource(_ uri: String, _ version: MCPVersion, _ reason: String) -> RPCError {
        RPCError(
            version.isStateless ? .invalidParams : .resourceNotFound, reason,
            data: JSONObject([("uri", .string(uri))]))
    }
}
