import Testing

@testable import Protocol

/// A stream and the frames that a decoder must find on it.
struct StreamScript: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let found: [Found]
    let framing: Framing?
    /// Whether the stream ends between two messages, so that another script may follow.
    let isWhole: Bool

    /// The size limit of messages in the scripts, in bytes.
    static let limit = 40

    var testDescription: String { name }

    static func lines(_ name: String, _ text: String, _ found: [Found]) -> StreamScript {
        StreamScript(
            name: name, bytes: Array(text.utf8), found: found, framing: .newline,
            isWhole: text.utf8.last == UInt8(ascii: "\n"))
    }

    static func headers(_ name: String, _ text: String, isWhole: Bool = true, _ found: [Found]) -> StreamScript {
        StreamScript(name: name, bytes: Array(text.utf8), found: found, framing: .contentLength, isWhole: isWhole)
    }

    static func x(_ count: Int) -> String { String(repeating: "x", count: count) }
}

extension StreamScript {
    static let newline: [StreamScript] = [
        .lines("one line", "{}\n", [.message("{}")]),
        .lines("several lines", "{\"a\":1}\n[]\n{}\n", [.message("{\"a\":1}"), .message("[]"), .message("{}")]),
        .lines("CRLF", "{}\r\n[1]\r\n", [.message("{}"), .message("[1]")]),
        .lines("blank lines", "\n\r\n {} \n\n \t \n\r\n[]\n\n", [.message("{}"), .message("[]")]),
        .lines("blanks around", "  {} \t\n\t[ ]\r \n", [.message("{}"), .message("[ ]")]),
        .lines("last line without newline", "{}\n[2]", [.message("{}"), .message("[2]")]),
        .lines("only line without newline", "{\"id\":1}", [.message("{\"id\":1}")]),
        .lines("last line cut off", "{}\n{\"id\":", [.message("{}"), .message("{\"id\":")]),
        .lines(
            "not JSON after a message", "{}\nnonsense\n[]\n", [.message("{}"), .message("nonsense"), .message("[]")]),
        .lines("not JSON first", "nonsense\n{}\n", [.message("nonsense"), .message("{}")]),
        .lines("scalar first", "12\n{}\n", [.message("12"), .message("{}")]),
        .lines("string with a colon first", "\"a\": 1\n{}\n", [.message("\"a\": 1"), .message("{}")]),
        .lines("colon first", ": x\n{}\n", [.message(": x"), .message("{}")]),
        .lines("name with a blank first", "a b: x\n{}\n", [.message("a b: x"), .message("{}")]),
        .lines("byte order mark", "\u{FEFF}{\"a\":1}\n{}\n", [.message("\u{FEFF}{\"a\":1}"), .message("{}")]),
        .lines("byte order mark before a header", "\u{FEFF}A: 1\n{}\n", [.message("\u{FEFF}A: 1"), .message("{}")]),
        .lines("half a header at the end", "Content-Len", [.message("Content-Len")]),
        .lines("NUL", "{\u{0}}\n\u{0}\n", [.message("{\u{0}}"), .message("\u{0}")]),
        .lines(
            "header in the newline framing", "{}\nContent-Length: 2\n", [.message("{}"), .message("Content-Length: 2")]),
        .lines("as long as may be", "{\(x(38))}\n[]\n", [.message("{\(x(38))}"), .message("[]")]),
        .lines("as long as may be, CRLF", "{\(x(38))}\r\n[]\n", [.message("{\(x(38))}"), .message("[]")]),
        .lines("as long as may be, at the end", "{\(x(38))}", [.message("{\(x(38))}")]),
        .lines("as long as may be, CR at the end", "{\(x(38))}\r", [.message("{\(x(38))}")]),
        .lines(
            "blanks before do not count", "[]\n\(String(repeating: " ", count: 90)){}\n",
            [.message("[]"), .message("{}")]),
        .lines("a byte too long", "{\(x(39))}\n[]\n", [.tooLong, .message("[]")]),
        .lines("a byte too long, CRLF", "{\(x(39))}\r\n[]\n", [.tooLong, .message("[]")]),
        .lines("a blank too long", "{\(x(38))} \n[]\n", [.tooLong, .message("[]")]),
        .lines("two CRs too long", "{\(x(38))}\r\r\n[]\n", [.tooLong, .message("[]")]),
        .lines("blanks after count", "{}\(String(repeating: " ", count: 90))\n[]\n", [.tooLong, .message("[]")]),
        .lines("far too long", "{}\n\(x(1000))\n[]\n", [.message("{}"), .tooLong, .message("[]")]),
        .lines("two too long", "[\(x(100))\n\(x(200))\n[]\n", [.tooLong, .tooLong, .message("[]")]),
        .lines("too long, at the end", "{}\n[\(x(100))", [.message("{}"), .tooLong]),
        .lines("too long, blank lines after", "[\(x(100))\n\n\n{}\n", [.tooLong, .message("{}")]),
    ]

    private static let lost = Found.malformed("Content-Length must be a number of bytes")

    static let contentLength: [StreamScript] = [
        .headers("one message", "Content-Length: 2\r\n\r\n{}", [.message("{}")]),
        .headers(
            "several", "Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [.message("{}"), .message("[1]")]),
        .headers("bare newlines", "Content-Length: 2\n\n{}", [.message("{}")]),
        .headers("lower case", "content-length: 2\r\n\r\n{}", [.message("{}")]),
        .headers("upper case, no blank", "CONTENT-LENGTH:2\r\n\r\n{}", [.message("{}")]),
        .headers("blanks around the number", "Content-Length: \t 2 \r\n\r\n{}", [.message("{}")]),
        .headers("leading zeros", "Content-Length: 0002\r\n\r\n{}", [.message("{}")]),
        .headers("type before", "Content-Type: a/b; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}", [.message("{}")]),
        .headers("type after", "Content-Length: 2\r\nContent-Type: a/b\r\n\r\n{}", [.message("{}")]),
        .headers("empty body", "Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", [.message(""), .message("{}")]),
        .headers("newlines inside", "Content-Length: 7\r\n\r\n{\r\n\n\r\n}", [.message("{\r\n\n\r\n}")]),
        .headers("blanks inside stay", "Content-Length: 6\r\n\r\n  {}\r\n", [.message("  {}\r\n")]),
        .headers(
            "a header inside", "Content-Length: 21\r\n\r\nContent-Length: 2\r\n\r\n",
            [.message("Content-Length: 2\r\n\r\n")]),
        .headers("bytes, not characters", "Content-Length: 4\r\n\r\n\"\u{E9}\"", [.message("\"\u{E9}\"")]),
        .headers("blank lines between", "\r\nContent-Length: 2\r\n\r\n{}\r\n\r\n", [.message("{}")]),
        .headers("as long as may be", "Content-Length: 40\r\n\r\n\(x(40))", [.message(x(40))]),
        .headers(
            "a byte too long", "Content-Length: 41\r\n\r\n\(x(41))Content-Length: 2\r\n\r\n{}",
            [.tooLong, .message("{}")]),
        .headers(
            "far too long", "Content-Length: 5000\r\n\r\n\(x(5000))Content-Length: 2\r\n\r\n{}",
            [.tooLong, .message("{}")]),
        .headers(
            "no length", "Foo: 1\r\n\r\n", isWhole: false,
            [.malformed("Content-Length is missing; send it before each message")]),
        .headers(
            "no length, then found again", "Foo: 1\r\n\r\n{\"x\":1}Content-Length: 2\r\n\r\n{}",
            [.malformed("Content-Length is missing; send it before each message"), .message("{}")]),
        .headers("negative", "Content-Length: -2\r\n\r\n{}Content-Length: 2\r\n\r\n[]", [lost, .message("[]")]),
        .headers("plus", "Content-Length: +2\r\n\r\n{}Content-Length: 2\r\n\r\n[]", [lost, .message("[]")]),
        .headers("no digits", "Content-Length: two\r\n\r\n{}Content-Length: 2\r\n\r\n[]", [lost, .message("[]")]),
        .headers("nothing", "Content-Length:\r\n\r\n{}content-length: 2\r\n\r\n[]", [lost, .message("[]")]),
        .headers("hexadecimal", "Content-Length: 0x2\r\n\r\n{}Content-Length: 2\r\n\r\n[]", [lost, .message("[]")]),
        .headers("fraction", "Content-Length: 2.0\r\n\r\n{}Content-Length: 2\r\n\r\n[]", [lost, .message("[]")]),
        .headers(
            "Arabic digit", "Content-Length: \u{662}\r\n\r\n{}Content-Length: 2\r\n\r\n[]", [lost, .message("[]")]),
        .headers(
            "past an integer", "Content-Length: 99999999999999999999999\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            [lost, .message("[]")]),
        .headers(
            "10^18", "Content-Length: 1000000000000000000\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            [.tooLong, .message("[]")]),
        .headers(
            "the largest integer", "Content-Length: 9223372036854775807\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            [.tooLong, .message("[]")]),
        .headers(
            "length twice", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            [.malformed("Content-Length is given twice; send it once"), .message("[]")]),
        .headers(
            "same length twice", "Content-Length: 2\r\ncontent-length: 2\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            [.malformed("Content-Length is given twice; send it once"), .message("[]")]),
        .headers(
            "a line that is no header", "Content-Length: 2\r\nfoo\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
            [.malformed("a header must be written as 'Name: value'"), .message("[]")]),
        .headers(
            "newline framing inside", "Content-Length: 2\r\n\r\n{}{\"a\":1}\n\nContent-Length: 2\r\n\r\n[]",
            [.message("{}"), .malformed("a header must be written as 'Name: value'"), .message("[]")]),
        .headers(
            "headers too large", "\(String(repeating: "A: 12345\r\n", count: 1000))Content-Length: 2\r\n\r\n{}",
            [.malformed("the headers must have at most 8192 bytes"), .message("{}")]),
        .headers(
            "a header block without end", String(repeating: "A: 12345\r\n", count: 2000), isWhole: false,
            [.malformed("the headers must have at most 8192 bytes")]),
        .headers(
            "headers as large as may be", "\(String(repeating: "A: 12345\r\n", count: 817))Content-Length: 2\r\n\r\n{}",
            [.message("{}")]),
        .headers(
            "newline framing before a header", "Content-Length: 2\r\n\r\n{}{\"a\":1}\nContent-Length: 2\r\n\r\n[]",
            [.message("{}"), .malformed("a header must be written as 'Name: value'"), .message("[]")]),
        .headers(
            "body cut off", "Content-Length: 9\r\n\r\n{}", isWhole: false,
            [.malformed("the input ends inside a message; send the whole message")]),
        .headers(
            "body missing", "Content-Length: 9\r\n\r\n", isWhole: false,
            [.malformed("the input ends inside a message; send the whole message")]),
        .headers(
            "header cut off", "Content-Length: 2\r\n\r\n{}Content-Le", isWhole: false,
            [.message("{}"), .malformed("the input ends inside a message; send the whole message")]),
        .headers(
            "header block cut off", "Content-Length: 2\r\n", isWhole: false,
            [.malformed("the input ends inside a message; send the whole message")]),
        .headers("too long body cut off", "Content-Length: 100\r\n\r\n\(x(50))", isWhole: false, [.tooLong]),
        .headers(
            "nothing found again", "A: 1\r\n\r\nContent-Le", isWhole: false,
            [.malformed("Content-Length is missing; send it before each message")]),
    ]
}
