import Model
import System

/// Computes the Redis keys and the names of entries and generations in the shared level.
final class SharedNameTable: Sendable {
    let names: SharedNames
    let resources: SharedResources
    /// The Redis keys of the resources' generations, by `SharedResource.digest`.
    // They are cached because each lookup of an entry needs such a key.
    private let generationKeys = Lock<[String: String]>([:])

    init(names: SharedNames, resources: SharedResources) {
        self.names = names
        self.resources = resources
    }

    /// Returns an entry's key, name and resource; nil if the resource is not shared.
    func entry(_ key: EntryKey) -> NamedEntry? {
        guard let resource = resources.resource(of: key.resource) else { return nil }
        return NamedEntry(
            key: key, name: names.entry(key, of: resource), resource: resource, generations: generationKey(of: resource)
        )
    }

    /// Returns the Redis key of a resource's generations.
    func generationKey(of resource: SharedResource) -> String {
        generationKeys.withLock { keys in
            if let key = keys[resource.digest] { return key }
            let key = names.generations(of: resource)
            keys[resource.digest] = key
            return key
        }
    }
}

/// An entry's key, its name in the shared level, and its resource.
struct NamedEntry: Sendable {
    let key: EntryKey
    let name: SharedName
    let resource: SharedResource
    /// The Redis key of the generations of the entry's resource.
    let generations: String
}
