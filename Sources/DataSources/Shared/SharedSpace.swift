import Model
import Redis
import System

/// The parts that reading, writing and removing in a shared level have in common.
final class SharedSpace: Sendable {
    let server: any RedisServerContract
    /// The queue of commands that no caller waits for.
    let outbox: SharedOutbox
    let names: SharedNames
    let resources: SharedResources
    /// Whether the mode is `readwrite`.
    let writes: Bool
    let clock: any ClockContract
    let counters = SharedCounters()
    let condition: SharedCondition
    let rights: SharedRights
    /// Removals that the server does not know of.
    let unconfirmed = UnconfirmedRemovals()
    /// The keys of generations by the digest of their resource. Each lookup needs one, and there are few.
    private let generationKeys = Lock<[String: String]>([:])

    init(
        _ settings: SharedSettings, server: any RedisServerContract, condition: SharedCondition,
        resources: SharedResources, clock: any ClockContract, timer: any TimerContract
    ) {
        self.server = server
        outbox = SharedOutbox(server)
        self.condition = condition
        names = SharedNames(secret: settings.secret, namespace: settings.namespace)
        self.resources = resources
        writes = settings.mode == .readwrite
        rights = SharedRights(server, condition, names: names, writes: writes, timer: timer)
        self.clock = clock
    }

    /// Returns the name of an entry with its resource; nil if the entry is not shared.
    func named(_ key: EntryKey) -> NamedEntry? {
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
