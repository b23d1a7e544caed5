import DataSources
import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import RPCServer

@Suite(.limited) struct CatalogSetTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func load(
        _ catalogs: [String], _ change: (inout Options) -> Void = { _ in }
    ) throws(StartupError) -> CatalogLoader.Loaded {
        var options = Options()
        options.catalogs = catalogs.map { FilePath($0) }
        change(&options)
        let home = folder.path
        return try CatalogLoader(options: options, environment: Environment { $0 == "HOME" ? home : nil }).load()
    }

    private func write(_ text: String, to file: String) throws -> String {
        #expect(ChildProcess.run("mkdir", ["-p", folder.file("more")])?.code == 0)
        try folder.write(Array(text.utf8), to: file)
        return folder.file(file)
    }

    private func message(_ catalogs: [String], _ change: (inout Options) -> Void = { _ in }) -> [String] {
        let error = #expect(throws: StartupError.self) { try load(catalogs, change) }
        return error?.lines ?? []
    }

    @Test(arguments: [
        ("github", "github"), ("a/b/shop.jsonc", "shop"), ("shop.json", "shop"), ("./shop", "shop"), ("1-a_b", "1-a_b"),
        ("my.shop.jsonc", nil), ("-a.jsonc", nil), ("a b.jsonc", nil), (".jsonc", nil), ("rpc.jsonc", nil),
        ("shop.jsonc.json", nil), (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
        (String(repeating: "a", count: 65), nil), ("/", nil),
    ])
    func catalogIsNamedAfterItsFileWithoutExtension(path: String, name: String?) {
        #expect(CatalogSet.name(of: FilePath(path)) == name)
    }

    @Test func severalCatalogsAreCombined() throws {
        let first = try write(TestCatalog.books, to: "first.jsonc")
        let loaded = try load([first, "hackernews"])
        #expect(loaded.origin == "\(first), hackernews")
        #expect(loaded.catalog.resources.first?.name == "first.book")
        #expect(loaded.catalog.resources.dropFirst().allSatisfy { $0.name.hasPrefix("hackernews.") })
        #expect(loaded.catalog.resources.count > 1)
        #expect(loaded.files.map(\.path) == [FilePath(first)])
        #expect(try load([first]).catalog.resources.map(\.name) == ["book"])
    }

    @Test func fileIncludedByTwoCatalogsIsWatchedOnce() throws {
        let other = #"{"api": "library", "id": "string", "rest": {"get": {"path": "/others/{id}"}}}"#
        let part = #"{"resources": {"other": \#(other)}}"#
        _ = try write(part, to: "part.jsonc")
        let text = TestCatalog.books.replacing(#""larder": 1,"#, with: #""larder": 1, "include": ["./part.jsonc"],"#)
        #expect(text != TestCatalog.books)
        let paths = try ["first", "second"].map { try write(text, to: "\($0).jsonc") }
        let files = try load(paths).files.map { $0.path.description }
        #expect(files == [paths[0], folder.file("part.jsonc"), paths[1]])
    }

    @Test func catalogsWithEqualNamesAreRefused() throws {
        let first = try write(TestCatalog.books, to: "shop.jsonc")
        let second = try write(TestCatalog.books, to: "more/shop.json")
        #expect(
            message([first, "github", second]) == [
                "larder: --catalog: '\(first)' and '\(second)' are both named 'shop'; rename one of the files"
            ])
        #expect(
            message(["github", "stripe", "github"]) == [
                "larder: --catalog: the catalog 'github' is named twice; remove one of the options"
            ])
        let error = #expect(throws: StartupError.self) { try load([first, second]) }
        #expect(error?.exitCode == ExitCode.usage)
    }

    @Test func catalogFileWithAnInvalidNameIsRefusedIfThereAreSeveralCatalogs() throws {
        let path = try write(TestCatalog.books, to: "my.shop.jsonc")
        #expect(try load([path]).catalog.resources.map(\.name) == ["book"])
        let reason = message([path, "github"]).first
        #expect(reason?.hasPrefix("larder: --catalog: the file name of '\(path)' cannot be used") == true)
    }

    @Test func faultsOfAllCatalogsAreReported() throws {
        let first = try write("{", to: "first.jsonc")
        let second = try write(#"{"larder": 2}"#, to: "second.jsonc")
        let lines = message([first, "github", second])
        #expect(lines.contains { $0.hasPrefix("\(first):1:") } && lines.contains { $0.hasPrefix("\(second):1:12: ") })
        let error = #expect(throws: StartupError.self) { try load([first, second]) }
        #expect(error?.exitCode == ExitCode.config)
    }

    @Test func baseURLOfOneCatalogLeavesTheOthersUnchanged() throws {
        let paths = try ["first", "second"].map { try write(TestCatalog.books, to: "\($0).jsonc") }
        let moved = Options.BaseURLOverride(api: "second.library", url: "http://127.0.0.1:9")
        let apis = try load(paths) { $0.baseURLs = [moved] }.catalog.apis
        #expect(apis[0].effectiveBaseURL == apis[0].baseURL && apis[1].effectiveBaseURL == "http://127.0.0.1:9")
        let unknown = message(paths) { $0.baseURLs = [.init(api: "library", url: "http://127.0.0.1:9")] }
        #expect(unknown.first?.contains("use one of 'first.library', 'second.library'") == true)
    }

    @Test func variableCanBeSetForOneCatalog() throws {
        let text = TestCatalog.books.replacing("http://127.0.0.1:1", with: "http://127.0.0.1:${var:PORT:-1}")
        #expect(text != TestCatalog.books)
        let paths = try ["first", "second"].map { try write(text, to: "\($0).jsonc") }
        func urls(_ variables: [String: String]) throws -> [String] {
            try load(paths) { $0.variables = variables }.catalog.apis.map(\.effectiveBaseURL)
        }
        let (one, two, three) = ("http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3")
        #expect(try urls(["PORT": "2"]) == [two, two])
        #expect(try urls(["second.PORT": "2"]) == [one, two])
        #expect(try urls(["PORT": "3", "second.PORT": "2"]) == [three, two])
        #expect(message(paths) { $0.variables = ["third.PORT": "2"] }.first?.hasPrefix("larder: --var: ") == true)
    }

    @Test func reloadWithAFaultyCatalogKeepsAllPreviousCatalogs() throws {
        let paths = try ["first", "second"].map { try write(TestCatalog.books, to: "\($0).jsonc") }
        var options = Options()
        options.replay = FilePath(folder.path)
        options.catalogs = paths.map { FilePath($0) }
        let home = folder.path
        let process = try Container.process(options, environment: Environment { $0 == "HOME" ? home : nil })
        let reload = CatalogReload(process, files: process.catalogFiles)
        _ = try write("{", to: "second.jsonc")
        reload.load()
        #expect(process.serving.current.resources.keys.sorted() == ["first.book", "second.book"])
        #expect(process.board.degraded.contains { $0.part == "catalog" && $0.reason.contains(paths[1]) })
        _ = try write(TestCatalog.books.replacing("\"book\"", with: "\"novel\""), to: "second.jsonc")
        reload.load()
        #expect(process.serving.current.resources.keys.sorted() == ["first.book", "second.novel"])
        #expect(!process.board.degraded.contains { $0.part == "catalog" })
    }
}
