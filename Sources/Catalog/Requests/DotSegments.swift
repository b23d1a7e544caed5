import Model
import System

/// Finds the path segments `.` and `..` in all their encodings. Some servers would resolve these segments to a
/// different path.
public enum DotSegments {
    /// The maximum number of times that the check percent-decodes a path. The check decodes a path repeatedly, because
    /// some servers do so.
    static let maxDecodings = 3

    /// Whether a string contains a path segment `.` or `..`, even in percent-encoded form.
    ///
    /// A segment ends at `/` or `\`. A `;` also ends the name of a segment, because some servers read parameters after
    /// it.
    public static func areFound(in text: String) -> Bool {
        // Every encoding of these segments contains a dot or a percent sign. Most ids contain neither.
        let needsCheck = text.withBytes { $0.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") } }
        guard needsCheck else { return false }
        var seen = text
        for _ in 0...maxDecodings {
            if stand(in: seen) { return true }
            let decoded = PercentEncoding.decode(seen)
            if decoded == seen { return false }
            seen = decoded
        }
        return false
    }

    private static func stand(in text: String) -> Bool {
        text.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains { segment in
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }
}
