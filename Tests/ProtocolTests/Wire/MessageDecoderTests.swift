import TestSupport
import Testing

@testable import Protocol

@Suite("The decoder finds the same messages for all pieces of a stream", .limited)
struct MessageDecoderTests {
    static let scripts = StreamScript.newline + StreamScript.contentLength

    @Test(arguments: scripts, Feed.allCases)
    func streamIsDecodedInPiecesOfAnySize(_ script: StreamScript, _ feed: Feed) {
        let result = feed.decode(script.bytes, limit: StreamScript.limit)
        #expect(result.found == script.found)
        #expect(result.framing == script.framing)
    }

    @Test(arguments: [StreamScript.newline, StreamScript.contentLength], Feed.allCases)
    func consecutiveStreamPartsAreDecoded(_ scripts: [StreamScript], _ feed: Feed) throws {
        // The first script determines the framing.
        let inARow = scripts.filter(\.isWhole)
        for scripts in [inARow, [inARow[0]] + inARow.reversed()] {
            let result = feed.decode(scripts.flatMap(\.bytes), limit: StreamScript.limit)
            #expect(result.found == scripts.flatMap(\.found))
            #expect(result.framing == scripts[0].framing)
        }
    }

    @Test(arguments: Feed.allCases)
    func blankStreamHasNoMessages(_ feed: Feed) {
        for text in ["", "\n", " \r\n\t\n", String(repeating: "\n", count: 20_000)] {
            let result = feed.decode(Array(text.utf8), limit: 40)
            #expect(result.found == [])
            #expect(result.framing == nil)
        }
    }

    /// The length limit of a first line must not depend on the pieces in which the line arrives.
    @Test(arguments: [(8192, Framing.contentLength), (8193, .newline)], Feed.allCases)
    func firstLineLongerThanTheHeaderLimitIsReadAsAMessage(_ expected: (length: Int, framing: Framing), _ feed: Feed) {
        let line = "Name: " + StreamScript.x(expected.length - 6)
        let result = feed.decode(Array((line + "\n{}\n").utf8), limit: 10_000)
        #expect(result.framing == expected.framing)
        if expected.framing == .newline { #expect(result.found == [.message(line), .message("{}")]) }
    }

    /// A decoder with a limit below one byte would refuse every message.
    @Test(arguments: [Int.min, -1, 0, 1])
    func sizeLimitIsAtLeastOneByte(_ limit: Int) {
        #expect(
            Feed.whole.decode(Array("1\n{}\n[\n".utf8), limit: limit).found == [.message("1"), .tooLong, .message("[")])
    }

    @Test(arguments: ["{}\n[1]\n", "Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]"])
    func largestSizeLimitCausesNoOverflow(_ text: String) {
        #expect(Feed.byteByByte.decode(Array(text.utf8), limit: .max).found == [.message("{}"), .message("[1]")])
    }

    @Test func errorForATooLongFrameStatesTheLimit() throws {
        let decoder = MessageDecoder(limit: 3)
        var limits: [Int] = []
        decoder.feed("[1, 2]\n".utf8) { if case .tooLong(let limit) = $0 { limits.append(limit) } }
        #expect(limits == [3])
    }

    @Test func messageIsReturnedBeforeTheNextIsComplete() {
        let decoder = MessageDecoder(limit: 100)
        var found: [Found] = []
        decoder.feed("{}\n[1".utf8) { found.append(Found($0)) }
        #expect(found == [.message("{}")])
        decoder.feed(", 2]\n".utf8) { found.append(Found($0)) }
        #expect(found == [.message("{}"), .message("[1, 2]")])
    }

    @Test func messageIsReturnedWhenTheLastByteOfItsBodyArrives() {
        let decoder = MessageDecoder(limit: 100)
        var found: [Found] = []
        decoder.feed("Content-Length: 2\r\n\r\n{".utf8) { found.append(Found($0)) }
        #expect(found == [])
        decoder.feed("}".utf8) { found.append(Found($0)) }
        #expect(found == [.message("{}")])
    }

    /// A reader that reports more bytes than fit must not make the decoder read beyond its buffer.
    @Test func receivedByteCountIsLimitedToTheBuffer() {
        let decoder = MessageDecoder(limit: 100, capacity: 64)
        decoder.space().initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "\n"))
        decoder.received(-1)
        decoder.received(.max)
        #expect(decoder.next() == nil)
        #expect(decoder.end <= decoder.capacity)
    }

    /// A complete message is returned at once, because a client that waits for the reply sends nothing more.
    @Test func messageThatArrivesTogetherWithATooLongMessageIsReturned() {
        let decoder = MessageDecoder(limit: 4)
        var found: [Found] = []
        decoder.feed("Content-Length: 9\r\n\r\n123456789Content-Length: 2\r\n\r\n{}".utf8) { found.append(Found($0)) }
        #expect(found == [.tooLong, .message("{}")])
    }
}
