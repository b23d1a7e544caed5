import Model

/// The effect of the pending writes on reads of the cache file. Each read checks this overlay before it reads the file.
// Writes are numbered in the order of their calls. A write stays in the overlay until it is in the file.
struct WriteOverlay {
    /// The effect of the pending writes on an entry: `known(entry)` if they save it, `known(nil)` if they remove it,
    /// and `unknown` if no write has the entry's key.
    enum Found<Entity> {
        case unknown
        case known(Entity?)
    }

    private struct Point {
        let page: PageEntity?
        let number: Int
    }

    private struct Selection {
        let number: Int
        let matcher: SelectionMatcher
        let isRemoval: Bool
    }

    /// The total item counts that pending writes report for one list: the newest count (`latest`), and the newest
    /// different count (`other`). If all counts are equal, `other` is nil.
    private struct Counts {
        var latest: (count: Int, number: Int)
        var other: (count: Int, number: Int)?
    }

    private var items = PendingItems()
    private var pages: [PageKey: Point] = [:]
    private var selections: [Selection] = []
    private var counts: [PageList: Counts] = [:]
    private var notes: [String: (value: String?, number: Int)] = [:]

    var isEmpty: Bool {
        items.isEmpty && pages.isEmpty && selections.isEmpty && counts.isEmpty && notes.isEmpty
    }

    mutating func add(_ write: EntityStore.Write, number: Int) {
        switch write {
        case .save(let change):
            items.add(change.items, number: number)
            guard let page = change.page else { return }
            pages[page.key] = Point(page: page, number: number)
            noteCount(of: page, number: number)
        case .removeItem(let key): items.addRemoval(of: key, number: number)
        case .removePage(let key): pages[key] = Point(page: nil, number: number)
        case .remove(let selection, _): add(selection, number, isRemoval: true)
        case .invalidate(let selection, _): add(selection, number, isRemoval: false)
        case .keep(let name, let value): notes[name] = (value, number)
        }
    }

    /// Removes a write after the file has stored it or failed to store it. Writes must be removed in the order in which
    /// they were added.
    mutating func remove(_ write: EntityStore.Write, number: Int) {
        switch write {
        case .save(let change):
            items.remove(change.items.keys, number: number)
            guard let page = change.page else { return }
            if pages[page.key]?.number == number { pages[page.key] = nil }
            forgetCount(of: page, number: number)
        case .removeItem(let key): items.remove(CollectionOfOne(key), number: number)
        case .removePage(let key): if pages[key]?.number == number { pages[key] = nil }
        case .remove, .invalidate: selections.removeAll { $0.number == number }
        case .keep(let name, _): if notes[name]?.number == number { notes[name] = nil }
        }
    }

    /// Returns the effect of the pending writes on an item: `known(item)` if they save it, `known(nil)` if they remove
    /// it, and `unknown` if no write has the item's key.
    func item(_ key: ItemKey) -> Found<ItemEntity> {
        guard let point = items[key] else { return .unknown }
        return .known(point.item.flatMap { amended($0, since: point.number) })
    }

    /// Returns the effect of the pending writes on a page: `known(page)` if they save it, `known(nil)` if they remove
    /// it, and `unknown` if no write has the page's key.
    func page(_ key: PageKey) -> Found<PageEntity> {
        guard let point = pages[key] else { return .unknown }
        return .known(point.page.flatMap { amended($0, since: point.number) })
    }

    /// Returns the effect of the pending writes on a note (see `CacheNotesContract`): `known(note)` if they store it,
    /// `known(nil)` if they remove it, and `unknown` if no write has the note's name.
    func note(_ name: String) -> Found<String> { notes[name].map { .known($0.value) } ?? .unknown }

    /// Applies the pending removals and invalidations to an item. Returns nil if one of the removals selects the item.
    func amended(_ item: ItemEntity, since number: Int = -1) -> ItemEntity? {
        var item = item
        for selection in selections where selection.number > number && selection.matcher.selects(item) {
            if selection.isRemoval { return nil }
            item.isInvalidated = true
        }
        return item
    }

    /// Applies the pending removals and invalidations to a page. Returns nil if one of the removals selects the page.
    /// Also marks the page as stale if a pending write reports a different total item count for the same list.
    func amended(_ page: PageEntity, since number: Int = -1) -> PageEntity? {
        var page = page
        for selection in selections where selection.number > number && selection.matcher.selects(page) {
            if selection.isRemoval { return nil }
            page.isInvalidated = true
        }
        if isOutdated(page, since: number) { page.isInvalidated = true }
        return page
    }

    private mutating func add(_ selection: CacheSelection, _ number: Int, isRemoval: Bool) {
        selections.append(
            Selection(number: number, matcher: SelectionMatcher(selection), isRemoval: isRemoval))
    }

    private mutating func noteCount(of page: PageEntity, number: Int) {
        guard let count = page.count, !page.isInvalidated else { return }
        let list = PageList(of: page.key)
        var noted = counts[list] ?? Counts(latest: (count, number))
        if noted.latest.count != count { noted.other = noted.latest }
        noted.latest = (count, number)
        counts[list] = noted
    }

    private mutating func forgetCount(of page: PageEntity, number: Int) {
        guard page.count != nil else { return }
        let list = PageList(of: page.key)
        guard let noted = counts[list] else { return }
        if noted.latest.number <= number { counts[list] = nil }
        if let other = noted.other, other.number <= number { counts[list]?.other = nil }
    }

    private func isOutdated(_ page: PageEntity, since number: Int) -> Bool {
        guard let count = page.count, let noted = counts[PageList(of: page.key)] else { return false }
        if noted.latest.count != count { return noted.latest.number > number }
        return noted.other.map { $0.number > number } ?? false
    }
}
