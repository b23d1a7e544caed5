import System
import TestSupport
import Testing

@Suite(.limited) struct InputFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func refusal(of path: String, atMost limit: Int = InputFile.largest) -> String? {
        do throws(FileError) {
            _ = try InputFile.read(FilePath(path), atMost: limit)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func fileIsReadUpToTheLimit() throws {
        let path = "\(folder.path)/file"
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Files.writeAtomically(bytes, to: FilePath(path))
        #expect(try InputFile.read(FilePath(path), atMost: bytes.count) == bytes)
        #expect(
            refusal(of: path, atMost: 199_999) == "cannot read \(path): the input must not be larger than 195 KiB"
        )
    }

    @Test func devicesAndFoldersAreRefused() throws {
        #expect(refusal(of: "/dev/zero") == "cannot read /dev/zero: the path is a device; use the path of a file")
        #expect(refusal(of: folder.path) == "cannot read \(folder.path): Is a directory")
        let missing = "\(folder.path)/none"
        #expect(refusal(of: missing) == "cannot read \(missing): No such file or directory")
    }

    @Test func pipeWithoutAWriterTimesOut() throws {
        let path = "\(folder.path)/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let reason = "the pipe was not closed within 2 s; close it in the program that writes to it"
        #expect(refusal(of: path) == "cannot read \(path): \(reason)")
    }
}
