/// Separates code from comments and strings.
enum SwiftText {
    /// Returns the text without comments and the contents of strings. Interpolations count as code. Line breaks are
    /// kept.
    static func code(_ text: String) -> String {
        var reader = Reader(text: Array(text.utf8))
        return reader.code()
    }

    private enum Context {
        /// The reader is in code. The associated value is the number of open parentheses.
        case code(Int)
        /// The reader is in a string literal. The associated values are whether it is a multi-line literal, and its
        /// number of `#` signs.
        case string(Bool, Int)
    }

    private struct Reader {
        private let text: [UInt8]
        private var index = 0
        private var out: [UInt8] = []
        private var contexts = [Context.code(0)]

        init(text: [UInt8]) { self.text = text }

        mutating func code() -> String {
            while index < text.count {
                switch contexts.last {
                case .string(let isLong, let signs): readString(isLong, signs)
                default: readCode()
                }
            }
            return String(decoding: out, as: UTF8.self)
        }

        private func has(_ character: Unicode.Scalar, at offset: Int = 0) -> Bool {
            index + offset < text.count && text[index + offset] == UInt8(ascii: character)
        }

        /// Returns the number of number signs at an offset.
        private func signs(at offset: Int = 0) -> Int {
            var count = 0
            while has("#", at: offset + count) { count += 1 }
            return count
        }

        private func hasThreeQuotes(at offset: Int) -> Bool {
            has("\"", at: offset) && has("\"", at: offset + 1) && has("\"", at: offset + 2)
        }

        private mutating func readCode() {
            if has("/"), has("/", at: 1) {
                while index < text.count, !has("\n") { index += 1 }
                return
            }
            if has("/"), has("*", at: 1) { return skipBlock() }
            let count = signs()
            if has("\"", at: count) {
                let isLong = hasThreeQuotes(at: count)
                contexts.append(.string(isLong, count))
                out.append(UInt8(ascii: "\""))
                index += count + (isLong ? 3 : 1)
                return
            }
            if case .code(let depth)? = contexts.last, has("(") || has(")") {
                let inner = has("(") ? depth + 1 : depth - 1
                if inner < 0, contexts.count > 1 {
                    contexts.removeLast()
                } else {
                    contexts[contexts.count - 1] = .code(inner)
                }
            }
            out.append(text[index])
            index += 1
        }

        private mutating func readString(_ isLong: Bool, _ count: Int) {
            if has("\\"), signs(at: 1) >= count {
                if has("\n", at: 1 + count) { out.append(UInt8(ascii: "\n")) }
                if has("(", at: 1 + count) {
                    contexts.append(.code(0))
                    out.append(UInt8(ascii: "("))
                }
                index += 2 + count
            } else if isLong ? hasThreeQuotes(at: 0) : has("\""), signs(at: isLong ? 3 : 1) >= count {
                contexts.removeLast()
                out.append(UInt8(ascii: "\""))
                index += (isLong ? 3 : 1) + count
            } else {
                if has("\n") { out.append(UInt8(ascii: "\n")) }
                index += 1
            }
        }

        private mutating func skipBlock() {
            while index < text.count, !(has("*") && has("/", at: 1)) {
                if has("\n") { out.append(UInt8(ascii: "\n")) }
                index += 1
            }
            index += 2
        }
    }
}
