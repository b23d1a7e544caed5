import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct BatchReplyTests {
    @Test func repliesOfABatchAreInTheOrderOfTheirArrival() {
        let sink = SinkMock()
        let batch = BatchReply(sink: sink)
        for _ in 1...3 { batch.expect() }
        batch.add(Array("1".utf8))
        batch.close()
        batch.add(Array("3".utf8))
        #expect(sink.messages.isEmpty)
        batch.add(Array("2".utf8))
        #expect(sink.messages == ["[1,3,2]"])
    }

    @Test func batchWithoutRepliesIsNotAnswered() {
        let sink = SinkMock()
        BatchReply(sink: sink).close()
        #expect(sink.messages.isEmpty)
    }

    @Test func batchDoesNotWaitForADroppedReply() {
        let sink = SinkMock()
        let batch = BatchReply(sink: sink)
        for _ in 1...2 { batch.expect() }
        batch.close()
        batch.dropOne()
        #expect(sink.messages.isEmpty)
        batch.add(Array("1".utf8))
        #expect(sink.messages == ["[1]"])
    }

    @Test func batchOfDroppedRepliesIsNotAnswered() {
        let sink = SinkMock()
        let batch = BatchReply(sink: sink)
        batch.expect()
        batch.close()
        batch.dropOne()
        #expect(sink.messages.isEmpty)
    }

    @Test func nothingIsSentBeforeTheBatchIsClosed() {
        let sink = SinkMock()
        let batch = BatchReply(sink: sink)
        batch.expect()
        batch.add(Array("1".utf8))
        #expect(sink.messages.isEmpty)
        batch.close()
        #expect(sink.messages == ["[1]"])
    }

    @Test func repliesOfSeveralThreadsFormOneArray() async {
        let sink = SinkMock()
        let batch = BatchReply(sink: sink)
        for _ in 0..<800 { batch.expect() }
        batch.close()
        await onThreads(0..<8) { thread in
            for number in 0..<100 { batch.add(Array("\(thread * 100 + number)".utf8)) }
        }
        #expect(sink.messages.count == 1)
        let numbers = sink.messages[0].dropFirst().dropLast().split(separator: ",").compactMap { Int($0) }
        #expect(numbers.sorted() == Array(0..<800))
    }
}
