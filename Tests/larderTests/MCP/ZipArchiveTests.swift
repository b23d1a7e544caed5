import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct ZipArchiveTests {
    @Test(arguments: [("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43)] as [(String, UInt32)])
    func zipChecksumFollowsISO3309(text: String, checksum: UInt32) {
        #expect(ZipArchive.checksum(Array(text.utf8)) == checksum)
    }

    @Test func zipArchiveEndsWithItsDirectory() {
        var archive = ZipArchive()
        archive.add("a/b", Array("text".utf8), mode: .executable)
        let bytes = archive.finish()
        #expect(bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]))
        // The local header, the name, the contents, the entry of the directory, the name, the end.
        #expect(bytes.count == 30 + 3 + 4 + 46 + 3 + 22)
        #expect(bytes.suffix(22).starts(with: [0x50, 0x4B, 0x05, 0x06]))
        var other = ZipArchive()
        other.add("a/b", Array("text".utf8), mode: .executable)
        #expect(other.finish() == bytes)
    }
}
