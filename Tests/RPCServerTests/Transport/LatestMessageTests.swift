import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct LatestMessageTests {
    private let sink = SinkMock()
    private let gate = Gate()
    private let pauses = Counter()

    private func make() -> LatestMessage {
        LatestMessage(client: sink) { [gate, pauses] in
            pauses.add()
            _ = try? await gate.wait()
            await Task.yield()
        }
    }

    @Test func everyMessageIsSentWhileTheOutputHasRoom() {
        let messages = make()
        for number in 0..<3 { messages.send(Array("\(number)".utf8)) }
        #expect(sink.messages == ["0", "1", "2"])
        #expect(pauses.value == 0)
    }

    @Test func onlyTheLatestMessageIsSentAfterTheOutputWasFull() async {
        let messages = make()
        sink.hasRoom = false
        for number in 0..<1000 { messages.send(Array("\(number)".utf8)) }
        #expect(sink.messages.isEmpty)
        sink.hasRoom = true
        // The new message replaces the waiting message.
        messages.send(Array("last".utf8))
        #expect(sink.messages.isEmpty)
        gate.open()
        #expect(await sink.wait(for: 1) == ["last"])
        messages.send(Array("next".utf8))
        #expect(await sink.wait(for: 2) == ["last", "next"])
    }

    @Test func stoppedSenderDropsTheWaitingMessage() {
        let messages = make()
        sink.hasRoom = false
        messages.send(Array("old".utf8))
        messages.stop()
        #expect(messages.sendWaiting())
        sink.hasRoom = true
        messages.send(Array("new".utf8))
        #expect(messages.sendWaiting())
        #expect(sink.messages.isEmpty)
        gate.open()
    }
}
