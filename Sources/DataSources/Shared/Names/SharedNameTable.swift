import Model
import System

/// Finds the names under which the entries of shared resources are stored in the server.
final class SharedNameTable: Sendable {
    let names: SharedNames
    let resources: SharedResources
    /// The cached server keys of the resources' generations, by `SharedResource.digest`. Each lookup of an entry needs
    /// such a key.
    private let generationKeys = Lock<[String: String]>([:])

    init(names: SharedNames, resources: SharedResources) {
        self.names = names
        self.resources = resources
    }

    /// Returns an entry with its name and its resource; nil if the resource is not shared.
    func entry(_ key: EntryKey) -> NamedEntry? {
        guard let resource = resources.resource(of: key.resource) else { return nil }
        return NamedEntry(
            key: key, name: names.entry(key, of: resource), resource: resource, generations: generationKey(of: resource)
        )
    }

    /// Returns the server's key under which a resource's generations are stored.
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
    /// The server's key under which the generations of the entry's resource are stored.
    let generations: String
}
