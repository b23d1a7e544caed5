import Model
import Redis
import System

/// Stores fetched entries in the shared level, without waiting for the Redis server.
struct SharedWriter: Sendable {
    let context: SharedContext
    let counts: ListCounts

    /// Stores the entries from an API's answer. Leaves out entries that exceed the size limit. The Redis server rejects
    /// entries that were removed or invalidated after the fetch began.
    func store(_ change: LocalChange, _ ticket: FetchTicket) {
        guard context.isWritable else { return }
        let names = context.table.names
        var batches = StoreBatches()
        for item in change.items where !item.isInvalidated {
            guard let entry = context.table.entry(.item(item.key)) else { continue }
            let value = SharedValue.encode(item, generations: ticket.generations, name: entry.name, names: names)
            batches.add(value, of: entry, fetchedAt: item.fetchedAt)
        }
        if let page = change.page, !page.isInvalidated, let entry = context.table.entry(.page(page.key)) {
            counts.learn(page)
            let value = SharedValue.encode(page, generations: ticket.generations, name: entry.name, names: names)
            batches.add(value, of: entry, fetchedAt: page.fetchedAt)
        }
        for batch in batches.all { post(batch, ticket) }
    }

    private func post(_ batch: StoreBatches.Batch, _ ticket: FetchTicket) {
        let count = batch.keys.count
        let command = RedisCommand.eval(
            SharedScript.store, keys: [batch.generations] + batch.keys,
            [Array(ticket.generations.text.utf8), Array(String(ticket.beganAt).utf8)] + batch.arguments)
        context.outbox.post([command]) { [context] result in
            guard case .success(let replies) = result, context.condition.note(replies, of: .writing),
                case .integer(let stored)? = replies.first
            else { return context.counters.lost.count(count) }
            let written = min(count, max(0, Int(clamping: stored)))
            context.counters.written.count(written)
            context.counters.refused.count(count - written)
        }
    }
}
