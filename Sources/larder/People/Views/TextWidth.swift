/// Measures, shortens and wraps text by its width on a terminal. All widths are in columns.
enum TextWidth {
    /// Returns the width of a string on a terminal, in columns.
    static func of(_ text: String) -> Int {
        var isASCII = true
        for byte in text.utf8 where byte >= 0x80 { isASCII = false }
        return isASCII ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// Shortens a string that is wider than `width` columns. A shortened string ends with an ellipsis.
    static func cut(_ text: String, to width: Int) -> String {
        if of(text) <= width { return text }
        guard width > 0 else { return "" }
        var out = ""
        var left = width - 1
        for character in text {
            left -= of(character)
            guard left >= 0 else { break }
            out.append(character)
        }
        return out + "…"
    }

    /// Makes a string exactly `width` columns wide. A longer string is shortened, and a shorter string gets spaces.
    static func fit(_ text: String, to width: Int, isRight: Bool = false) -> String {
        let text = cut(text, to: width)
        let space = String(repeating: " ", count: max(0, width - of(text)))
        return isRight ? space + text : text + space
    }

    /// Breaks a paragraph into lines of at most `width` columns, between words if possible.
    ///
    /// - Parameter limit: the maximum number of lines. The last line of a longer paragraph ends with an ellipsis.
    static func wrap(_ text: String, to width: Int, limit: Int = .max) -> [String] {
        let width = max(1, width)
        var lines: [String] = []
        // The first line keeps the indentation at the start of the paragraph.
        var line = String(text.prefix { $0 == " " }.prefix(width / 2))
        var used = line.utf8.count
        var hasWord = false
        for word in text.drop(while: { $0 == " " }).split(separator: " ", omittingEmptySubsequences: false) {
            let size = of(String(word))
            if used + (hasWord ? 1 : 0) + size <= width {
                line += hasWord ? " \(word)" : word
                used += (hasWord ? 1 : 0) + size
                hasWord = true
                continue
            }
            if hasWord { lines.append(trimmed(line)) }
            var rest = word[...]
            while of(String(rest)) > width, lines.count <= limit {
                let part = head(of: rest, width)
                lines.append(String(part))
                rest = rest[part.endIndex...]
            }
            (line, used, hasWord) = (String(rest), of(String(rest)), !rest.isEmpty)
            guard lines.count <= limit else { break }
        }
        if hasWord || lines.isEmpty { lines.append(trimmed(line)) }
        guard lines.count > limit, let last = lines.prefix(limit).last else { return lines }
        return lines.prefix(max(0, limit - 1)) + [cut(last + "…", to: width)]
    }

    /// Breaks a paragraph into lines of at most `width` columns, between words. A long word stays whole, so that users
    /// can copy it.
    ///
    /// - Parameters:
    ///   - indent: the text before the first line.
    ///   - hanging: the text before each further line.
    static func paragraph(_ text: String, to width: Int, indent: String, hanging: String) -> String {
        var out = indent
        var used = of(indent)
        var isStart = true
        for word in text.split(separator: " ") {
            let size = of(String(word))
            if !isStart, used + 1 + size > width {
                out += "\n" + hanging
                (used, isStart) = (of(hanging), true)
            }
            out += (isStart ? "" : " ") + word
            used += (isStart ? 0 : 1) + size
            isStart = false
        }
        return out
    }

    private static func trimmed(_ line: String) -> String {
        line.last == " " ? trimmed(String(line.dropLast())) : line
    }

    /// Returns the beginning of a word that fits into `width` columns. The result contains at least one character.
    private static func head(of word: Substring, _ width: Int) -> Substring {
        var left = width
        var end = word.startIndex
        while end < word.endIndex {
            left -= of(word[end])
            guard left >= 0 || end == word.startIndex else { break }
            end = word.index(after: end)
        }
        return word[..<end]
    }

    private static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // An emoji takes two columns. Some emoji, such as flags and families, consist of several Unicode scalars.
            if scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F { return 2 }
            width += of(scalar)
        }
        return width
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x300: return scalar.value == 0xAD || scalar.value >= 0x20 ? 1 : 0
        // A terminal draws Hangul vowels and final consonants in the cell of the initial consonant.
        case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar.value) ? 2 : 1
        }
    }

    /// Whether a Unicode scalar is East Asian Wide or Fullwidth (UAX #11). Emoji are not included.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
