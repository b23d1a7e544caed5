import System

/// Stores values. Nobody waits for what is stored.
struct SharedWriter: Sendable {
    let space: SharedSpace
    let counts: ListCounts
    /// Told of what was fetched and not stored, since the connection was lost: others may keep something older.
    let onLost: @Sendable ([Removal]) -> Void

    /// Stores what a remote answered, unless something was removed since it was asked. What is too large is left out.
    func store(_ change: LocalChange, _ ticket: FetchTicket) {
        guard space.writes else { return }
        guard let marks = ticket.marks else { return onLost(outdated(change)) }
        var batches = StoreBatches()
        for item in change.items where !item.isInvalidated {
            guard let entry = space.named(.item(item.key)) else { continue }
            let value = SharedValue.encode(
                item, marks: marks, askedAt: ticket.askedAt, name: entry.name, names: space.names)
            batches.add(value, of: entry, fetchedAt: item.fetchedAt)
        }
        if let page = change.page, !page.isInvalidated, let entry = space.named(.page(page.key)) {
            counts.learn(page)
            let value = SharedValue.encode(
                page, marks: marks, askedAt: ticket.askedAt, name: entry.name, names: space.names)
            batches.add(value, of: entry, fetchedAt: page.fetchedAt)
        }
        for batch in batches.all { post(batch, marks) }
    }

    private func outdated(_ change: LocalChange) -> [Removal] {
        let keys = change.items.map { EntryKey.item($0.key) } + (change.page.map { [.page($0.key)] } ?? [])
        let entries = keys.compactMap { space.named($0) }
        return entries.map { Removal(name: $0.name, marks: $0.marks, kind: .outdated) }
    }

    private func post(_ batch: StoreBatches.Batch, _ marks: SharedMarks) {
        let count = batch.names.count
        let older = batch.names.map { Removal(name: $0, marks: batch.marks, kind: .outdated) }
        let event = space.event(.changed, batch.names.map(\.hash), fetchedAt: batch.fetchedAt)
        let command = RedisCommand.eval(
            SharedScript.store, keys: [batch.marks.key, space.names.changes] + batch.names.map(\.key),
            [Array(marks.text.utf8)] + event + batch.arguments)
        space.outbox.post([command]) { [space, onLost] result in
            if case .failure(let error) = result, error.isOfConnection { onLost(older) }
            guard case .success(let replies) = result, space.condition.note(replies, of: .writing),
                case .integer(let stored)? = replies.first
            else { return space.counters.lost.count(count) }
            let written = max(0, Int(clamping: stored))
            space.counters.written.count(written)
            space.counters.refused.count(max(0, count - written))
        }
    }
}
