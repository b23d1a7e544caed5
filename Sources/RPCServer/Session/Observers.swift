import DataSources
import JSON
import Protocol
import System

/// The observers of a session by their names.
final class Observers: Sendable {
    /// So many that no client needs more, and one that forgets to end them cannot fill the memory.
    static let limit = 10_000

    /// A name that was taken, told from the same name when it is taken again later.
    struct Place: Equatable, Sendable {
        let name: String
        fileprivate let number: Int
    }

    private struct Entry {
        let number: Int
        /// Ends the watch; nil for one that has not begun.
        var stop: (@Sendable () -> Void)?
        /// Lets the watch go on in what is served now.
        var followServing: @Sendable () -> Void = {}
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var next = 0
        /// Names that were made.
        var made = 0
    }

    private let state = Lock(State())

    /// Takes a name, or makes one.
    ///
    /// - Throws: `invalidParams` for a name that is taken, `busy` where there are too many.
    func reserve(_ name: String?) throws(RPCError) -> Place {
        try state.withLock { (state) throws(RPCError) in
            guard state.entries.count < Self.limit else {
                throw RPCError(.busy, "there are \(Self.limit) observers already", data: JSONObject([("kind", "busy")]))
            }
            if let name, state.entries[name] != nil {
                throw RPCError(.invalidParams, "'observer' must be new: '\(name.prefix(100))' is there already")
            }
            if name == nil { repeat { state.made += 1 } while state.entries["observer-\(state.made)"] != nil }
            state.next += 1
            let place = Place(name: name ?? "observer-\(state.made)", number: state.next)
            state.entries[place.name] = Entry(number: place.number)
            return place
        }
    }

    /// Notes how to end a watch that has begun. One that was ended meanwhile is ended at once.
    ///
    /// - Parameter followServing: lets it go on in what is served now.
    func begin(
        _ place: Place, stop: @escaping @Sendable () -> Void, followServing: @escaping @Sendable () -> Void = {}
    ) {
        let isThere = state.withLock { state in
            guard state.entries[place.name]?.number == place.number else { return false }
            state.entries[place.name]?.stop = stop
            state.entries[place.name]?.followServing = followServing
            return true
        }
        if !isThere { stop() }
    }

    /// Lets all of them go on in what is served now.
    func followServing() {
        for entry in state.withLock({ Array($0.entries.values) }) { entry.followServing() }
    }

    /// Frees the name of an observer that has ended by itself.
    func forget(_ place: Place) {
        state.withLock { state in
            if state.entries[place.name]?.number == place.number { state.entries[place.name] = nil }
        }
    }

    /// Ends an observer. Returns whether it was there.
    @discardableResult
    func end(_ name: String) -> Bool {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: name) }) else { return false }
        entry.stop?()
        return true
    }

    /// Ends all observers.
    func endAll() {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            return Array(state.entries.values)
        }
        for entry in entries { entry.stop?() }
    }

    /// Ends an observer, but none that has its name by now.
    func end(_ place: Place) {
        let stop = state.withLock { state in
            let isThere = state.entries[place.name]?.number == place.number
            return isThere ? state.entries.removeValue(forKey: place.name)?.stop : nil
        }
        stop?()
    }
}
