import TestSupport
import Testing

@testable import Redis

/// Tests how replies are decoded, however their bytes are split.
@Suite(.limited) struct RESPDecoderTests {
    private static let replies: [(String, RESPValue)] = [
        ("+OK\r\n", .text(Array("OK".utf8))),
        ("+\r\n", .text([])),
        ("$5\r\nhe\r\no\r\n", .text(Array("he\r\no".utf8))),
        ("$0\r\n\r\n", .text([])),
        ("$-1\r\n", .null),
        ("*-1\r\n", .null),
        ("_\r\n", .null),
        ("-ERR no such thing\r\n", .error(code: "ERR", message: "ERR no such thing")),
        ("-OOM\r\n", .error(code: "OOM", message: "OOM")),
        ("!14\r\nREADONLY wrong\r\n", .error(code: "READONLY", message: "READONLY wrong")),
        (":0\r\n", .integer(0)),
        (":-9223372036854775808\r\n", .integer(.min)),
        (":9223372036854775807\r\n", .integer(.max)),
        (",1.5\r\n", .double(1.5)),
        (",-3\r\n", .double(-3)),
        (",inf\r\n", .double(.infinity)),
        (",-inf\r\n", .double(-.infinity)),
        ("#t\r\n", .bool(true)),
        ("#f\r\n", .bool(false)),
        ("(34928903284092385093248509438\r\n", .text(Array("34928903284092385093248509438".utf8))),
        ("=8\r\ntxt:some\r\n", .text(Array("some".utf8))),
        ("=4\r\nmkd:\r\n", .text([])),
        ("*0\r\n", .array([])),
        ("~0\r\n", .array([])),
        ("%0\r\n", .map([])),
        ("*3\r\n:1\r\n$1\r\na\r\n_\r\n", .array([.integer(1), .text([97]), .null])),
        ("~2\r\n#t\r\n*1\r\n*0\r\n", .array([.bool(true), .array([.array([])])])),
        (
            "%2\r\n+a\r\n:1\r\n+b\r\n%1\r\n+c\r\n*0\r\n",
            .map([
                .text([97]), .integer(1), .text([98]), .map([.text([99]), .array([])]),
            ])
        ),
        // Push messages and attributes are not replies.
        (">2\r\n+invalidate\r\n*1\r\n+k\r\n:7\r\n", .integer(7)),
        (">0\r\n:7\r\n", .integer(7)),
        ("|1\r\n+ttl\r\n:9\r\n:7\r\n", .integer(7)),
        ("|0\r\n:7\r\n", .integer(7)),
        ("*2\r\n|1\r\n+ttl\r\n*1\r\n:9\r\n:7\r\n:8\r\n", .array([.integer(7), .integer(8)])),
    ]

    @Test(arguments: replies) func redisReplyIsDecoded(_ text: String, _ value: RESPValue) throws {
        #expect(try Self.read(text, stride: text.utf8.count) == [value])
    }

    @Test(arguments: replies) func redisReplyIsDecodedByteByByte(_ text: String, _ value: RESPValue) throws {
        #expect(try Self.read(text, stride: 1) == [value])
    }

    @Test(arguments: [1, 2, 3, 7, 64, 4096]) func consecutiveRedisRepliesAreDecoded(stride: Int) throws {
        let all = Self.replies.map(\.0).joined()
        #expect(try Self.read(all + all, stride: stride) == Self.replies.map(\.1) + Self.replies.map(\.1))
    }

    @Test(arguments: replies) func truncatedRedisReplyIsIncomplete(_ text: String, _ value: RESPValue) throws {
        let bytes = Array(text.utf8)
        for end in 0..<bytes.count {
            var decoder = RESPDecoder()
            decoder.append(bytes[..<end])
            #expect(try decoder.next() == nil)
            decoder.append(bytes[end...])
            #expect(try decoder.next() == value)
            #expect(try decoder.next() == nil)
        }
    }

    @Test(arguments: [
        // Not RESP.
        "HTTP/1.1 400 Bad Request\r\n", "\r\n", "\n", "?\r\n", "\u{0}\r\n", "x\r\n",
        // Lines without CR LF.
        "+OK\n", ":1\n", "$1\n",
        // Invalid values.
        ":\r\n", ":1.5\r\n", ": 1\r\n", ":9223372036854775808\r\n", ",\r\n", ",one\r\n", "#\r\n", "#x\r\n", "#true\r\n",
        "_x\r\n", "=3\r\ntxt\r\n", "=4\r\ntxt-\r\n",
        // Invalid lengths.
        "$\r\n", "$-2\r\n", "$+1\r\n", "$1x\r\n", "$01234567890\r\n", "*-2\r\n", "*x\r\n", "%-1\r\n", "!-1\r\n",
        "=-1\r\n", ">-1\r\n", "~x\r\n", "$99999999999999999999\r\n", "*18446744073709551615\r\n",
        // Streamed values.
        "$?\r\n", "*?\r\n", "%?\r\n", "~?\r\n", ";4\r\n", ".\r\n",
        // Too large.
        "$16777217\r\n", "!9999999999\r\n", "*174763\r\n", "%87382\r\n", ">174763\r\n", "|87382\r\n",
        "*9999999999\r\n", "%9999999999\r\n",
        // A string without CR LF.
        "$1\r\nabc", "$1\r\na\n\r",
        // Nested too deeply.
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",
        // A push message within a reply.
        "*1\r\n>1\r\n:1\r\n",
    ]) func invalidRedisReplyThrowsAnError(_ text: String) throws {
        for stride in [1, max(1, text.utf8.count)] {
            #expect(throws: RESPFault.self) {
                _ = try Self.read(text, stride: stride)
            }
        }
    }

    @Test func redisReplyLineMayHaveTheMaximumLength() throws {
        let limit = RESPDecoder.Limits().line
        let line = "+" + String(repeating: "x", count: limit - 2)
        #expect(try Self.read(line + "\r\n", stride: 4096).count == 1)
        #expect(throws: RESPFault.self) { try Self.read(line + "x\r\n", stride: 4096) }
    }

    @Test func redisLengthMayHaveTenDigits() throws {
        #expect(try Self.read("$0000000003\r\nabc\r\n", stride: 5) == [.text(Array("abc".utf8))])
        #expect(throws: RESPFault.self) { try Self.read("$00000000003\r\nabc\r\n", stride: 5) }
    }

    /// A reply with thirteen values of 1 MiB is decoded. Larder never requests a larger reply.
    @Test func largestRedisReplyIsDecoded() throws {
        let blob = String(repeating: "x", count: 1 << 20)
        let values = "*13\r\n" + String(repeating: "$\(1 << 20)\r\n\(blob)\r\n", count: 13)
        let expected = RESPValue.array(Array(repeating: .text(Array(blob.utf8)), count: 13))
        #expect(try Self.read(values, stride: 64 << 10) == [expected])
        let many = "*160000\r\n" + String(repeating: "_\r\n", count: 160_000)
        #expect(try Self.read(many, stride: 64 << 10) == [.array(Array(repeating: .null, count: 160_000))])
        let deep = String(repeating: "*1\r\n", count: 8) + ":1\r\n"
        #expect(try Self.read(deep, stride: 3).count == 1)
    }

    @Test func unfinishedRedisReplyLineIsLimitedInSize() throws {
        var decoder = RESPDecoder()
        decoder.append(Array("+".utf8) + Array(repeating: UInt8(ascii: "x"), count: 64 << 10))
        #expect(throws: RESPFault.self) { _ = try decoder.next() }
    }

    private static let cost = RESPDecoder.valueCost

    /// The memory limit counts nested values, because a small value takes more memory than it has bytes.
    @Test func nestedRedisValuesCountAgainstTheMemoryLimit() throws {
        let limits = RESPDecoder.Limits(memory: 8 * Self.cost)
        let five = "*2\r\n:1\r\n*2\r\n:1\r\n:2\r\n"
        #expect(try Self.read(five + five, stride: 100, limits).count == 2, "each reply has its own memory limit")
        #expect(throws: RESPFault.self) { _ = try Self.read("*2\r\n:1\r\n*6\r\n", stride: 100, limits) }
        let nested = String(repeating: "*1\r\n", count: 7) + ":1\r\n"
        #expect(throws: RESPFault.self) { _ = try Self.read(nested, stride: 100, limits) }
    }

    @Test func bytesOfAllStringsCountAgainstTheMemoryLimit() throws {
        let limits = RESPDecoder.Limits(memory: 40 + 3 * Self.cost)
        let reply = "*2\r\n$10\r\n0123456789\r\n$5\r\n01234\r\n"
        #expect(reply.utf8.count <= 40)
        #expect(try Self.read(reply + reply, stride: 100, limits).count == 2)
        #expect(throws: RESPFault.self) {
            _ = try Self.read("*2\r\n$10\r\n0123456789\r\n$13\r\n", stride: 100, limits)
        }
    }

    @Test(arguments: [">1\r\n+pushed\r\n", "|1\r\n+ttl\r\n:3\r\n", ">0\r\n"])
    func skippedBytesCountAgainstTheNextReply(_ skipped: String) throws {
        let limits = RESPDecoder.Limits(memory: 1000)
        #expect(try Self.read(skipped + skipped + ":1\r\n", stride: 100, limits) == [.integer(1)])
        let many = String(repeating: skipped, count: 1000)
        #expect(throws: RESPFault.self) { _ = try Self.read(many, stride: 100, limits) }
        // Each reply resets the count of skipped bytes.
        let few = String(repeating: skipped + ":1\r\n", count: 1000)
        #expect(try Self.read(few, stride: 100, limits).count == 1000)
    }

    @Test func receivedBytesExcludePushMessages() throws {
        var decoder = RESPDecoder()
        func received(_ text: String) throws -> Int {
            decoder.append(text.utf8)
            while try decoder.next() != nil {}
            return decoder.received
        }
        #expect(try received(">2\r\n$5\r\nhello\r\n*1\r\n:1\r\n|1\r\n+ttl\r\n:9\r\n") == 0)
        #expect(try received(":7\r\n") == 4)
        #expect(try received("$100\r\n") == 10)
        #expect(try received(String(repeating: "x", count: 60)) == 70, "a part of a string counts")
        #expect(try received(String(repeating: "x", count: 40) + "\r\n") == 110)
    }

    @Test func memoryOfAReplyIsReported() throws {
        var decoder = RESPDecoder()
        decoder.append("+OK\r\n>1\r\n+x\r\n$100000\r\n".utf8)
        #expect(try decoder.next() == .text(Array("OK".utf8)) && decoder.lastMemory == 5 + Self.cost)
        decoder.append((String(repeating: "x", count: 100_000) + "\r\n").utf8)
        #expect(try decoder.next() != nil && decoder.lastMemory > 100_000)
    }

    @Test(arguments: UInt64(1)...20) func randomBytesParseAsAReplyOrFail(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let marks = Array("+-:,#_$=!*~%>|(;.?\r\n0123-xt".utf8)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 1...80, using: &random)).map { _ in
                marks.randomElement(using: &random) ?? 0
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let (whole, dribbled) = (try? Self.read(text, stride: 100), try? Self.read(text, stride: 1))
            #expect(whole == dribbled, "\(text)")
        }
    }

    @Test func commandIsEncodedAsAnArrayOfStrings() {
        var bytes: [UInt8] = []
        RedisCommand("SET", "key", "").encode(into: &bytes)
        RedisCommand([Array("ECHO".utf8), [0, 13, 10, 255]]).encode(into: &bytes)
        let expected =
            Array("*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$0\r\n\r\n*2\r\n$4\r\nECHO\r\n$4\r\n".utf8) + [
                0, 13, 10, 255, 13, 10,
            ]
        #expect(bytes == expected)
        var long: [UInt8] = []
        let command = RedisCommand(String(repeating: "x", count: 12))
        command.encode(into: &long)
        #expect(String(decoding: long, as: UTF8.self) == "*1\r\n$12\r\nxxxxxxxxxxxx\r\n")
        #expect(command.size >= long.count)
    }

    private static func read(
        _ text: String, stride size: Int, _ limits: RESPDecoder.Limits = .init()
    ) throws -> [RESPValue] {
        var decoder = RESPDecoder(limits: limits)
        var replies: [RESPValue] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            decoder.append(bytes[start..<min(start + size, bytes.count)])
            while let reply = try decoder.next() { replies.append(reply) }
        }
        return replies
    }
}

extension RESPDecoder {
    fileprivate mutating func append(_ bytes: some Collection<UInt8>) {
        Array(bytes).withUnsafeBytes { append($0) }
    }
}
