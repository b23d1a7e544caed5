/// Texts of others as a terminal may have them: nothing in them moves the cursor, changes colours, or turns the order
/// of what stands beside.
enum VisibleText {
    /// A text that can stand within a line: what is no letter, mark or sign is written as JSON escapes it.
    ///
    /// - Parameter limit: how many scalars of it are looked at; behind them stands an ellipsis.
    static func line(_ text: String, limit: Int = .max) -> String {
        var out = String.UnicodeScalarView()
        var left = limit
        for scalar in text.unicodeScalars {
            guard left > 0 else {
                out.append("…")
                break
            }
            left -= 1
            if isHarmless(scalar) { out.append(scalar) } else { out.append(contentsOf: escape(scalar).unicodeScalars) }
        }
        return String(out)
    }

    /// JSON that means the same, and that a terminal shows as it is: such scalars stand in its strings alone.
    static func json(_ text: String) -> String { escaped(text) { isHarmless($0) } }

    /// The same of a text of several lines, which may have tabs.
    static func lines(_ text: String) -> String { escaped(text) { isHarmless($0) || $0 == "\n" || $0 == "\t" } }

    private static func escaped(_ text: String, unless isHarmless: (Unicode.Scalar) -> Bool) -> String {
        if text.unicodeScalars.allSatisfy(isHarmless) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) { out.append(scalar) } else { out.append(contentsOf: hexadecimal(scalar)) }
        }
        return String(out)
    }

    /// Neither a control character (C0, DEL, C1), nor a line's end, nor a control of the order of writing (UAX #9).
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: false
        default: true
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        default: String(String.UnicodeScalarView(hexadecimal(scalar)))
        }
    }

    /// All of them are below U+10000.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let digits = String(scalar.value, radix: 16)
        return Array(#"\u"#.unicodeScalars) + Array(repeating: "0", count: max(0, 4 - digits.count))
            + Array(digits.unicodeScalars)
    }
}
