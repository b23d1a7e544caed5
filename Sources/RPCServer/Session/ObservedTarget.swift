import DataSources
import JSON
import Model
import Protocol
import Repositories

/// An item or a page that a client observes: the resource, the scope, and the id or page from the client's `observe`
/// request. After each catalog reload, the observer uses these values to find the item or page again.
struct ObservedTarget: Sendable {
    enum Name: Sendable {
        case item(id: String)
        /// A page of the list. The token is nil for the first page. The filter is nil for the unfiltered list.
        case page(PageToken?, FilterParam?)
    }

    let resource: String
    /// The scope of the item or page, such as the repository of an issue; nil for a resource without a scope.
    let scope: ResourceScope?
    let name: Name

    /// Returns the context of the observed resource, limited to the scope. Nil if the catalog does not declare the
    /// resource with this scope.
    func context(in serving: ServedCatalog) -> ResourceContext? {
        guard var context = serving.resources[resource] else { return nil }
        let declared = context.repository.resource.scope
        let given = scope?.values ?? []
        guard given.allSatisfy({ value in declared.contains { $0.name == value.name } }) else { return nil }
        guard !declared.isEmpty else { return context }
        guard
            let values = try? declared.values(isOptional: false, { name in given.first { $0.name == name }?.value })
        else { return nil }
        let scope = ResourceScope(values)
        context.repository = context.repository.scoped(scope)
        context.scope = scope
        return context
    }

    /// Starts to observe the item or page. Returns a closure that stops the observation. Returns nil if the resource
    /// has no such item or page.
    ///
    /// - Parameter known: the content that the client received last. The observation reports only differences from this
    ///   content.
    func observe(
        in context: ResourceContext, since known: LastSeen, onChange: @escaping @Sendable (Observation) -> Void
    ) async -> (@Sendable () -> Void)? {
        switch name {
        case .item(let id):
            guard let id = context.idType.canonical(id) else { return nil }
            return await context.repository.observeItem(id, since: known, tell: onChange)
        case .page(let page, let filter):
            guard let list = context.repository.resource.list,
                let request = try? list.request(page: page, filter: filter)
            else { return nil }
            return await context.repository.observePage(request, since: known, tell: onChange)
        }
    }
}
