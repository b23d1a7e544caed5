import System

/// A selection made ready for many comparisons. Ids are compared byte by byte.
struct SelectionMatcher {
    private let selection: CacheSelection
    private let ids: Set<[UInt8]>?

    init(_ selection: CacheSelection) {
        self.selection = selection
        ids = selection.ids.map { Set($0.map { Array($0.utf8) }) }
    }

    func selects(_ item: ItemEntity) -> Bool {
        selects(item.key.resource, item.fetchedAt) && (ids?.contains(Array(item.key.id.utf8)) ?? true)
    }

    func selects(_ page: PageEntity) -> Bool {
        ids == nil && selects(page.key.resource, page.fetchedAt)
    }

    private func selects(_ resource: ResourceKey, _ fetchedAt: Timestamp) -> Bool {
        (selection.resource.map { $0 == resource.name } ?? true)
            && (selection.fetchedBefore.map { fetchedAt < $0 } ?? true)
    }
}
