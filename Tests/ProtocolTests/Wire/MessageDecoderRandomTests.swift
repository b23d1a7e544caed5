import TestSupport
import Testing

@testable import Protocol

@Suite("Random streams", .limited)
struct MessageDecoderRandomTests {
    static let limit = 64

    @Test(arguments: UInt64(1)...20)
    func linesOfEverySizeAreDecoded(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var text = "[]\n"
        var expected = [Found.message("[]")]
        for _ in 0..<60 {
            text += ["", "\n", "\r\n", "  ", "\t\n"].randomElement(using: &generator) ?? ""
            let message = "[" + StreamScript.x(Int.random(in: 0...80, using: &generator))
            text += message + (["\n", "\r\n"].randomElement(using: &generator) ?? "\n")
            expected.append(message.utf8.count > Self.limit ? .tooLong : .message(message))
        }
        check(text, is: expected)
    }

    @Test(arguments: UInt64(1)...20)
    func bodiesOfEverySizeAreDecoded(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var text = ""
        var expected: [Found] = []
        for _ in 0..<60 {
            text += ["", "Content-Type: x\r\n", "\r\n", "A: 1\nB: 2\n"].randomElement(using: &generator) ?? ""
            let message = "\n" + StreamScript.x(Int.random(in: 0...80, using: &generator)) + "\n"
            text += "Content-Length: \(message.utf8.count)\r\n\r\n\(message)"
            expected.append(message.utf8.count > Self.limit ? .tooLong : .message(message))
        }
        check(text, is: expected)
    }

    /// The frames of an invalid stream are not specified, but they must not depend on the pieces of the stream.
    @Test(arguments: UInt64(1)...300)
    func sizeOfPiecesDoesNotChangeTheResultOfAnInvalidStream(seed: UInt64) {
        let words = [
            "Content-Length: ", "content-length:", "2", "70", "-1", "1000000000000000000", "\r\n", "\r\n\r\n", "\n",
            "\n\n", " ",
            "\r", "{}", "[1]", ":", "A: b\r\n", "\u{0}", "\u{E9}", "Content-", StreamScript.x(30), StreamScript.x(70),
        ]
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...60, using: &generator)
        let text = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
        check(text, is: Feed.whole.decode(Array(text.utf8), limit: Self.limit).found)
    }

    private func check(_ text: String, is expected: [Found]) {
        for feed in Feed.allCases {
            let found = feed.decode(Array(text.utf8), limit: Self.limit).found
            #expect(found == expected, "\(feed.testDescription): \(text.debugDescription)")
        }
    }
}
