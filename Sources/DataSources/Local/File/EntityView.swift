/// The file together with the writes that wait: what a read sees. Without a store, only what waits.
struct EntityView {
    let store: EntityStore?
    let pending: PendingWrites

    func item(_ key: ItemKey) throws(SQLiteError) -> ItemEntity? {
        if case .known(let item) = pending.item(key) { return item }
        return try store?.item(key).flatMap { pending.amended($0) }
    }

    /// Items as they stood together at one moment.
    func items(_ keys: [ItemKey]) throws(SQLiteError) -> [ItemEntity?] {
        try together { () throws(SQLiteError) in
            var found: [ItemEntity?] = []
            found.reserveCapacity(keys.count)
            for key in keys { found.append(try item(key)) }
            return found
        }
    }

    /// A page and its items as they stood together at one moment.
    func page(_ key: PageKey) throws(SQLiteError) -> StoredPage? {
        try together { () throws(SQLiteError) in
            guard let page = try pageAlone(key) else { return nil }
            let items = try PackedItems(of: page) { (key) throws(SQLiteError) in try item(key) }
            return items.map { StoredPage(page: page, items: $0) }
        }
    }

    private func pageAlone(_ key: PageKey) throws(SQLiteError) -> PageEntity? {
        if case .known(let page) = pending.page(key) { return page }
        return try store?.page(key).flatMap { pending.amended($0) }
    }

    private func together<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        guard let store else { return try body() }
        return try store.connection.reading(body)
    }
}
