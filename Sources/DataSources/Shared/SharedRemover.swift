import Model
import Redis
import System

/// Removes and invalidates entries in the shared level.
struct SharedRemover: Sendable {
    enum Action: Sendable {
        case remove, invalidate
    }

    /// The maximum number of entries that one script removes or invalidates. The number is small because a script
    /// blocks the Redis server.
    private static let batch = 500
    /// The difference between the lifetime of a tombstone and the longest API timeout, in milliseconds. A tombstone is
    /// the mark of a removed entry.
    private static let margin = 60_000

    let context: SharedContext

    /// Removes or invalidates the entries that match a selection. Returns when the Redis server has confirmed the
    /// change, or when the server cannot be reached.
    ///
    /// If the selection lists item ids, only these items are affected. Otherwise all entries of the resource are
    /// affected, because the server stores only hashes of keys.
    func apply(_ action: Action, to selection: CacheSelection) async {
        let shared = context.table.resources
        let resources = selection.resource.map { [shared.named($0)].compactMap { $0 } } ?? shared.all
        let now = context.clock.now()
        for resource in resources {
            if await confirms(commands(action, selection, of: resource)) { continue }
            context.unconfirmed.note(resource, at: now)
        }
    }

    /// Removes one entry. Does not wait for the Redis server.
    func remove(_ key: EntryKey) {
        guard context.isWritable, let entry = context.table.entry(key) else { return }
        context.outbox.post([script(.remove, [entry.name.key])]) { [context] result in
            if case .success(let replies) = result { context.condition.note(replies, of: .writing) }
        }
    }

    private func commands(
        _ action: Action, _ selection: CacheSelection, of resource: SharedResource
    ) -> [RedisCommand] {
        guard let ids = selection.ids, let scoped = resource.key(in: selection.scope) else {
            let generation = action == .remove ? "removed" : "invalidated"
            return [
                .eval(
                    SharedScript.renewGeneration, keys: [context.table.generationKey(of: resource)],
                    [Array(generation.utf8), Array(SharedGenerations.random().text.utf8)])
            ]
        }
        let keys = ids.flatMap { id in
            [false, true].map { isPartial -> String in
                let key = ItemKey(resource: scoped, id: id, isPartial: isPartial)
                return context.table.names.entry(.item(key), of: resource).key
            }
        }
        return stride(from: 0, to: keys.count, by: Self.batch).map { start in
            script(action, Array(keys[start..<min(start + Self.batch, keys.count)]))
        }
    }

    private func script(_ action: Action, _ keys: [String]) -> RedisCommand {
        let maxTimeout = context.table.resources.all.map(\.timeout).max() ?? 0
        return .eval(
            action == .remove ? SharedScript.storeTombstones : SharedScript.markStale, keys: keys,
            [Array(String(maxTimeout + Self.margin).utf8)])
    }

    /// Sends commands one after the other. Returns whether the Redis server has executed all of them.
    private func confirms(_ commands: [RedisCommand]) async -> Bool {
        guard context.isWritable else { return false }
        for command in commands {
            guard let replies = try? await context.server.send([command]),
                context.condition.note(replies, of: .writing), case .integer? = replies.first
            else { return false }
        }
        return true
    }
}
