import DataSources
import Protocol
import Synchronization
import System

/// The part of a session that only the Model Context Protocol needs, such as subscriptions.
final class MCPSession: Sendable {
    /// A client's subscription to catalog reloads.
    private struct Listener {
        let followCatalog: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        /// The last number that `listen` assigned. The number 0 is reserved for the listener of `listenOnce`.
        var last = 0
        /// Whether the session's input has ended.
        var isOver = false
    }

    private let handshakeVersion = Atomic<Int>(-1)
    private let used = Atomic<Bool>(false)
    private let listed = Atomic<Bool>(false)
    private let state = Lock(State())
    /// The subscriptions of `resources/subscribe`, by URI.
    let subscriptions = Observers()

    /// The protocol version from the handshake; nil if there was no handshake.
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

    /// Whether the client has sent an MCP request. MCP clients kill the server about two seconds after they close its
    /// stdin, so the server must exit sooner.
    var isUsed: Bool {
        get { used.load(ordering: .relaxed) }
        set { used.store(newValue, ordering: .relaxed) }
    }

    /// Whether the client has listed the resources after the handshake. In that case, tools return links to items.
    var listsResources: Bool {
        get { listed.load(ordering: .relaxed) }
        set { listed.store(newValue, ordering: .relaxed) }
    }

    /// Adds a listener for changes to the lists of tools and resources. Returns the number with which `forget`
    /// removes the listener. Calls `end` immediately if the input has already ended.
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

    /// Adds a listener that stays until the session ends. Only the first call of this function has an effect.
    func listenOnce(followCatalog: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.listeners[0] == nil { state.listeners[0] = Listener(followCatalog: followCatalog, end: {}) }
        }
    }

    /// Removes the listener with the number that `listen` returned.
    func forget(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

    /// Applies a new catalog to all subscriptions. Also notifies the client about the new tools and resources, unless
    /// the input has ended.
    func followCatalog() {
        subscriptions.followCatalog()
        let listeners = state.withLock { $0.isOver ? [] : Array($0.listeners.values) }
        for listener in listeners { listener.followCatalog() }
    }

    /// Ends all listeners and subscriptions at the end of the input, because clients treat later notifications as an
    /// error.
    func endListening() {
        let listeners = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values)
        }
        subscriptions.endAll()
        for listener in listeners { listener.end() }
    }
}
