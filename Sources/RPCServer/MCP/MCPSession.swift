import DataSources
import Protocol
import Synchronization
import System

/// What a session has of the Model Context Protocol.
final class MCPSession: Sendable {
    /// Who hears when another catalog is served.
    private struct Listener {
        let followServing: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        /// The number of the last one; 0 is the client of the older era.
        var last = 0
        /// Whether the input has ended.
        var isOver = false
    }

    private let shaken = Atomic<Int>(-1)
    private let used = Atomic<Bool>(false)
    private let state = Lock(State())
    /// What the client of the older era has subscribed to, by the URI.
    let subscriptions = Observers()

    /// The version that the handshake agreed on; nil where there was none.
    var version: MCPVersion? {
        get {
            let index = shaken.load(ordering: .relaxed)
            return index < 0 ? nil : MCPVersion.allCases[index]
        }
        set {
            shaken.store(newValue.flatMap { MCPVersion.allCases.firstIndex(of: $0) } ?? -1, ordering: .relaxed)
        }
    }

    /// Whether the client speaks the protocol: then it does not wait as long at the end.
    var isUsed: Bool {
        get { used.load(ordering: .relaxed) }
        set { used.store(newValue, ordering: .relaxed) }
    }

    /// Notes who hears of new lists of tools and resources, until `forget`. Where the input has ended meanwhile, it is
    /// ended at once: the end has passed by who was not yet there.
    func listen(
        followServing: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) -> Int {
        let (number, isOver) = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = Listener(followServing: followServing, end: end)
            return (state.last, state.isOver)
        }
        if isOver { end() }
        return number
    }

    /// Notes that the client hears of new lists as long as the session lasts, however often it says so.
    func listenOnce(followServing: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.listeners[0] == nil { state.listeners[0] = Listener(followServing: followServing, end: {}) }
        }
    }

    func forget(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

    /// Lets all go on in what is served now, and tells that there are other tools and resources, as long as the input
    /// lasts.
    func followServing() {
        subscriptions.followServing()
        let listeners = state.withLock { $0.isOver ? [] : Array($0.listeners.values) }
        for listener in listeners { listener.followServing() }
    }

    /// Ends all that waits for changes: the input has ended, and clients take what comes unasked then for a fault.
    func endListening() {
        let listeners = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values)
        }
        subscriptions.endAll()
        for listener in listeners { listener.end() }
    }
}
