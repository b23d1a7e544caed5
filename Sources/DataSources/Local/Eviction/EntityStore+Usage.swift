import System

extension EntityStore {
    /// How many entries are brought up to date in one transaction.
    private static let usageBatch = 500

    /// Notes when entries were used last; those that are said to have been used after `since` already are left alone.
    func note(_ used: UsedKeys, at now: Timestamp, since: Timestamp) throws(SQLiteError) {
        let times: [SQLiteValue] = [.integer(now.milliseconds), .integer(since.milliseconds)]
        try inBatches(used.items) { (key) throws(SQLiteError) in
            guard let resource = try number(of: key.resource) else { return }
            try connection.run(
                "UPDATE items SET used_at = ?1 WHERE used_at < ?2 AND resource = ?3 AND id = ?4 AND partial = ?5",
                times + [.integer(resource), .text(key.id), SQLiteValue(key.isPartial)])
        }
        try inBatches(used.pages) { (key) throws(SQLiteError) in
            guard let resource = try number(of: key.resource) else { return }
            try connection.run(
                "UPDATE pages SET used_at = ?1 WHERE used_at < ?2 AND resource = ?3 AND request = ?4",
                times + [.integer(resource), .text(key.request)])
        }
    }

    private func inBatches<Element>(
        _ elements: [Element], _ body: (Element) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        var rest = elements[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.usageBatch)
            rest = rest.dropFirst(batch.count)
            try connection.writing { () throws(SQLiteError) in
                for element in batch { try body(element) }
            }
        }
    }
}
