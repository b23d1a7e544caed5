import Model
import TestSupport
import Testing

@testable import HTTP

/// Tests header sections that few servers send.
@Suite(.limited) struct HTTPHeadParserTests {
    /// Returns the parser after the given lines. A line has its line break.
    private static func parse(_ lines: String...) -> HTTPHeadParser {
        var parser = HTTPHeadParser()
        for line in lines { #expect(append(line, to: &parser)) }
        return parser
    }

    private static func append(_ line: String, to parser: inout HTTPHeadParser) -> Bool {
        Array(line.utf8).withUnsafeBytes { parser.append($0) }
    }

    @Test func foldedHeaderFieldIsJoined() {
        let parser = Self.parse("HTTP/1.1 200 OK\r\n", "A: 1\r\n", " 2\r\n", "\t3 \r\n", "B:4\n", "\r\n")
        #expect(parser.fields == [HTTPHeader("A", "1 2 3"), HTTPHeader("B", "4")])
        #expect(parser.status == 200 && parser.isComplete)
    }

    @Test func responseLineThatIsNotAHeaderFieldIsIgnored() {
        let parser = Self.parse("HTTP/1.1 200\n", " 1\n", "none\n", "A:1\n", ": 2\n", "\n")
        #expect(parser.fields == [HTTPHeader("A", "1"), HTTPHeader("", "2")])
    }

    @Test(arguments: [(199, false), (200, true), (100, false), (599, true)])
    func interimAnswerDoesNotCompleteTheHead(status: Int, isComplete: Bool) {
        let parser = Self.parse("HTTP/2 \(status)\r\n", "A: 1\r\n", "\r\n")
        #expect(parser.isComplete == isComplete && parser.status == status)
    }

    @Test(arguments: [
        ("HTTP/1.1\r\n", 0), ("HTTP/1.1 20x\r\n", 0), ("HTTP/1.1 2004\r\n", 200), ("HTTP/1.1 09:\r\n", 0),
    ])
    func responseStatusMustHaveThreeDigits(line: String, status: Int) { #expect(Self.parse(line).status == status) }

    @Test func fieldsOfInterimAnswersAndTrailersAreIgnored() {
        let parser = Self.parse(
            "HTTP/1.1 103 Early Hints\r\n", "A: 1\r\n", "\r\n", "HTTP/1.1 204 None\r\n", "B: 2\r\n", "\r\n", "C: 3\r\n",
            "\r\n")
        #expect(parser.fields == [HTTPHeader("B", "2")] && parser.status == 204)
    }

    @Test func totalSizeOfHeaderLinesIsLimited() {
        var parser = Self.parse("HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 200 OK\r\n")
        let left = HTTPHeadParser.limit - "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n".utf8.count
        #expect(Self.append(String(repeating: "x", count: left), to: &parser))
        #expect(!Self.append("x", to: &parser))
        parser.reset()
        #expect(Self.append(String(repeating: "x", count: HTTPHeadParser.limit), to: &parser))
        #expect(parser.status == 0 && !parser.isComplete)
    }
}
