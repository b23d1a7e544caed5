import DataSources
import JSON
import Model
import Protocol
import Repositories

/// An item or a page in the words of the client who watches it. What they mean is looked up in what is served.
struct WatchedThing: Sendable {
    enum Name: Sendable {
        case item(id: String)
        /// Nil is the first page, and no filter.
        case page(PageToken?, FilterParam?)
    }

    /// The resource's name.
    let resource: String
    /// Of which parents it is; nil for a resource without a scope.
    let scope: ResourceScope?
    let name: Name

    /// Its resource in what is served, in its scope; nil where there is none that has such a scope.
    func context(in serving: Serving) -> ResourceContext? {
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

    /// Watches it, until what is returned is called; nil where the resource has no such thing.
    ///
    /// - Parameter known: what changes are told from.
    func observe(
        in context: ResourceContext, since known: KnownContents, tell: @escaping @Sendable (Observation) -> Void
    ) async -> (@Sendable () -> Void)? {
        switch name {
        case .item(let id):
            guard let id = context.idType.canonical(id) else { return nil }
            return await context.repository.observeItem(id, since: known, tell: tell)
        case .page(let page, let filter):
            guard let list = context.repository.resource.list,
                let request = try? list.request(page: page, filter: filter)
            else { return nil }
            return await context.repository.observePage(request, since: known, tell: tell)
        }
    }
}
