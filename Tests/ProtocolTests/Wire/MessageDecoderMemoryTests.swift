import TestSupport
import Testing

@testable import Protocol

@Suite("The memory that a sender can make the decoder use is limited", .limited)
struct MessageDecoderMemoryTests {
    static let limit = 1 << 20
    static let endless = Array(repeating: UInt8(ascii: "x"), count: 1 << 16)
    static let blanks = Array(repeating: UInt8(ascii: " "), count: 1 << 16)
    static let newlines = Array(repeating: UInt8(ascii: "\n"), count: 1 << 16)

    /// Long streams, and the frames that are found on them.
    static let streams: [(begin: String, more: [UInt8], end: String, found: [Found])] = [
        ("", endless, "\n{}\n", [.tooLong, .message("{}")]),
        ("{\"a\":\"", endless, "\n{}\n", [.tooLong, .message("{}")]),
        ("{}", blanks, "\n{}\n", [.tooLong, .message("{}")]),
        ("{}\n", blanks, "[]\n", [.message("{}"), .message("[]")]),
        ("", newlines, "[]\n", [.message("[]")]),
        (
            "Content-Length: 100000000\r\n\r\n", endless, "",
            [.tooLong]
        ),
        (
            "Content-Length: \(50 << 20)\r\n\r\n", endless, "Content-Length: 2\r\n\r\n{}",
            [.tooLong, .message("{}")]
        ),
        (
            "A: 1\r\n", Array(String(repeating: "B: 12345678901\r\n", count: 4096).utf8),
            "\r\nContent-Length: 2\r\n\r\n{}",
            [.malformed("the headers must have at most 8192 bytes"), .message("{}")]
        ),
        (
            "Content-Length: 2\r\n\r\n{}", newlines, "Content-Length: 2\r\n\r\n[]",
            [.message("{}"), .message("[]")]
        ),
    ]

    @Test(arguments: streams.indices)
    func endlessStreamsUseBoundedMemory(_ index: Int) {
        let stream = Self.streams[index]
        // Invalid bytes are skipped quickly. Whitespace is skipped byte by byte, so a shorter stream is used.
        let size = stream.more == Self.endless ? 50 << 20 : 6 << 20
        let decoder = MessageDecoder(limit: Self.limit)
        var found: [Found] = []
        decoder.feed(stream.begin.utf8) { found.append(Found($0)) }
        for _ in 0..<size / stream.more.count {
            decoder.feed(stream.more) { found.append(Found($0)) }
        }
        decoder.feed(stream.end.utf8) { found.append(Found($0)) }
        while let frame = decoder.finish() { found.append(Found(frame)) }
        #expect(found == stream.found)
        #expect(decoder.capacity <= 2 * Self.limit)
    }

    @Test func smallMessagesReuseTheFirstBuffer() {
        let decoder = MessageDecoder(limit: Self.limit, capacity: 256)
        var count = 0
        for _ in 0..<10_000 { decoder.feed("{\"jsonrpc\":\"2.0\"}\n".utf8) { _ in count += 1 } }
        #expect(count == 10_000)
        #expect(decoder.capacity == 256)
    }

    @Test func bufferGrowsOnlyToTheMessageSize() {
        let decoder = MessageDecoder(limit: Self.limit, capacity: 64)
        var sizes: [Int] = []
        let line = Array(repeating: UInt8(ascii: "1"), count: Self.limit) + [UInt8(ascii: "\n")]
        for _ in 0..<3 {
            decoder.feed(line) { if case .message(let bytes) = $0 { sizes.append(bytes.count) } }
        }
        #expect(sizes == [Self.limit, Self.limit, Self.limit])
        #expect(decoder.capacity <= 2 * Self.limit)
    }
}
