import RPCServer
import System

/// The file with the statements that a user has typed at the prompt, one on each line. Only its owner can read it.
struct PromptHistory {
    /// The maximum number of statements in the file after it is read.
    static let maxCount = 1000
    /// The maximum length of a statement in the file, in bytes.
    static let maxLength = 4000

    private let path: FilePath
    /// The statements, the oldest first.
    private(set) var lines: [String]

    /// Reads the file, and removes its oldest statements if it has too many. A missing or unreadable file has none.
    init(_ path: FilePath) {
        self.path = path
        let bytes = (try? InputFile.read(path)) ?? []
        let all = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        lines = all.suffix(Self.maxCount)
        if all.count > 2 * Self.maxCount {
            try? Files.writeAtomically(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
        }
    }

    /// Appends a statement. Ignores a statement that is too long, has several lines, or equals the previous one.
    ///
    /// - Returns: whether the statement was added.
    /// - Throws: `FileError` if the file or its folder cannot be written.
    mutating func add(_ line: String) throws(FileError) -> Bool {
        guard !line.isEmpty, line.utf8.count <= Self.maxLength, !line.utf8.contains(UInt8(ascii: "\n")),
            line != lines.last
        else { return false }
        lines.append(line)
        try Files.createDirectory(path.parent)
        let file = open(path.cString, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileError("write", path, code: errno) }
        defer { SystemCall.close(file) }
        fchmod(file, 0o600)
        let failure = StandardStreams.write(line + "\n", to: file)
        if failure != 0 { throw FileError("write", path, code: failure) }
        return true
    }
}
