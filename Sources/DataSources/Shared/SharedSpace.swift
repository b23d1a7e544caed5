import System

/// What the parts of a shared level have in common: who is asked, under which names, and what is counted.
final class SharedSpace: Sendable {
    let server: any RedisServerContract
    /// What nobody waits for goes to the server through this.
    let outbox: SharedOutbox
    let names: SharedNames
    let resources: SharedResources
    /// Whether anything is written.
    let writes: Bool
    let clock: any ClockContract
    let counters = SharedCounters()
    let removals = LocalRemovals()
    let condition: SharedCondition
    let rights: SharedRights
    /// Tells what this process does from what others do.
    let writer = SharedMarks.random()
    /// Which entries the names stand for that were used lately.
    let known = KnownNames()
    private let marksNames = Lock<[String: SharedName]>([:])

    init(
        _ settings: SharedSettings, server: any RedisServerContract, condition: SharedCondition,
        resources: SharedResources, clock: any ClockContract
    ) {
        self.server = server
        outbox = SharedOutbox(server)
        self.condition = condition
        names = SharedNames(secret: settings.secret, namespace: settings.namespace)
        self.resources = resources
        writes = settings.mode == .readwrite
        rights = SharedRights(server, condition, names: names, writes: writes)
        self.clock = clock
    }

    /// An entry that is shared, with its name and what its resource is; nil where it is not shared.
    func named(_ key: EntryKey) -> NamedEntry? {
        guard let resource = resources.resource(of: key.resource) else { return nil }
        let name = names.entry(key, of: resource)
        known.learn(name, key)
        return NamedEntry(key: key, name: name, resource: resource, marks: marks(of: resource))
    }

    /// The marks of a resource: there are few, and each entry needs theirs.
    func marks(of resource: SharedResource) -> SharedName {
        marksNames.withLock { known in
            if let name = known[resource.digest] { return name }
            let name = names.marks(of: resource)
            known[resource.digest] = name
            return name
        }
    }

    /// Under which name the cache file keeps the place in the stream up to which these resources know of all changes.
    var noteOfPlace: String {
        let digests = resources.all.map(\.digest).sorted().joined(separator: " ")
        return "changes \(names.changes) \(SHA256.hexHash(Array(digests.utf8)))"
    }

    /// The words of an event, and their tag.
    func event(_ kind: ChangeEvent.Kind, _ hashes: [[UInt8]], fetchedAt: Timestamp) -> [[UInt8]] {
        let event = ChangeEvent(kind: kind, writer: writer, fetchedAt: fetchedAt, hashes: hashes).text
        return [event, names.tag(ofChange: event)]
    }

    /// Three new marks, as arguments of scripts.
    static var newMarks: [[UInt8]] { (0..<3).map { _ in Array(SharedMarks.random().utf8) } }
}

/// An entry as the shared level names it.
struct NamedEntry: Sendable {
    let key: EntryKey
    let name: SharedName
    let resource: SharedResource
    /// The marks of its resource.
    let marks: SharedName
}

/// Which entries stand behind names that were used lately: the events of others name nothing else.
final class KnownNames: Sendable {
    static let most = 20_000

    private let state = Lock((keys: [[UInt8]: EntryKey](), isWhole: true))

    func learn(_ name: SharedName, _ key: EntryKey) {
        state.withLock { state in
            if state.keys.count >= Self.most {
                state.keys.removeAll(keepingCapacity: true)
                state.isWhole = false
            }
            state.keys[name.hash] = key
        }
    }

    func key(of hash: [UInt8]) -> EntryKey? { state.withLock { $0.keys[hash] } }

    /// Whether none was forgotten of what may be kept here.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// Nothing is kept any more that was named before; what is kept from now on is named from now on.
    func beginAnew() { state.withLock { $0.isWhole = true } }
}
