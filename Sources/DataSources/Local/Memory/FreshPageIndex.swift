import Model
import System

/// The identity of a list: its resource and the request parameters that are the same for all of its pages.
struct PageList: Hashable {
    private let resource: ResourceKey
    private let text: String

    /// Creates the identity of the list to which a page belongs.
    init(of page: PageKey) {
        resource = page.resource
        text = page.list
    }

    /// Returns whether two lists have the same resource and the same parameters. Compares the parameters byte by byte,
    /// as `PageKey` does.
    static func == (left: PageList, right: PageList) -> Bool {
        left.resource == right.resource && left.text.isIdentical(to: right.text)
    }
}

/// The fresh pages in memory, grouped by list. All indexed pages of a list report the same total item count.
///
/// If a new page reports a different count, the earlier pages of its list are out of date.
// Pages that are stale when they are saved are not indexed.
struct FreshPageIndex {
    private struct Pages {
        let count: Int
        var slots: Set<Int>
    }

    private var lists: [PageList: Pages] = [:]

    /// Adds a page, unless it is stale or reports no total count. If earlier pages of the same list report a different
    /// total count, removes them from this index and returns their slots.
    ///
    /// - Parameter slot: the index of the page in the array of entries.
    mutating func insert(_ page: PageEntity, at slot: Int) -> Set<Int> {
        guard let count = page.count, !page.isInvalidated else { return [] }
        let list = PageList(of: page.key)
        if lists[list]?.count == count {
            lists[list]?.slots.insert(slot)
            return []
        }
        return lists.updateValue(Pages(count: count, slots: [slot]), forKey: list)?.slots ?? []
    }

    /// Removes a page from this index. Does nothing if the index does not contain the page.
    mutating func remove(_ page: PageEntity, at slot: Int) {
        guard page.count != nil else { return }
        let list = PageList(of: page.key)
        lists[list]?.slots.remove(slot)
        if lists[list]?.slots.isEmpty == true { lists[list] = nil }
    }
}
