import System
import TestSupport
import Testing

@testable import Redis

@Suite(.limited) struct DirectSendTests {
    private final class Pair: Sendable {
        let ends: [Int32]

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            self.ends = ends
        }

        deinit { for end in ends { SystemCall.close(end) } }

        /// Returns the received bytes as text.
        func received() -> String {
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = recv(ends[1], &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    private static func send(_ word: String, on line: DirectLine, isWaited: Bool = true) -> DirectLine.Outcome {
        line.send([RedisCommand(word)], isWaited: isWaited) { _ in }
    }

    @Test func closedConnectionRefusesBatches() throws {
        let pair = try Pair()
        let line = DirectLine()
        #expect(Self.send("A", on: line) == .refused)
        line.open(pair.ends[0])
        #expect(line.close().isEmpty)
        #expect(Self.send("B", on: line) == .refused)
        #expect(pair.received().isEmpty && line.close().isEmpty)
    }

    @Test func openConnectionSendsBatchesImmediately() throws {
        let pair = try Pair()
        let line = DirectLine()
        line.open(pair.ends[0])
        let before = Monotonic.milliseconds
        #expect(Self.send("A", on: line) == .sent)
        #expect(Self.send("BC", on: line, isWaited: false) == .sent)
        let bytes = pair.received()
        #expect(bytes == "*1\r\n$1\r\nA\r\n*1\r\n$2\r\nBC\r\n")
        let batches = line.close()
        #expect(batches.map(\.isWaited) == [true, false] && batches.map(\.commands) == [1, 1])
        #expect(batches.reduce(0) { $0 + $1.bytes } == bytes.utf8.count)
        #expect(batches.allSatisfy { $0.size >= $0.bytes && $0.begin >= before })
        #expect(line.close().isEmpty && !line.takeBreak())
    }

    @Test func largeBatchIsRefused() throws {
        let pair = try Pair()
        let line = DirectLine()
        line.open(pair.ends[0])
        #expect(Self.send(String(repeating: "x", count: DirectLine.maxSize), on: line) == .refused)
        #expect(line.send([], isWaited: true) { _ in } == .refused)
        #expect(pair.received().isEmpty && line.close().isEmpty)
    }

    @Test func batchOfExactlyTheLimitIsSent() throws {
        let pair = try Pair()
        let line = DirectLine()
        line.open(pair.ends[0])
        let overhead = RedisCommand("").size
        let word = String(repeating: "x", count: DirectLine.maxSize - overhead)
        #expect(Self.send(word + "x", on: line) == .refused)
        #expect(Self.send(word, on: line) == .sent)
        #expect(Self.send("A", on: line) == .refused)
        #expect(line.close().map(\.size) == [DirectLine.maxSize])
    }

    /// The size of unanswered batches is limited, because a server that reads nothing would otherwise fill the socket.
    @Test func sizeOfUnansweredBatchesIsLimited() throws {
        let pair = try Pair()
        let line = DirectLine()
        line.open(pair.ends[0])
        var count = 0
        while Self.send("A", on: line) == .sent { count += 1 }
        let batches = line.close()
        #expect(batches.count == count && (10...100).contains(count))
        #expect(batches.reduce(0) { $0 + $1.size } <= DirectLine.maxSize)
        line.open(pair.ends[0])
        #expect(Self.send("A", on: line) == .sent)
    }

    @Test func failedWriteBreaksTheRedisConnection() throws {
        let pair = try Pair()
        let line = DirectLine()
        shutdown(pair.ends[0], Int32(SHUT_WR))
        line.open(pair.ends[0])
        #expect(Self.send("A", on: line) == .broken)
        #expect(line.close().count == 1, "the batch fails with the connection")
        #expect(line.takeBreak() && !line.takeBreak())
    }

    /// Batches are recorded in the order in which they are sent, because replies are matched by this order.
    @Test func batchesAreRecordedInSendOrder() async throws {
        let pair = try Pair()
        let line = DirectLine()
        let order = Lock<[Int]>([])
        line.open(pair.ends[0])
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<5 {
                        let name = 100 + thread * 5 + number
                        let outcome = line.send([RedisCommand("\(name)")], isWaited: true) { _ in
                            order.withLock { $0.append(name) }
                        }
                        #expect(outcome == .sent)
                    }
                }
            }
        }
        for batch in line.close() { batch.then(.success([])) }
        line.settle()
        let sent = pair.received().split(separator: "\r\n").compactMap { Int($0) }
        #expect(sent.count == 40 && sent == order.withLock { $0 })
    }
}
