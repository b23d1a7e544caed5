import Catalog

/// The resources that the methods and tools of the Model Context Protocol read, in the order of the catalog.
struct ResourceTable: Sendable {
    /// What the handlers of each resource share.
    let contexts: [ResourceContext]
    /// The declaration of each resource.
    let resources: [ResourceDefinition]

    init(_ contexts: [ResourceContext]) {
        self.contexts = contexts
        resources = contexts.map(\.repository.resource)
    }
}
