import Catalog

/// The resources that MCP methods and tools use, in the order of the catalog.
struct ResourceTable: Sendable {
    /// The context of each resource's handlers.
    let contexts: [ResourceContext]
    /// The catalog's declaration of each resource.
    let resources: [ResourceDefinition]

    init(_ contexts: [ResourceContext]) {
        self.contexts = contexts
        resources = contexts.map(\.repository.resource)
    }
}
