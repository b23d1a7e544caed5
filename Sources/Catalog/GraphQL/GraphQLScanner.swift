/// Splits a GraphQL document into tokens (October 2021, section 2.1).
struct GraphQLScanner {
    /// A token of a GraphQL document, with its offset.
    struct Token: Equatable {
        let kind: Kind
        /// The offset of the token in bytes from the start of the document.
        let offset: Int
    }

    enum Kind: Equatable {
        case name(String)
        /// A punctuator: `!`, `$`, `&`, `(`, `)`, `...`, `:`, `=`, `@`, `[`, `]`, `{`, `|` or `}`.
        case punctuator(String)
        case number
        case text
        case end

        /// The text of the token in error messages.
        var shown: String {
            switch self {
            case .name(let name): "'\(name)'"
            case .punctuator(let text): "'\(text)'"
            case .number: "a number"
            case .text: "a string"
            case .end: "the end of the document"
            }
        }
    }

    private let bytes: [UInt8]
    private var at = 0

    init(_ document: String) { bytes = Array(document.utf8) }

    /// Reads the next token.
    ///
    /// - Throws: `GraphQLFault` at an invalid character, string or number.
    mutating func next() throws(GraphQLFault) -> Token {
        skipIgnored()
        let start = at
        guard at < bytes.count else { return Token(kind: .end, offset: start) }
        let byte = bytes[at]
        switch byte {
        case UInt8(ascii: "."):
            guard bytes[at...].starts(with: Array("...".utf8)) else { throw GraphQLFault("unexpected '.'", at: at) }
            at += 3
            return Token(kind: .punctuator("..."), offset: start)
        case UInt8(ascii: "\""):
            try skipText()
            return Token(kind: .text, offset: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber()
            return Token(kind: .number, offset: start)
        case _ where Self.isNameStart(byte):
            while at < bytes.count, Self.isNameStart(bytes[at]) || Self.isDigit(bytes[at]) { at += 1 }
            return Token(kind: .name(String(decoding: bytes[start..<at], as: UTF8.self)), offset: start)
        case _ where "!$&():=@[]{|}".utf8.contains(byte):
            at += 1
            return Token(kind: .punctuator(String(decoding: [byte], as: UTF8.self)), offset: start)
        default:
            let shown = byte > 0x20 && byte < 0x7F ? "'\(String(decoding: [byte], as: UTF8.self))'" : "character"
            throw GraphQLFault("unexpected \(shown)", at: at)
        }
    }

    /// Skips white space, commas, comments and the byte order mark.
    private mutating func skipIgnored() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): at += 1
            case UInt8(ascii: "#"): while at < bytes.count, !Self.isLineEnd(bytes[at]) { at += 1 }
            case 0xEF where bytes[at...].starts(with: [0xEF, 0xBB, 0xBF]): at += 3
            default: return
            }
        }
    }

    private mutating func skipText() throws(GraphQLFault) {
        let start = at
        if bytes[at...].starts(with: Array("\"\"\"".utf8)) { return try skipBlock() }
        at += 1
        while at < bytes.count, !Self.isLineEnd(bytes[at]) {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return
            case UInt8(ascii: "\\"):
                guard at + 1 < bytes.count, "\"\\/bfnrtu".utf8.contains(bytes[at + 1]) else {
                    throw GraphQLFault("a string has an invalid escape; write '\\\\' for a backslash", at: at)
                }
                let isUnicode = bytes[at + 1] == UInt8(ascii: "u")
                let digits = bytes[(at + 2)...].prefix { Self.isHexadecimal($0) }.count
                guard !isUnicode || digits >= 4 else {
                    throw GraphQLFault("a string has an invalid escape; write '\\\\' for a backslash", at: at)
                }
                at += isUnicode ? 6 : 2
            default: at += 1
            }
        }
        throw GraphQLFault("a string is not closed on its line; add the closing quote", at: start)
    }

    /// Skips a block string, which ends at three quotes. Three quotes after a backslash do not end the string.
    private mutating func skipBlock() throws(GraphQLFault) {
        let start = at
        at += 3
        while at < bytes.count {
            if bytes[at...].starts(with: Array("\"\"\"".utf8)) {
                at += 3
                return
            }
            at += bytes[at...].starts(with: Array("\\\"\"\"".utf8)) ? 4 : 1
        }
        throw GraphQLFault("a block string is not closed; end it with three quotes", at: start)
    }

    private mutating func skipNumber() throws(GraphQLFault) {
        let start = at
        func digits(_ from: Int) -> Int { bytes[from...].prefix { Self.isDigit($0) }.count }
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        let whole = digits(at)
        guard whole > 0, whole == 1 || bytes[at] != UInt8(ascii: "0") else {
            throw GraphQLFault("invalid number", at: start)
        }
        at += whole
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            let fraction = digits(at + 1)
            guard fraction > 0 else { throw GraphQLFault("invalid number", at: start) }
            at += 1 + fraction
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            let exponent = digits(at)
            guard exponent > 0 else { throw GraphQLFault("invalid number", at: start) }
            at += exponent
        }
        if at < bytes.count, Self.isNameStart(bytes[at]) || bytes[at] == UInt8(ascii: ".") {
            throw GraphQLFault("invalid number", at: start)
        }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}

/// A syntax error in a GraphQL document.
package struct GraphQLFault: Error, Equatable {
    package let reason: String
    /// The offset of the error in bytes from the start of the document.
    package let offset: Int

    init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
