import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct LogStreamTests {
    private static func notice(_ text: String) -> String { "! \(text)\n" }

    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// A line of 1,000 bytes that starts with its number.
    private static func line(_ number: Int) -> String {
        "\(number) ".padded(to: 999) + "\n"
    }

    /// Writes more lines than fit into the stream, so that some are dropped.
    private static func fill(_ stream: LogStream, _ channel: Channel, lines: Int) {
        for number in 0..<lines { stream.write(line(number), notice: notice) }
    }

    @Test(arguments: Channel.Kind.allCases)
    func logLinesAreWrittenInOrder(kind: Channel.Kind) {
        let channel = Channel(kind)
        let stream = LogStream(channel.output)
        for number in 0..<10 { stream.write("\(number)\n", notice: Self.notice) }
        #expect(channel.readAvailable() == Array((0..<10).map { "\($0)\n" }.joined().utf8))
        #expect(!channel.isOutputNonBlocking)
    }

    /// The test would hang if a line waited for the reader.
    @Test(arguments: Channel.Kind.allCases)
    func logLineIsDroppedAndCountedIfTheLogIsFull(kind: Channel.Kind) async {
        let channel = Channel(kind)
        let stream = LogStream(channel.output)
        let count = 3000
        await onThread { Self.fill(stream, channel, lines: count) }
        let early = Self.lines(channel.readAvailable())
        stream.write("next\n", notice: Self.notice)
        stream.write("last\n", notice: Self.notice)
        let late = Self.lines(channel.readAvailable())
        #expect(late.count == 3 && Self.dropped(late[0]) > 0)
        #expect(late.suffix(2) == ["next", "last"])
        // A notice is short, so it may fit into the stream when a line does not.
        let lines = early.filter { !$0.hasPrefix("!") }
        #expect(lines.count > 10 && lines.indices.allSatisfy { lines[$0].hasPrefix("\($0) ") })
        #expect(lines.count + (early + late).reduce(0) { $0 + Self.dropped($1) } == count)
    }

    /// Returns the number of dropped lines in a notice; 0 for other lines.
    private static func dropped(_ line: Substring) -> Int {
        let end = " log lines were dropped: stderr is not read fast enough"
        let one = "! 1 log line was dropped: stderr is not read fast enough"
        if line == one { return 1 }
        return line.hasPrefix("! ") && line.hasSuffix(end) ? Int(line.dropFirst(2).dropLast(end.count)) ?? 0 : 0
    }

    @Test func droppedLogLinesAreReportedOnceTheLogHasRoom() async {
        let channel = Channel(.pipe)
        let stream = LogStream(channel.output)
        // Each line is as long as a page, so if a line does not fit, a notice does not fit either.
        let long: @Sendable (String) -> String = { "! \($0) ".padded(to: 4095) + "\n" }
        await onThread { for _ in 0..<100 { stream.write(long("line"), notice: long) } }
        let kept = Self.lines(channel.readAvailable())
        #expect((1..<100).contains(kept.count) && kept.allSatisfy { $0.hasPrefix("! line ") })
        stream.write("last\n", notice: Self.notice)
        #expect(
            Self.lines(channel.readAvailable()) == [
                "! \(100 - kept.count) log lines were dropped: stderr is not read fast enough", "last",
            ])
    }

    @Test func oneDroppedLogLineIsReportedInTheSingular() async {
        let channel = Channel(.pipe)
        let stream = LogStream(channel.output)
        // A pipe holds 64 KiB: 16 pages, each with one line of this length.
        for number in 0..<17 { stream.write("\(number) ".padded(to: 4095) + "\n", notice: Self.notice) }
        _ = channel.readAvailable()
        stream.write("last\n", notice: Self.notice)
        #expect(
            Self.lines(channel.readAvailable()) == ["! 1 log line was dropped: stderr is not read fast enough", "last"])
    }

    @Test func longLogLineIsCutBetweenCharacters() {
        let channel = Channel(.pipe)
        let stream = LogStream(channel.output)
        stream.write(String(repeating: "a", count: 4095) + "\n", notice: Self.notice)
        stream.write(String(repeating: "a", count: 4096) + "\n", notice: Self.notice)
        stream.write("a" + String(repeating: "é", count: 3000) + "\n", notice: Self.notice)
        stream.write(String(repeating: "𝄞", count: 3000) + "\n", notice: Self.notice)
        let lines = channel.readAvailable().split(separator: UInt8(ascii: "\n"))
        #expect(lines.map(\.count) == [4095, 4095, 4094, 4095])
        for line in lines.dropFirst() {
            let text = String(validating: line, as: UTF8.self)
            #expect(text?.hasSuffix("...") == true)
        }
    }

    @Test(arguments: Channel.Kind.allCases)
    func closedReaderOfTheLogIsIgnored(kind: Channel.Kind) {
        let channel = Channel(kind)
        let stream = LogStream(channel.output)
        stream.write("one\n", notice: Self.notice)
        channel.closeInput()
        for _ in 0..<3 { stream.write("two\n", notice: { _ in fail() }) }
        // A channel that was never read.
        let other = Channel(kind)
        other.closeInput()
        LogStream(other.output).write("three\n", notice: { _ in fail() })
    }

    @Test func logLinesOfSeveralThreadsNeverMix() async {
        let channel = Channel(.pipe)
        let stream = LogStream(channel.output)
        await onThreads(0..<4) { thread in
            for _ in 0..<100 { stream.write(String(repeating: "\(thread)", count: 99) + "\n", notice: Self.notice) }
        }
        let lines = Self.lines(channel.readAvailable())
        #expect(lines.count == 400 && lines.allSatisfy { Set($0).count == 1 && $0.count == 99 })
    }
}

/// Fails the test: no line may be dropped.
private func fail() -> String {
    Issue.record("nothing was dropped")
    return ""
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: ".", count: max(0, count - utf8.count))
    }
}
