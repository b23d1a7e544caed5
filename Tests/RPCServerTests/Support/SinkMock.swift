import DataSources
@testable import RPCServer

/// Takes messages and lets a test wait for them.
final class SinkMock: MessageSink {
    private struct State {
        var hasRoom = true
        var messages: [String] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<[String], Never>)] = []
    }

    private let state = Lock(State())

    /// The messages so far, in order.
    var messages: [String] { state.withLock { $0.messages } }

    var hasRoom: Bool {
        get { state.withLock { $0.hasRoom } }
        set { state.withLock { $0.hasRoom = newValue } }
    }

    func send(message: [UInt8]) {
        let (messages, ready) = state.withLock { state in
            state.messages.append(String(decoding: message, as: UTF8.self))
            let count = state.messages.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (state.messages, ready)
        }
        for waiter in ready { waiter.continuation.resume(returning: messages) }
    }

    /// Waits until so many messages have come in all.
    func wait(for count: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let messages: [String]? = state.withLock { state in
                if state.messages.count >= count { return state.messages }
                state.waiters.append((count, continuation))
                return nil
            }
            if let messages { continuation.resume(returning: messages) }
        }
    }
}
