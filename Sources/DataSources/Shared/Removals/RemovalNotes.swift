import System

/// The removals that the server may not know of, as the cache file keeps them for the processes that come later: one
/// note each, so that many cost no more than few.
///
/// Each process has notes of its own. Those of others become its own (`adopt`), and are forgotten with what they say.
final class RemovalNotes: Sendable {
    private let index: (any SharedIndexContract)?
    /// How the names of all notes of the namespace begin, and those of this process.
    private let prefixes: (all: String, own: String)
    /// What notes of other processes say.
    private let adopted = Lock<[String: (removal: Removal, moment: Timestamp)]>([:])

    init(_ index: (any SharedIndexContract)?, stream: String, writer: String) {
        self.index = index
        prefixes = ("removals \(stream) ", "removals \(stream) \(writer) ")
    }

    /// Keeps what was noted at a moment.
    func keep(_ removals: some Sequence<Removal>, at moment: Timestamp) {
        for removal in removals { index?.keep(note: note(of: removal), removal.text(at: moment)) }
    }

    /// Forgets what is owed no longer.
    func forget(_ removals: [Removal]) {
        guard let index, !removals.isEmpty else { return }
        let names = adopted.withLock { adopted in
            if adopted.isEmpty { return [String]() }
            let done = Set(removals)
            let names = adopted.filter { done.contains($0.value.removal) }.map(\.key)
            for name in names { adopted[name] = nil }
            return names
        }
        for name in removals.map({ note(of: $0) }) + names { index.keep(note: name, nil) }
    }

    /// What processes before this one, or beside it, have noted since a moment, and this one did not know of.
    func adopt(since oldest: Timestamp) async -> [(removal: Removal, moment: Timestamp)] {
        guard let index else { return [] }
        var new: [(removal: Removal, moment: Timestamp)] = []
        for (name, text) in await index.notes(beginning: prefixes.all) where !name.hasPrefix(prefixes.own) {
            guard let found = Removal.read(text), found.moment > oldest else {
                index.keep(note: name, nil)
                continue
            }
            let isKnown = adopted.withLock { adopted in
                defer { adopted[name] = found }
                return adopted[name]?.moment == found.moment
            }
            if !isKnown { new.append(found) }
        }
        return new
    }

    private func note(of removal: Removal) -> String { "\(prefixes.own)\(removal.kind.rawValue) \(removal.name.key)" }
}
