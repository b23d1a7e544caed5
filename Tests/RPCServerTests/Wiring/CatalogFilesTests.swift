import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct CatalogFilesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func write(_ text: String, to file: String = "catalog") throws {
        try folder.write(Array(text.utf8), to: file)
    }

    private func files() -> CatalogFiles { CatalogFiles([WatchedFile(folder.file("catalog"))]) }

    @Test func halfWrittenCatalogFileIsReportedAsChanging() throws {
        try write("a")
        var files = files()
        #expect(files.check() == .unchanged)
        for text in ["ab", "abc"] {
            try write(text)
            #expect(files.check() == .changing)
        }
        #expect(files.check() == .settled)
        files.markLoaded()
        #expect(files.check() == .unchanged)
    }

    @Test func restoredCatalogFileIsReportedAsUnchanged() throws {
        var files = files()
        try write("a")
        #expect(files.check() == .changing)
        folder.delete("catalog")
        #expect(files.check() == .unchanged)
    }

    @Test func addedFileIsCheckedForChanges() throws {
        var files = CatalogFiles([])
        for _ in 0..<2 { files.add([folder.file("catalog")]) }
        #expect(files.loaded.count == 1 && files.check() == .unchanged)
        try write("a")
        #expect(files.check() == .changing)
        #expect(files.check() == .settled)
    }
}
