/// Splits SQL into words, names and punctuation, up to the end of the first statement.
struct SQLScanner {
    enum Token: Equatable {
        /// A keyword, a number, or a name without quotes.
        case word(String)
        /// A name in double quotes, backticks or brackets, without them.
        case name(String)
        /// A text in single quotes.
        case text
        /// A punctuation character.
        case mark(Character)
    }

    private(set) var tokens: [Token] = []
    /// The number of UTF-8 bytes up to and including the semicolon after the first statement; nil if there is none.
    private(set) var end: Int?
    /// Whether the SQL ends within a text, a quoted name or a comment.
    private(set) var isOpen = false
    /// The statement on one line, without comments. Nil if a line break is part of a text or a name.
    private(set) var oneLine: String? = ""

    private let bytes: [UInt8]
    private var position = 0

    init(_ sql: String) {
        bytes = Array(sql.utf8)
        while end == nil, position < bytes.count { next() }
        oneLine = oneLine.map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }

    private mutating func next() {
        let start = position
        let byte = bytes[position]
        let following = position + 1 < bytes.count ? bytes[position + 1] : 0
        position += 1
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): space()
        case UInt8(ascii: "-") where following == UInt8(ascii: "-"):
            position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            isOpen = position == bytes.count
            space()
        case UInt8(ascii: "/") where following == UInt8(ascii: "*"):
            position += 1
            var isStar = false
            isOpen = true
            while position < bytes.count, isOpen {
                isOpen = !(isStar && bytes[position] == UInt8(ascii: "/"))
                isStar = bytes[position] == UInt8(ascii: "*")
                position += 1
            }
            space()
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): quoted(from: start, by: byte)
        case UInt8(ascii: "["): quoted(from: start, by: UInt8(ascii: "]"))
        default:
            if Self.isWord(byte) {
                position = bytes[position...].firstIndex { !Self.isWord($0) } ?? bytes.count
                tokens.append(.word(String(decoding: bytes[start..<position], as: UTF8.self)))
            } else {
                if byte == UInt8(ascii: ";") { end = position }
                tokens.append(.mark(Character(Unicode.Scalar(byte))))
            }
            add(start..<position)
        }
    }

    /// Reads the rest of a text or a quoted name. Two quotes in a row stand for one quote.
    private mutating func quoted(from start: Int, by quote: UInt8) {
        var content: [UInt8] = []
        isOpen = true
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote {
                let isDoubled = quote != UInt8(ascii: "]") && position < bytes.count && bytes[position] == quote
                guard isDoubled else {
                    isOpen = false
                    break
                }
                position += 1
            }
            content.append(byte)
        }
        tokens.append(quote == UInt8(ascii: "'") ? .text : .name(String(decoding: content, as: UTF8.self)))
        if content.contains(UInt8(ascii: "\n")) { oneLine = nil }
        add(start..<position)
    }

    private mutating func space() {
        if oneLine?.isEmpty == false, oneLine?.last != " " { oneLine?.append(" ") }
    }

    private mutating func add(_ range: Range<Int>) { oneLine?.append(String(decoding: bytes[range], as: UTF8.self)) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }
}
