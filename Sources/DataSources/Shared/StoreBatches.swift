import System

/// Groups cache values into batches for the Redis server. The values of a batch belong to one resource, and one Lua
/// script stores them. Batches are small because a script blocks the server.
struct StoreBatches {
    struct Batch {
        /// The Redis key of the resource's generations (`SharedGenerations`).
        let generations: String
        private(set) var keys: [String] = []
        /// The arguments of the Lua script that stores the batch. Each entry has three arguments: the value, the
        /// lifetime in milliseconds and the fetch time.
        private(set) var arguments: [[UInt8]] = []
        private var bytes = 0

        fileprivate init(generations: String) { self.generations = generations }

        fileprivate func hasRoom(for value: [UInt8]) -> Bool {
            keys.isEmpty || (keys.count < StoreBatches.maxValues && bytes + value.count <= StoreBatches.maxBytes)
        }

        fileprivate mutating func append(_ value: [UInt8], of entry: NamedEntry, _ fetchedAt: Timestamp) {
            keys.append(entry.name.key)
            let life = StoreBatches.life(keepFor: entry.resource.keepFor)
            arguments += [value, Array(String(life).utf8), Array(String(fetchedAt.milliseconds).utf8)]
            bytes += value.count
        }
    }

    private static let maxValues = 50
    /// The maximum total size of the values in a batch, in bytes. A larger value is stored in a batch of its own.
    private static let maxBytes = 64 << 10
    /// The maximum lifetime of a value on the Redis server, in milliseconds.
    private static let maxLifetime = 7 * 86_400_000

    private(set) var all: [Batch] = []
    /// For each resource, the position of its latest batch in the array `all`. The dictionary key is
    /// `Batch.generations`.
    private var last: [String: Int] = [:]

    /// Adds a cache value to the latest batch of the same resource. Starts a new batch if that batch is full. Ignores a
    /// value over `SharedValue.maxSize`.
    mutating func add(_ value: [UInt8], of entry: NamedEntry, fetchedAt: Timestamp) {
        guard value.count <= SharedValue.maxSize else { return }
        let position = position(for: value, under: entry.generations)
        all[position].append(value, of: entry, fetchedAt)
    }

    private mutating func position(for value: [UInt8], under generations: String) -> Int {
        if let position = last[generations], all[position].hasRoom(for: value) { return position }
        all.append(Batch(generations: generations))
        last[generations] = all.count - 1
        return all.count - 1
    }

    /// Returns the lifetime of a value on the Redis server, in milliseconds. The lifetime varies randomly by up to a
    /// tenth, so that many values do not expire at the same time.
    private static func life(keepFor: Milliseconds?) -> Milliseconds {
        let life = max(1, min(keepFor ?? maxLifetime, maxLifetime))
        return max(1, life + Int.random(in: -life / 10...life / 10))
    }
}
