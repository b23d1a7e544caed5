import Model
import System

/// The identity of a list: its resource and the parameters that all of its pages share.
struct PageList: Hashable {
    private let resource: ResourceKey
    private let text: String

    /// Creates the identity of a page's list.
    init(of page: PageKey) {
        resource = page.resource
        text = page.list
    }

    /// Compares the texts byte by byte, as page keys do.
    static func == (left: PageList, right: PageList) -> Bool {
        left.resource == right.resource && left.text.isIdentical(to: right.text)
    }
}

/// The fresh pages in memory, grouped by list, with the total count that their list reported.
///
/// If a page reports another count, the earlier pages of its list are out of date. Pages that are stale when they are
/// saved are ignored, so a list has one count at a time.
struct FreshPageIndex {
    private struct Pages {
        let count: Int
        var slots: Set<Int>
    }

    private var lists: [PageList: Pages] = [:]

    /// Adds the page of a slot. Returns the slots of pages with another count, and removes them from the list.
    mutating func insert(_ page: PageEntity, at slot: Int) -> Set<Int> {
        guard let count = page.count, !page.isInvalidated else { return [] }
        let list = PageList(of: page.key)
        if lists[list]?.count == count {
            lists[list]?.slots.insert(slot)
            return []
        }
        return lists.updateValue(Pages(count: count, slots: [slot]), forKey: list)?.slots ?? []
    }

    /// Removes the page of a slot, if it was added.
    mutating func remove(_ page: PageEntity, at slot: Int) {
        guard page.count != nil else { return }
        let list = PageList(of: page.key)
        lists[list]?.slots.remove(slot)
        if lists[list]?.slots.isEmpty == true { lists[list] = nil }
    }
}
