import TestSupport
import Testing

/// The files under version control.
@Suite(.limited) struct GitCheckoutTests {
    private static let files: [String] = {
        guard let outcome = ChildProcess.run("git", ["-C", SourceFile.root, "ls-files", "-z"]), outcome.code == 0 else {
            return []
        }
        return outcome.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }()

    /// The folders in which machines keep users' files. A path in one of them belongs to one machine.
    private static let folders = ["work", "root", "home", "Users"].map { "/\($0)/" }

    /// Returns the absolute paths in a file's text that start with one of the folders.
    static func paths(in text: String) -> [Substring] {
        guard folders.contains(where: { text.contains($0) }) else { return [] }
        return text.split { $0.isWhitespace || "\"'`()[]<>,;=".contains($0) }.compactMap { word in
            let path = word.hasPrefix("file://") ? word.dropFirst(7) : word
            return folders.contains { path.hasPrefix($0) } ? path : nil
        }
    }

    @Test(.enabled(if: !files.isEmpty, "not a git checkout"))
    func noFileContainsAPathOfADevelopmentMachine() {
        for path in Self.files {
            guard let file = SourceFile.read(path), !file.text.utf8.contains(0) else { continue }
            #expect(Self.paths(in: file.text) == [], "\(path)")
        }
    }

    @Test(.enabled(if: !files.isEmpty, "not a git checkout"))
    func noBuildProductIsCommitted() {
        let kept = Self.files.filter { path in
            [".build/", ".venv/", "__pycache__"].contains { path.contains($0) }
                || [".o", ".pyc", ".sqlite"].contains { path.hasSuffix($0) }
        }
        #expect(kept == [])
    }

    @Test func pathsOfDevelopmentMachinesAreRecognized() {
        let text =
            "see \(Self.folders[0])x, \"\(Self.folders[2])ann\" https://a.b\(Self.folders[2])c ~\(Self.folders[1])"
        #expect(Self.paths(in: text) == ["\(Self.folders[0])x", "\(Self.folders[2])ann"])
    }
}
