import System

/// The removals that the server may not know of, as the cache file keeps them for the processes that come later: one
/// note each, so that many cost no more than few.
///
/// Each process has notes of its own. Those of others become its own (`adopt`), and are forgotten with what they say.
final class RemovalNotes: Sendable {
    private let index: (any SharedIndexContract)?
    /// How the names of all notes of the namespace begin, and those of this process.
    private let prefixes: (all: String, own: String)
    /// Of what this process has notes.
    private let own = Lock<Set<Removal>>([])
    /// Notes of other processes, as long as the file has them: what they say, and whether that is done. It may take
    /// some time until the file has forgotten one.
    private let adopted = Lock<[String: (text: String, removal: Removal, isDone: Bool)]>([:])

    init(_ index: (any SharedIndexContract)?, stream: String, writer: String) {
        self.index = index
        prefixes = ("removals \(stream) ", "removals \(stream) \(writer) ")
    }

    /// Keeps what was noted at a moment.
    func keep(_ removals: some Sequence<Removal>, at moment: Timestamp) {
        guard let index else { return }
        for removal in removals {
            own.withLock { _ = $0.insert(removal) }
            index.keep(note: note(of: removal), removal.text(at: moment))
        }
    }

    /// Forgets what is owed no longer. Of most nothing was kept.
    func forget(_ removals: [Removal]) {
        guard let index, !removals.isEmpty else { return }
        let kept = own.withLock { own in removals.filter { own.remove($0) != nil } }
        let names = adopted.withLock { adopted in
            if adopted.isEmpty { return [String]() }
            let done = Set(removals)
            let names = adopted.filter { !$0.value.isDone && done.contains($0.value.removal) }.map(\.key)
            for name in names { adopted[name]?.isDone = true }
            return names
        }
        for name in kept.map({ note(of: $0) }) + names { index.keep(note: name, nil) }
    }

    /// What processes before this one, or beside it, have noted since a moment, and this one did not know of.
    func adopt(since oldest: Timestamp) async -> [(removal: Removal, moment: Timestamp)] {
        guard let index else { return [] }
        let noted = await index.notes(beginning: prefixes.all).filter { !$0.key.hasPrefix(prefixes.own) }
        var new: [(removal: Removal, moment: Timestamp)] = []
        let useless = adopted.withLock { adopted in
            adopted = adopted.filter { noted[$0.key] != nil }
            var useless: [String] = []
            for (name, text) in noted where adopted[name]?.text != text {
                if let found = Removal.read(text), found.moment > oldest {
                    adopted[name] = (text, found.removal, false)
                    new.append(found)
                } else {
                    useless.append(name)
                }
            }
            return useless
        }
        for name in useless { index.keep(note: name, nil) }
        return new
    }

    private func note(of removal: Removal) -> String { "\(prefixes.own)\(removal.kind.rawValue) \(removal.name.key)" }
}
