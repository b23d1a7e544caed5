import TestSupport

@testable import RPCServer

/// Collects messages and lets a test wait for them.
final class SinkMock: MessageSink {
    private struct State {
        var hasRoom = true
        var messages: [String] = []
    }

    private let state = Watched(State())

    /// The messages so far, in order.
    var messages: [String] { state.value.messages }

    var hasRoom: Bool {
        get { state.value.hasRoom }
        set { state.change { $0.hasRoom = newValue } }
    }

    func send(message: [UInt8]) {
        state.change { $0.messages.append(String(decoding: message, as: UTF8.self)) }
    }

    /// Waits until `count` messages have arrived in total. Returns all messages.
    func wait(for count: Int) async -> [String] {
        await state.wait { $0.messages.count >= count }
        return messages
    }

    /// Waits for the reply to the request with the given id. Returns the reply.
    func reply(to id: Int) async -> String {
        let head = #"{"jsonrpc":"2.0","id":\#(id),"#
        await state.wait { $0.messages.contains { $0.hasPrefix(head) } }
        return messages.first { $0.hasPrefix(head) } ?? ""
    }
}
