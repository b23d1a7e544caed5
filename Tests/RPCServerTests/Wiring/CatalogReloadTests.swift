import Mocks
import System
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct CatalogReloadTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func halfWrittenCatalogIsNotLoaded() throws {
        let text = TestCatalog.books
        try folder.write(Array(text.utf8), to: "catalog.jsonc")
        var options = Options()
        options.replay = FilePath(folder.path)
        options.catalog = folder.file("catalog.jsonc")
        let home = folder.path
        let process = try Container.process(options, environment: Environment { $0 == "HOME" ? home : nil })
        let reload = CatalogReload(process, files: process.catalogFiles)
        #expect(!reload.look())
        let changed = text.replacing("\"book\"", with: "\"novel\"")
        try folder.write(Array(changed.utf8.prefix(40)), to: "catalog.jsonc")
        #expect(reload.look())
        try folder.write(Array(changed.utf8), to: "catalog.jsonc")
        #expect(reload.look())
        #expect(Array(process.serving.current.resources.keys) == ["book"])
        #expect(!process.board.degraded.contains { $0.part == "catalog" })
        #expect(!reload.look())
        #expect(Array(process.serving.current.resources.keys) == ["novel"])
    }

    /// The message contains the first fault, and the number of further faults.
    @Test(arguments: [(#"{"a": 1,"#, ""), (#"{"a": 1, "b": 2,"#, " (and 1 more)")])
    func invalidCatalogIsReportedWithTheNumberOfFaults(start: String, others: String) throws {
        try folder.write(Array(TestCatalog.books.utf8), to: "catalog.jsonc")
        var options = Options()
        options.replay = FilePath(folder.path)
        options.catalog = folder.file("catalog.jsonc")
        let home = folder.path
        let process = try Container.process(options, environment: Environment { $0 == "HOME" ? home : nil })
        let text = start + TestCatalog.books.drop { $0 != "{" }.dropFirst()
        try folder.write(Array(text.utf8), to: "catalog.jsonc")
        CatalogReload(process, files: process.catalogFiles).load()
        let reason = try #require(process.board.degraded.first { $0.part == "catalog" }?.reason)
        #expect(reason.hasPrefix("cannot reload the catalog; the previous one stays in use: "), "\(reason)")
        #expect(reason.hasSuffix("has no key 'a'" + others), "\(reason)")
        #expect(Array(process.serving.current.resources.keys) == ["book"])
    }
}
