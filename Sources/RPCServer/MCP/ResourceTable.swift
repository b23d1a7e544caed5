import Catalog

/// The resources that MCP methods and tools use, in the order of the catalog.
struct ResourceTable: Sendable {
    /// The state that the handlers of each resource share.
    let contexts: [ResourceContext]
    /// The catalog's declaration of each resource.
    let resources: [ResourceDefinition]

    init(_ contexts: [ResourceContext]) {
        self.contexts = contexts
        resources = contexts.map(\.repository.resource)
    }
}
