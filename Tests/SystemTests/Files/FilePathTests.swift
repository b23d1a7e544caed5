import System
import TestSupport
import Testing

@Suite(.limited) struct FilePathTests {
    @Test func filePathKeepsItsBytes() {
        let path = FilePath([0x2F, 0xFF, 0xFE])
        #expect(path.bytes == [0x2F, 0xFF, 0xFE])
        #expect(path.cString == [0x2F, -1, -2, 0])
        #expect(path.description == "/\u{FFFD}\u{FFFD}")
        #expect(path.cString.withUnsafeBufferPointer { $0.baseAddress.map { FilePath(cString: $0) } } == path)
        #expect(path + "/x" == FilePath([0x2F, 0xFF, 0xFE, 0x2F, 0x78]))
        #expect(path.isAbsolute && !FilePath("x/").isAbsolute)
    }

    @Test func zeroByteEndsAFilePath() {
        #expect(FilePath([0x61, 0, 0x62]) == "a")
        #expect(FilePath("").isEmpty && FilePath([0]).isEmpty && !FilePath("a").isEmpty)
    }

    @Test(
        arguments: [
            ("/a/b", "/a"), ("/a/b/", "/a"), ("/a", "/"), ("/", "/"), ("a", ""), ("a/b//", "a"), ("", ""), ("//", "/"),
        ] as [(FilePath, FilePath)])
    func parentOfAFilePathIsTheContainingFolder(path: FilePath, parent: FilePath) { #expect(path.parent == parent) }

    @Test func suffixIsComparedWithTheEndOfAFilePath() {
        #expect(FilePath("a.json").hasSuffix(".json") && !FilePath("json").hasSuffix(".json"))
    }
}
