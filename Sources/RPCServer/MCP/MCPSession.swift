import DataSources
import Protocol
import Synchronization
import System

/// The MCP state of a session.
final class MCPSession: Sendable {
    /// A client's subscription to catalog reloads.
    private struct Listener {
        let followCatalog: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        /// The number of the most recent listener. The number 0 belongs to the client that sent
        /// `notifications/initialized`.
        var last = 0
        /// Whether the input has ended.
        var isOver = false
    }

    private let handshakeVersion = Atomic<Int>(-1)
    private let used = Atomic<Bool>(false)
    private let listed = Atomic<Bool>(false)
    private let state = Lock(State())
    /// The subscriptions of `resources/subscribe`, by URI.
    let subscriptions = Observers()

    /// The version that the handshake agreed on; nil without a handshake.
    var version: MCPVersion? {
        get {
            let index = handshakeVersion.load(ordering: .relaxed)
            return index < 0 ? nil : MCPVersion.allCases[index]
        }
        set {
            let index = newValue.flatMap { MCPVersion.allCases.firstIndex(of: $0) } ?? -1
            handshakeVersion.store(index, ordering: .relaxed)
        }
    }

    /// Whether the client uses the protocol. Such clients wait less time for the process to exit.
    var isUsed: Bool {
        get { used.load(ordering: .relaxed) }
        set { used.store(newValue, ordering: .relaxed) }
    }

    /// Whether the client has listed resources after its handshake. Tools then return links to items.
    var listsResources: Bool {
        get { listed.load(ordering: .relaxed) }
        set { listed.store(newValue, ordering: .relaxed) }
    }

    /// Adds a listener for changes of the lists of tools and resources. The session calls it until `forget` removes it.
    /// If the input has already ended, `end` is called at once, because no later call would follow.
    func listen(
        followCatalog: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) -> Int {
        let (number, isOver) = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = Listener(followCatalog: followCatalog, end: end)
            return (state.last, state.isOver)
        }
        if isOver { end() }
        return number
    }

    /// Adds a listener that is removed only with the session. Later calls have no effect.
    func listenOnce(followCatalog: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.listeners[0] == nil { state.listeners[0] = Listener(followCatalog: followCatalog, end: {}) }
        }
    }

    /// Removes a listener.
    func forget(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

    /// Moves all subscriptions to the new catalog, and notifies the client of new tools and resources while the input
    /// is open.
    func followCatalog() {
        subscriptions.followCatalog()
        let listeners = state.withLock { $0.isOver ? [] : Array($0.listeners.values) }
        for listener in listeners { listener.followCatalog() }
    }

    /// Ends all listeners and subscriptions when the input ends. Clients treat later notifications as an error.
    func endListening() {
        let listeners = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values)
        }
        subscriptions.endAll()
        for listener in listeners { listener.end() }
    }
}
