import System
import Testing

/// A file in `Fixtures` with the expected lines of a test. If `LARDER_GOLDEN` is set, the test writes the file.
public enum GoldenFile {
    /// Compares lines with the file and records an issue for the first difference.
    ///
    /// - Throws: an error if the file cannot be read or written.
    public static func expect(_ lines: [String], in name: String) throws {
        if getenv("LARDER_GOLDEN") != nil {
            try Files.writeAtomically(Array(lines.map { $0 + "\n" }.joined().utf8), to: FilePath(Fixture.path(name)))
        }
        let text = String(decoding: try Fixture.read(name), as: UTF8.self)
        let expected = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
        let count = min(lines.count, expected.count)
        if let index = (0..<count).first(where: { lines[$0] != expected[$0] }) {
            Issue.record("\(name):\(index + 1) is \(expected[index]), but the test found \(lines[index])")
        } else {
            #expect(lines.count == expected.count, "the number of lines in \(name)")
        }
    }
}
