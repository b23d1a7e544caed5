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
        compare(lines, with: String(decoding: try Fixture.read(name), as: UTF8.self), name)
    }

    /// Compares text with a stored output of the program, which `Tests/EndToEnd/Golden/test_golden.py` writes.
    ///
    /// - Throws: an error if the file cannot be read.
    public static func expect(_ text: String, asProgramOutput name: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        compare(lines, with: try programOutput(name), name)
    }

    /// Returns a stored output of the program.
    ///
    /// - Parameter name: the path below `Tests/EndToEnd/Golden`, such as `help.txt`.
    /// - Throws: an error if the file cannot be read.
    public static func programOutput(_ name: String) throws -> String {
        String(decoding: try Fixture.read("../Tests/EndToEnd/Golden/\(name)"), as: UTF8.self)
    }

    /// Returns a line for each outcome, with all inputs that have this outcome.
    public static func grouped(_ cases: [(input: String, outcome: String)]) -> [String] {
        var groups: [(outcome: String, inputs: [String])] = []
        for (input, outcome) in cases {
            if let index = groups.firstIndex(where: { $0.outcome == outcome }) {
                groups[index].inputs.append(input)
            } else {
                groups.append((outcome, [input]))
            }
        }
        return groups.map { "  \($0.inputs.joined(separator: " ")): \($0.outcome)" }
    }

    private static func compare(_ lines: [String], with text: String, _ name: String) {
        let expected = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
        let count = min(lines.count, expected.count)
        if let index = (0..<count).first(where: { lines[$0] != expected[$0] }) {
            Issue.record("\(name):\(index + 1) is \(expected[index]), but the test found \(lines[index])")
        } else {
            #expect(lines.count == expected.count, "the number of lines in \(name)")
        }
    }
}
