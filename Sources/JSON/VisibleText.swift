/// Escapes untrusted text for terminals and logs. The escaped text cannot end its line, move the cursor, change colours
/// or reorder neighbouring text.
///
/// All text from outside Larder must pass one of these functions before it is printed or logged.
public enum VisibleText {
    /// Escapes text for use within one line.
    ///
    /// - Parameter limit: the maximum number of scalars. Longer text is truncated and ends with an ellipsis.
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

    /// Replaces the control characters in a JSON text with JSON escapes. The JSON value stays the same. The JSON text
    /// must be on one line.
    public static func json(_ text: String) -> String { escaped(text) { isHarmless($0) } }

    /// Escapes text for use on several lines. Newlines and tabs stay unchanged.
    public static func lines(_ text: String) -> String { escaped(text) { isHarmless($0) || $0 == "\n" || $0 == "\t" } }

    private static func escaped(_ text: String, unless isHarmless: (Unicode.Scalar) -> Bool) -> String {
        if text.unicodeScalars.allSatisfy(isHarmless) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) { out.append(scalar) } else { out.append(contentsOf: hexadecimal(scalar)) }
        }
        return String(out)
    }

    /// Whether a terminal displays the scalar without any other effect. False for control characters (C0, DEL, C1),
    /// line and paragraph separators, bidirectional controls (UAX #9) and interlinear annotations.
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

    /// Returns the JSON escape of a scalar below U+10000.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let digits = String(scalar.value, radix: 16)
        return Array(#"\u"#.unicodeScalars) + Array(repeating: "0", count: max(0, 4 - digits.count))
            + Array(digits.unicodeScalars)
    }
}
