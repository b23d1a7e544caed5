import Model
import System

/// Computes the names and the Redis keys of entries in the shared level. Also computes the Redis key of each resource's
/// generations: two random numbers that detect outdated values (`SharedGenerations`).
final class SharedNameTable: Sendable {
    let names: SharedNames
    let resources: SharedResources
    /// The Redis key of each resource's generations (`SharedGenerations`), by the resource's `digest`.
    // They are cached because each lookup of an entry needs such a key.
    private let generationKeys = Lock<[String: String]>([:])

    init(names: SharedNames, resources: SharedResources) {
        self.names = names
        self.resources = resources
    }

    /// Finds the resource of an entry, and computes the entry's name in the shared level. Returns nil if the resource
    /// is not shared.
    func entry(_ key: EntryKey) -> NamedEntry? {
        guard let resource = resources.resource(of: key.resource) else { return nil }
        return NamedEntry(
            key: key, name: names.entry(key, of: resource), resource: resource, generations: generationKey(of: resource)
        )
    }

    /// Returns the Redis key of a resource's generations (`SharedGenerations`), which detect removed and invalidated
    /// entries.
    func generationKey(of resource: SharedResource) -> String {
        generationKeys.withLock { keys in
            if let key = keys[resource.digest] { return key }
            let key = names.generations(of: resource)
            keys[resource.digest] = key
            return key
        }
    }
}

/// The key of a cache entry, with the names that identify the entry in the shared level.
struct NamedEntry: Sendable {
    let key: EntryKey
    let name: SharedName
    let resource: SharedResource
    /// The Redis key of the generations (`SharedGenerations`) of the entry's resource.
    let generations: String
}
