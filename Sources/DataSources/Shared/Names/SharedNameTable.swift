import Model
import System

/// The names of the shared resources and their entries.
final class SharedNameTable: Sendable {
    let names: SharedNames
    let resources: SharedResources
    /// The keys of generations by the digest of their resource. Each lookup needs one, and there are few.
    private let generationKeys = Lock<[String: String]>([:])

    init(names: SharedNames, resources: SharedResources) {
        self.names = names
        self.resources = resources
    }

    /// Returns the name of an entry with its resource; nil if the entry is not shared.
    func entry(_ key: EntryKey) -> NamedEntry? {
        guard let resource = resources.resource(of: key.resource) else { return nil }
        return NamedEntry(
            key: key, name: names.entry(key, of: resource), resource: resource, generations: generationKey(of: resource)
        )
    }

    /// The key of a resource's generations.
    func generationKey(of resource: SharedResource) -> String {
        generationKeys.withLock { keys in
            if let key = keys[resource.digest] { return key }
            let key = names.generations(of: resource)
            keys[resource.digest] = key
            return key
        }
    }
}

/// An entry with its name in the shared level.
struct NamedEntry: Sendable {
    let key: EntryKey
    let name: SharedName
    let resource: SharedResource
    /// The key of its resource's generations.
    let generations: String
}
