import System
import TestSupport
import Testing

@Suite(.limited) struct FilesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func writtenFileIsReadUnchanged() throws {
        let path = FilePath("\(folder.path)/file")
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Files.writeAtomically(Array("old".utf8), to: path)
        try Files.writeAtomically(bytes, to: path)
        #expect(try Files.read(path) == bytes)
        #expect(try Files.list(FilePath(folder.path)) == ["file"], "no temporary file stays")
        var info = stat()
        #expect(stat(path.cString, &info) == 0 && info.st_mode & 0o777 == 0o600)
    }

    @Test func replacedFileKeepsItsPermissionsAndLinks() throws {
        let path = FilePath("\(folder.path)/file")
        let link = FilePath("\(folder.path)/link")
        try Files.replace(path, with: [1])
        #expect(try Files.read(path) == [1])
        #expect(chmod(path.cString, 0o640) == 0 && symlink("file", link.cString) == 0)
        try Files.replace(link, with: [2])
        var info = stat()
        #expect(lstat(link.cString, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(path.cString, &info) == 0 && info.st_mode & 0o777 == 0o640)
        #expect(try Files.read(path) == [2])
    }

    @Test func folderIsCreatedWithItsParents() throws {
        let path = FilePath("\(folder.path)/a/b/c")
        try Files.createDirectory(path)
        try Files.createDirectory(path + "/")
        try Files.writeAtomically([], to: path + "/x")
        #expect(try Files.list(path) == ["x"])
        #expect(try Files.read(path + "/x").isEmpty)
    }

    @Test func fileErrorContainsThePathAndTheReason() throws {
        let missing = FilePath("\(folder.path)/none")
        #expect(throws: FileError("read", missing, code: ENOENT)) { try Files.read(missing) }
        #expect(throws: FileError("read the folder", missing, code: ENOENT)) { try Files.list(missing) }
        #expect(throws: FileError("write", missing + "/x", code: ENOENT)) {
            try Files.writeAtomically([], to: missing + "/x")
        }
        #expect(FileError("read", "/x", code: ENOENT).message == "cannot read /x: No such file or directory")
        try Files.writeAtomically([], to: missing)
        #expect(throws: FileError("create the folder", missing, code: EEXIST)) { try Files.createDirectory(missing) }
        #expect(throws: FileError("create the folder", missing + "/x", code: ENOTDIR)) {
            try Files.createDirectory(missing + "/x")
        }
    }

    @Test func failedWriteLeavesTheOldFile() throws {
        let path = FilePath("\(folder.path)/folder")
        try Files.createDirectory(path)
        #expect(throws: FileError.self) { try Files.writeAtomically([1], to: path) }
        #expect(try Files.list(FilePath(folder.path)) == ["folder"])
    }
}
