import System
import Testing

/// A file of the package, as the style tests read it.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// The path relative to the package folder, such as `Sources/JSON/JSONValue.swift`.
    let path: String
    let text: String
    let lines: [Substring]
    /// The lines without comments and without the contents of strings.
    let code: [Substring]
    /// The name of the target, for a file below `Sources`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var testDescription: String { path }

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        code =
            path.hasSuffix(".swift")
            ? SwiftText.code(text).split(separator: "\n", omittingEmptySubsequences: false) : []
    }

    /// The absolute path of the package folder.
    static let root: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        while parts.count > 1, parts.last != "Tests" { parts.removeLast() }
        return parts.dropLast().joined(separator: "/")
    }()

    /// All Swift files below `Sources`.
    static let sources: [SourceFile] = swiftFiles(below: "Sources").sorted { $0.path < $1.path }

    /// All Swift files with tests.
    static let tests: [SourceFile] = swiftFiles(below: "Tests").filter { file in
        file.code.contains { $0.contains("@Test") }
    }

    /// All Swift files of `TestSupport` and `Mocks`.
    static let testSupport: [SourceFile] = swiftFiles(below: "Tests/TestSupport") + swiftFiles(below: "Tests/Mocks")

    static func read(_ path: String) -> SourceFile? {
        guard let stream = fopen("\(root)/\(path)", "rb") else { return nil }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
        return SourceFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    private static func swiftFiles(below folder: String) -> [SourceFile] {
        guard let stream = opendir("\(root)/\(folder)") else { return [] }
        defer { closedir(stream) }
        var files: [SourceFile] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            if name.hasSuffix(".swift") {
                if let file = read("\(folder)/\(name)") { files.append(file) }
            } else {
                files += swiftFiles(below: "\(folder)/\(name)")
            }
        }
        return files
    }
}

/// The parts of a line of code.
extension Substring {
    /// The identifiers and keywords of the line, in order.
    var identifiers: [Substring] {
        split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
