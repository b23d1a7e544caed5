/// Escapes text for a terminal: the result cannot end its line, move the cursor, change colours, or reorder the text
/// beside it. Control characters are written as JSON escapes them.
///
/// All text from outside that is shown on a terminal or logged passes one of these functions.
public enum VisibleText {
    /// Returns the text for use within one line.
    ///
    /// - Parameter limit: the number of scalars after which the text is cut; an ellipsis marks the cut.
    public static func line(_ text: String, limit: Int = .max) -> String {
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

    /// Returns JSON of the same value. Control characters stand only in the strings of JSON on one line.
    public static func json(_ text: String) -> String { escaped(text) { isHarmless($0) } }

    /// Returns text of several lines. Keeps newlines and tabs.
    public static func lines(_ text: String) -> String { escaped(text) { isHarmless($0) || $0 == "\n" || $0 == "\t" } }

    private static func escaped(_ text: String, unless isHarmless: (Unicode.Scalar) -> Bool) -> String {
        if text.unicodeScalars.allSatisfy(isHarmless) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) { out.append(scalar) } else { out.append(contentsOf: hexadecimal(scalar)) }
        }
        return String(out)
    }

    /// Whether a terminal only draws the scalar: it is not a control character (C0, DEL, C1), a line or paragraph
    /// separator, a bidirectional control (UAX #9), or an interlinear annotation.
    public static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
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
