import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ReplyWriterTests {
    private static func writer(_ channel: Channel, maxQueue: Int = 64 << 20) -> ReplyWriter {
        ReplyWriter(channel.output, maxQueue: maxQueue) {}
    }

    private static func message(_ sender: Int, _ number: Int) -> [UInt8] {
        let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(sender)))
        return Array("\(sender) \(number) \(String(repeating: letter, count: (number * 37) % 3000))\n".utf8)
    }

    private static func send(_ bytes: [UInt8], _ writer: ReplyWriter) {
        bytes.withUnsafeBytes { _ = writer.send($0) }
    }

    @Test(arguments: Channel.Kind.allCases)
    func bytesArriveInOrderWithASlowReader(kind: Channel.Kind) async {
        let channel = Channel(kind)
        let writer = Self.writer(channel)
        let messages = (0..<2000).map { Self.message(0, $0) }
        // The test would hang if `send` waited for the reader.
        await onThread { for message in messages { Self.send(message, writer) } }
        #expect(!channel.isOutputNonBlocking)
        let expected = Array(messages.joined())
        let got = await onThread { channel.read(expected.count, piece: 1777) }
        #expect(got == expected)
        await onThread { _ = writer.flush() }
        #expect(channel.readAvailable().isEmpty)
    }

    @Test(arguments: Channel.Kind.allCases)
    func messagesOfSeveralSendersNeverMix(kind: Channel.Kind) async {
        let channel = Channel(kind)
        let writer = Self.writer(channel)
        let (senders, count) = (6, 300)
        let total = (0..<senders).map { sender in (0..<count).map { Self.message(sender, $0).count }.reduce(0, +) }
            .reduce(0, +)
        async let bytes = onThread { channel.read(total, piece: 3001) }
        await onThreads(0..<senders) { sender in
            for number in 0..<count { Self.send(Self.message(sender, number), writer) }
        }
        Self.expectWhole(await bytes, of: senders, count)
    }

    /// Each message is too large for the pipe, so a write stops in its middle while other threads queue their messages.
    /// All threads wait for room after each message, so this happens again and again.
    @Test func partlySentMessageIsCompletedBeforeQueuedMessages() async {
        let channel = Channel(.pipe)
        let writer = Self.writer(channel, maxQueue: 1)
        let (senders, count) = (4, 40)
        let tail = [UInt8](repeating: UInt8(ascii: "-"), count: 80_000)
        let total = (0..<senders * count).reduce(0) {
            $0 + tail.count + Self.message($1 / count, $1 % count).count
        }
        async let bytes = onThread { channel.read(total) }
        await onThreads(0..<senders) { sender in
            for number in 0..<count {
                Self.send(tail + Self.message(sender, number), writer)
                writer.waitForRoom()
            }
        }
        let lines = await bytes.split(separator: UInt8(ascii: "\n")).map { $0.dropFirst(tail.count) }
        Self.expectWhole(Array(lines.joined(separator: [UInt8(ascii: "\n")])), of: senders, count)
    }

    /// Checks that each line is a whole message, and that each sender's messages are in order.
    private static func expectWhole(_ bytes: [UInt8], of senders: Int, _ count: Int) {
        var next = [Int](repeating: 0, count: senders)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, let sender = Int(words[0]), let number = Int(words[1]), sender < senders else {
                Issue.record("a broken line")
                return
            }
            guard number == next[sender], Array(line) + [UInt8(ascii: "\n")] == Self.message(sender, number) else {
                Issue.record("message \(number) of \(sender) is not \(next[sender]), or not whole")
                return
            }
            next[sender] += 1
        }
        #expect(next == [Int](repeating: count, count: senders))
    }

    @Test(arguments: Channel.Kind.allCases)
    func closedReaderIsReportedOnce(kind: Channel.Kind) async {
        let channel = Channel(kind)
        let calls = Monitor(0)
        let writer = ReplyWriter(channel.output, maxQueue: 1000) { calls.change { $0 += 1 } }
        // The writer's own thread is writing this when the reader closes the pipe.
        Self.send([UInt8](repeating: 1, count: 1 << 20), writer)
        channel.closeInput()
        await onThreads(0..<4) { _ in
            for _ in 0..<100 { Self.send(Self.message(0, 99), writer) }
            writer.waitForRoom()
            writer.flush()
        }
        #expect(writer.isClosed)
        await onThread { calls.wait(until: { $0 > 0 }, then: { _ in }) }
        Self.send(Self.message(0, 1), writer)
        #expect(calls.withLock { $0 } == 1)
        channel.closeOutput()
    }

    @Test(arguments: Channel.Kind.allCases)
    func flushReturnsAfterTheLastWrite(kind: Channel.Kind) async {
        let channel = Channel(kind)
        let writer = Self.writer(channel)
        let size = 1 << 20
        Self.send([UInt8](repeating: 7, count: size), writer)
        let read = Counter()
        async let left = onThread {
            writer.flush()
            return size - read.value
        }
        await onThread {
            while read.value < size {
                let count = channel.read(min(4096, size - read.value)).count
                read.add(count)
            }
        }
        // Unread bytes can only be in the system's buffers, which are far smaller than the message.
        #expect(await left < size / 2)
        Self.send([1, 2, 3], writer)
        await onThread { _ = writer.flush() }
        #expect(channel.readAvailable() == [1, 2, 3])
    }

    @Test func emptyMessageSendsNothing() async {
        let channel = Channel(.pipe)
        let writer = Self.writer(channel)
        Self.send([], writer)
        await onThread {
            writer.flush()
            writer.waitForRoom()
        }
        #expect(channel.readAvailable().isEmpty)
    }

    /// A sender that waits for room after each message is never ahead of the reader by more than the queue and the pipe
    /// hold.
    @Test func senderWaitsWhileTheQueueIsFull() async {
        let channel = Channel(.pipe)
        let maxQueue = 64 << 10
        let writer = Self.writer(channel, maxQueue: maxQueue)
        let (count, size) = (8000, 1000)
        let sent = Counter()
        async let producer: Void = onThread {
            let message = [UInt8](repeating: 5, count: size)
            for _ in 0..<count {
                Self.send(message, writer)
                writer.waitForRoom()
                sent.add(size)
            }
        }
        let ahead = await onThread {
            var (read, ahead) = (0, 0)
            while read < count * size {
                read += channel.read(min(4000, count * size - read)).count
                ahead = max(ahead, sent.value - read)
            }
            return ahead
        }
        await producer
        #expect(ahead <= maxQueue + (64 << 10) + 2 * size, "a pipe holds 64 KiB")
    }

    /// A process that must exit does not wait for a client that does not read.
    @Test(arguments: Channel.Kind.allCases)
    func exitDoesNotWaitForAClientThatDoesNotRead(kind: Channel.Kind) async {
        let channel = Channel(kind)
        let writer = Self.writer(channel, maxQueue: 1)
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
        Self.send(large, writer)
        #expect(!writer.hasRoom)
        async let waited: Void = onThread { writer.waitForRoom() }
        async let flushed: Void = onThread { writer.flush(maxStall: .milliseconds(10)) }
        writer.beginEnd()
        await waited
        await flushed
        #expect(!writer.hasRoom)
        // A client that reads still gets all bytes.
        async let read = onThread { channel.read(large.count) }
        await onThread { _ = writer.flush(maxStall: .seconds(600)) }
        #expect(await read == large)
    }

    /// The reader reads one MiB whenever nothing was written for `maxStall`, so the writer continues.
    @Test(arguments: Channel.Kind.allCases)
    func exitWaitsForASlowClientThatStillReads(kind: Channel.Kind) async {
        let channel = Channel(kind)
        let writer = Self.writer(channel, maxQueue: 0)
        let size = 8 << 20
        Self.send([UInt8](repeating: UInt8(ascii: "x"), count: size), writer)
        writer.beginEnd()
        let isAllWritten = await onThread {
            var read = 0
            writer.flush(maxStall: .milliseconds(10)) { read += channel.read(min(1 << 20, size - read)).count }
            return writer.hasRoom
        }
        #expect(isAllWritten)
    }

    @Test func outputFileReceivesAllMessages() async throws {
        let folder = try TemporaryDirectory()
        try folder.write([], to: "out")
        let file = try #require(Descriptors.openForWriting(folder.file("out")))
        defer { Descriptors.close(file) }
        let writer = ReplyWriter(file, maxQueue: 1000) {}
        let messages = (0..<500).map { Self.message(0, $0) }
        for message in messages { Self.send(message, writer) }
        await onThread { _ = writer.flush() }
        #expect(try folder.read("out") == Array(messages.joined()))
    }

    @Test func writesToADeviceRunOnTheWriterThread() async throws {
        let device = try #require(Descriptors.openForWriting("/dev/null"))
        defer { Descriptors.close(device) }
        let writer = ReplyWriter(device, maxQueue: 1000) {}
        for number in 0..<500 { Self.send(Self.message(0, number), writer) }
        await onThread { _ = writer.flush() }
        #expect(!writer.isClosed)
    }
}
