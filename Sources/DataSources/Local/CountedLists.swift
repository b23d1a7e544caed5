/// Which pages in memory belong to one list that was told one count: once a page is told another count, they are out of
/// date. Only pages that are not stale when they are saved are noted, so a list has one count at a time.
struct CountedLists {
    private struct List: Hashable {
        let resource: ResourceKey
        let text: String

        static func == (left: List, right: List) -> Bool {
            left.resource == right.resource && left.text.isIdentical(to: right.text)
        }
    }

    private struct Pages {
        let count: Int
        var slots: Set<Int>
    }

    private var lists: [List: Pages] = [:]

    /// Notes the page of a slot. Returns the slots whose pages were told another count; they are forgotten here.
    mutating func insert(_ page: PageEntity, at slot: Int) -> Set<Int> {
        guard let count = page.count, !page.isInvalidated else { return [] }
        let list = List(resource: page.key.resource, text: page.key.list)
        if lists[list]?.count == count {
            lists[list]?.slots.insert(slot)
            return []
        }
        let outdated = lists.updateValue(Pages(count: count, slots: [slot]), forKey: list)?.slots ?? []
        return outdated.subtracting([slot])
    }

    /// Forgets the page of a slot, if it was noted.
    mutating func remove(_ page: PageEntity, at slot: Int) {
        guard page.count != nil else { return }
        let list = List(resource: page.key.resource, text: page.key.list)
        lists[list]?.slots.remove(slot)
        if lists[list]?.slots.isEmpty == true { lists[list] = nil }
    }
}
