import Model
import System

/// A list of a resource: what all of its pages have in common.
struct PageList: Hashable {
    private let resource: ResourceKey
    private let text: String

    /// The list that a page is of.
    init(of page: PageKey) {
        resource = page.resource
        text = page.list
    }

    /// Equal byte by byte, as the keys of pages are.
    static func == (left: PageList, right: PageList) -> Bool {
        left.resource == right.resource && left.text.isIdentical(to: right.text)
    }
}

/// Which pages in memory belong to one list that was told one count: once a page is told another count, they are out of
/// date. Only pages that are not stale when they are saved are noted, so a list has one count at a time.
struct CountedLists {
    private struct Pages {
        let count: Int
        var slots: Set<Int>
    }

    private var lists: [PageList: Pages] = [:]

    /// Notes the page of a slot. Returns the slots whose pages were told another count; they are forgotten here.
    mutating func insert(_ page: PageEntity, at slot: Int) -> Set<Int> {
        guard let count = page.count, !page.isInvalidated else { return [] }
        let list = PageList(of: page.key)
        if lists[list]?.count == count {
            lists[list]?.slots.insert(slot)
            return []
        }
        return lists.updateValue(Pages(count: count, slots: [slot]), forKey: list)?.slots ?? []
    }

    /// Forgets the page of a slot, if it was noted.
    mutating func remove(_ page: PageEntity, at slot: Int) {
        guard page.count != nil else { return }
        let list = PageList(of: page.key)
        lists[list]?.slots.remove(slot)
        if lists[list]?.slots.isEmpty == true { lists[list] = nil }
    }
}
