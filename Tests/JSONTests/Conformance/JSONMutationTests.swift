import JSON
import TestSupport
import Testing

@Suite("Damaged texts never crash the parser", .limited)
struct JSONMutationTests {
    static let texts = [
        #"{"id":1,"name":"Rick Sanchez","origin":{"name":"Earth (C-137)","url":null},"episode":["a","b"]}"#,
        #"[-0.5e+10, true,false , null, "\u00e9\uD83D\uDE00\n\"\\", {"": [ ]}]"#,
        "{\"\u{E9}\u{20AC}\u{1F600}\": [\"\u{2028}\u{85}\u{7F}\", 1E400]}",
        " [[[[{}]]],[0],12345678901234567890] \r\n",
        #""only a string with \u0041 and \/""#,
    ]

    /// The bytes that the parser treats specially, and the bytes at the limits of UTF-8 sequences.
    static let bytes: [UInt8] =
        Array("\u{0}\t\n\u{1F} \"+,-./09:[\\]aeEntu{}*\u{7F}".utf8)
        + [0x80, 0x85, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xD8, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xF8, 0xFF]

    @Test(arguments: texts)
    func truncatedJSONTextIsRefused(_ text: String) throws {
        let bytes = Array(text.utf8)
        for count in 0...bytes.count { try check(Array(bytes[..<count])) }
        // An object, an array or a string is complete only with its last byte.
        let end = bytes.lastIndex { $0 > 0x20 } ?? 0
        for count in 0...end { #expect(faultIn(bytes: bytes[..<count]) != nil, "\(count) bytes") }
    }

    @Test(arguments: texts)
    func jsonTextWithAReplacedByteIsParsedOrRefused(_ text: String) throws {
        var bytes = Array(text.utf8)
        for index in bytes.indices {
            let kept = bytes[index]
            for byte in Self.bytes {
                bytes[index] = byte
                try check(bytes)
            }
            bytes[index] = kept
        }
    }

    @Test(arguments: texts)
    func jsonTextWithAMissingOrDoubledByteIsParsedOrRefused(_ text: String) throws {
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            try check(Array(bytes[..<index] + bytes[(index + 1)...]))
            try check(Array(bytes[...index] + bytes[index...]))
        }
    }

    @Test(arguments: texts)
    func jsonTextWithOneReplacedByteIsParsedOrRefused(_ text: String) throws {
        var bytes = Array(text.utf8)
        let index = bytes.count / 2
        for byte in UInt8.min...UInt8.max {
            bytes[index] = byte
            try check(bytes)
        }
    }

    /// Checks that a parsed text can be written, and that the written text parses to the same value.
    private func check(_ bytes: [UInt8]) throws {
        for dialect in [JSONDialect.json, .jsonc] {
            if let fault = faultIn(bytes: bytes, as: dialect) {
                #expect((0...bytes.count).contains(fault.offset))
                #expect(!fault.description(in: bytes).isEmpty)
            } else {
                let first = try rewritten(bytes, as: dialect)
                let value = try JSONDocument(bytes, as: dialect).withRoot { JSONValue($0) }
                guard try rewritten(first) == first, try JSONDocument(first).withRoot({ JSONValue($0) }) == value else {
                    Issue.record("\(bytes) was read, but not written as the same value")
                    continue
                }
            }
        }
    }
}
