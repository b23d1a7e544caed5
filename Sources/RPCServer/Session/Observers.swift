import DataSources
import JSON
import Protocol
import System

/// The observers of one session, by observer name.
final class Observers: Sendable {
    /// The maximum number of observers in a session. Without this limit, a client that never stops its observers could
    /// fill the memory.
    static let limit = 10_000

    /// The reservation of an observer's name. The number distinguishes this reservation from later reservations of the
    /// same name.
    struct Reservation: Equatable, Sendable {
        let name: String
        fileprivate let number: Int
    }

    private struct Entry {
        let number: Int
        /// The function that stops the observer; nil before the observer has started.
        var stop: (@Sendable () -> Void)?
        /// The function that switches the observer to the current catalog, after a reload.
        var followCatalog: @Sendable () -> Void = {}
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var next = 0
        /// The number of observer names that the session has generated so far.
        var made = 0
    }

    private let state = Lock(State())

    /// Reserves the given observer name, or generates a name.
    ///
    /// - Throws: `invalidParams` if another observer has the name, and `busy` if the session already has `limit`
    ///   observers.
    func reserve(_ name: String?) throws(RPCError) -> Reservation {
        try state.withLock { (state) throws(RPCError) in
            guard state.entries.count < Self.limit else {
                let text = "too many observers: the session already has \(Self.limit); end one of them first"
                throw RPCError(.busy, text, data: JSONObject([("kind", "busy")]))
            }
            if let name, state.entries[name] != nil {
                throw RPCError(
                    .invalidParams,
                    "'observer' must be a new name: the session already has an observer '\(name.prefix(100))'; choose"
                        + " another name"
                )
            }
            if name == nil { repeat { state.made += 1 } while state.entries["observer-\(state.made)"] != nil }
            state.next += 1
            let reservation = Reservation(name: name ?? "observer-\(state.made)", number: state.next)
            state.entries[reservation.name] = Entry(number: reservation.number)
            return reservation
        }
    }

    /// Registers the functions that control a started observer. If the client has already stopped this observer, calls
    /// `stop` at once.
    ///
    /// - Parameters:
    ///   - stop: stops the observer.
    ///   - followCatalog: switches the observer to the current catalog, after a reload.
    func begin(
        _ reservation: Reservation, stop: @escaping @Sendable () -> Void,
        followCatalog: @escaping @Sendable () -> Void = {}
    ) {
        let isThere = state.withLock { state in
            guard state.entries[reservation.name]?.number == reservation.number else { return false }
            state.entries[reservation.name]?.stop = stop
            state.entries[reservation.name]?.followCatalog = followCatalog
            return true
        }
        if !isThere { stop() }
    }

    /// Switches all observers to the current catalog, after a reload.
    func followCatalog() {
        for entry in state.withLock({ Array($0.entries.values) }) { entry.followCatalog() }
    }

    /// Removes an observer whose item or page no longer exists.
    func forget(_ reservation: Reservation) {
        state.withLock { state in
            if state.entries[reservation.name]?.number == reservation.number { state.entries[reservation.name] = nil }
        }
    }

    /// Stops the observer with the given name. Returns whether there was such an observer.
    @discardableResult
    func end(_ name: String) -> Bool {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: name) }) else { return false }
        entry.stop?()
        return true
    }

    /// Stops all observers of the session.
    func endAll() {
        let entries = state.withLock { state in
            defer { state.entries = [:] }
            return Array(state.entries.values)
        }
        for entry in entries { entry.stop?() }
    }

    /// Stops the observer of the given reservation. Does not stop a later observer with the same name.
    func end(_ reservation: Reservation) {
        let stop = state.withLock { state in
            let isThere = state.entries[reservation.name]?.number == reservation.number
            return isThere ? state.entries.removeValue(forKey: reservation.name)?.stop : nil
        }
        stop?()
    }
}
