/// Blanks, literals and numbers.
extension JSONParser {
    /// Passes over blanks; between most tokens of a message there are none.
    @inline(__always)
    mutating func skipBlanks() throws(JSONFault) {
        if at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: "/") { return }
        try skipBlanksAndComments()
    }

    @inline(never)
    private mutating func skipBlanksAndComments() throws(JSONFault) {
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                at += 1
            case UInt8(ascii: "/") where dialect == .jsonc:
                try skipComment()
            default:
                return
            }
        }
    }

    private mutating func skipComment() throws(JSONFault) {
        let start = at
        let kind = at + 1 < bytes.count ? bytes[at + 1] : 0
        at += 2
        if kind == UInt8(ascii: "/") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
        } else if kind == UInt8(ascii: "*") {
            while at + 1 < bytes.count, bytes[at] != UInt8(ascii: "*") || bytes[at + 1] != UInt8(ascii: "/") { at += 1 }
            guard at + 1 < bytes.count else { throw JSONFault("the comment has no end", at: start) }
            at += 2
        } else {
            throw JSONFault("expected a comment: '//' or '/*'", at: start)
        }
    }

    mutating func skipLiteral(_ literal: StaticString) throws(JSONFault) {
        let start = at
        for index in 0..<literal.utf8CodeUnitCount {
            guard at < bytes.count, bytes[at] == literal.utf8Start[index] else {
                throw JSONFault("expected '\(literal)'", at: start)
            }
            at += 1
        }
    }

    mutating func skipNumber() throws(JSONFault) {
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        if at < bytes.count, bytes[at] == UInt8(ascii: "0") {
            at += 1
            if isDigitNext { throw JSONFault("a number has no leading zeros", at: at) }
        } else {
            try skipDigits()
        }
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            at += 1
            try skipDigits()
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            try skipDigits()
        }
    }

    private var isDigitNext: Bool {
        at < bytes.count && bytes[at] >= UInt8(ascii: "0") && bytes[at] <= UInt8(ascii: "9")
    }

    /// The index is a local one while the digits are passed over: one in memory would be written for each.
    private mutating func skipDigits() throws(JSONFault) {
        var index = at
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        guard index > at else { throw JSONFault("expected a digit, found \(found)", at: at) }
        at = index
    }
}
