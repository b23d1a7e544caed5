import DataSources
import Mocks
import System
import TestSupport
import Testing

@testable import Catalog
@testable import RPCServer

@Suite(.limited) struct CatalogLoaderTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func load(
        _ change: (inout Options) -> Void = { _ in }, _ variables: [String: String] = [:]
    ) throws(StartupError) -> CatalogLoader.Loaded {
        var options = Options()
        change(&options)
        var variables = variables
        variables["XDG_CONFIG_HOME"] = folder.file("config")
        return try CatalogLoader(options: options, environment: Environment { [variables] in variables[$0] }).load()
    }

    /// Writes a catalog whose only API has the given name. Returns its path.
    private func write(_ name: String, to file: String) throws -> String {
        try folder.write(Array(TestCatalog.books.replacing("library", with: name).utf8), to: file)
        return folder.file(file)
    }

    private func error(_ body: () throws -> CatalogLoader.Loaded) -> StartupError? {
        #expect(throws: StartupError.self) { try body() }
    }

    @Test func builtInCatalogIsTheDefault() throws {
        let loaded = try load()
        #expect(loaded.origin == "built-in")
        #expect(loaded.catalog.resources.map(\.name) == ["character", "location", "episode"])
        #expect(try load({ _ in }, ["LARDER_CATALOG": ""]).origin == "built-in")
    }

    @Test func catalogOptionTakesPrecedenceOverVariableAndConfigFolder() throws {
        let config = folder.file("config/larder/catalog.jsonc")
        #expect(ChildProcess.run("mkdir", ["-p", folder.file("config/larder")])?.code == 0)
        _ = try write("third", to: "config/larder/catalog.jsonc")
        let second = try write("second", to: "second.jsonc")
        let first = try write("first", to: "first.jsonc")
        let third = try load()
        #expect((third.origin, third.catalog.apis.map(\.name)) == (config, ["third"]))
        let variable = try load({ _ in }, ["LARDER_CATALOG": second])
        #expect((variable.origin, variable.catalog.apis.map(\.name)) == (second, ["second"]))
        let option = try load({ $0.catalog = FilePath(first) }, ["LARDER_CATALOG": second])
        #expect((option.origin, option.catalog.apis.map(\.name)) == (first, ["first"]))
    }

    @Test func shippedCatalogIsLoadedByName() throws {
        let named = try load { $0.catalog = "rickandmorty" }
        #expect(
            (named.origin, named.catalog.resources.map(\.name)) == (
                "rickandmorty", ["character", "location", "episode"]
            ))
        let variable = try load({ _ in }, ["LARDER_CATALOG": "hackernews"])
        #expect((variable.origin, variable.files) == ("hackernews", []))
        let (bytes, origin) = try CatalogLoader(options: Options(), environment: Environment { _ in nil }).text(
            of: "github")
        #expect((bytes, origin) == (ShippedCatalog.named("github")?.text, "github"))
    }

    /// A file is never mistaken for a shipped catalog, nor the other way round, regardless of the working folder.
    @Test func pathIsNotTakenForTheNameOfAShippedCatalog() throws {
        let path = try write("mine", to: "github")
        #expect(try load { $0.catalog = FilePath(path) }.catalog.apis.map(\.name) == ["mine"])
        let near = error { try load { $0.catalog = "githb" } }
        #expect(near?.lines.first?.hasSuffix("; did you mean the shipped catalog 'github'?") == true)
        let error = error { try load { $0.catalog = "nonsense" } }
        #expect(error?.lines.first?.hasSuffix("; 'larder catalogs' lists the known catalogs") == true)
        let other = self.error { try load { $0.catalog = "./github" } }
        #expect(other?.lines.first?.contains("larder catalogs") == false)
    }

    @Test func similarCatalogOfTheUserIsSuggested() throws {
        #expect(mkdir(folder.file("larder"), 0o700) == 0)
        for name in ["shop", "config", "a b"] { try folder.write(Array("{}".utf8), to: "larder/\(name).jsonc") }
        let home = folder.path
        func hint(_ catalogs: [FilePath], _ variables: [String: String] = [:]) -> String? {
            var options = Options()
            options.catalogs = catalogs
            let all = variables.merging(["XDG_CONFIG_HOME": home]) { own, _ in own }
            let loader = CatalogLoader(options: options, environment: Environment { all[$0] })
            let error = error { try loader.load() }
            return error?.lines.first?.split(separator: ";").last.map(String.init)
        }
        #expect(hint(["shp"]) == " did you mean 'shop'?")
        #expect(hint([], ["LARDER_CATALOG": "shp"]) == " did you mean 'shop'?")
        #expect(hint(["githb"]) == " did you mean the shipped catalog 'github'?")
        #expect(hint(["confg"]) == " 'larder catalogs' lists the known catalogs")
    }

    @Test func unknownVariableIsRefused() throws {
        let text =
            #"{"larder": 1, "apis": {"a": {"baseURL": "https://${var:HOST:-a}.test"}}, "resources": "#
            + #"{"r": {"api": "a", "id": "string", "rest": {"get": {"path": "/{id}"}}}}}"#
        try folder.write(Array(text.utf8), to: "variables.jsonc")
        let path: FilePath = folder.file("variables.jsonc")
        let known = try load {
            $0.catalog = path
            $0.variables = ["HOST": "b"]
        }
        #expect(known.catalog.apis.map(\.baseURL) == ["https://b.test"])
        let error = error {
            try load {
                $0.catalog = path
                $0.variables = ["HOST": "b", "HSOT": "c"]
            }
        }
        #expect(error?.exitCode == 64)
        #expect(error?.lines == ["larder: --var: the catalog has no variable 'HSOT'; use one of 'HOST'"])
    }

    @Test func unreadableCatalogIsRefused() {
        let path = folder.file("missing.jsonc")
        let error = error { try load { $0.catalog = FilePath(path) } }
        #expect(error?.exitCode == 78)
        #expect(error?.lines.count == 1)
        #expect(error?.lines.first?.hasPrefix("larder: the catalog: cannot read ") == true)
        #expect(error?.lines.first?.contains(path) == true)
    }

    @Test func everyCatalogFaultHasItsPosition() throws {
        let text = """
            {
              "larder": 1,
              "apis": {"library": {"baseURL": "ftp://x"}},
              "resources": {"book": {"api": "libary", "id": "integer", "rest": {"get": {"path": "/b/{id}"}}}}
            }
            """
        try folder.write(Array(text.utf8), to: "bad.jsonc")
        let path = folder.file("bad.jsonc")
        let error = error { try load { $0.catalog = FilePath(path) } }
        #expect(error?.exitCode == 78)
        #expect(error?.lines.count == 2)
        #expect(error?.lines.first?.hasPrefix("\(path):3:35: ") == true)
        #expect(error?.lines.last?.hasPrefix("\(path):4:") == true)
    }

    @Test func secretIsReadFromTheEnvironment() throws {
        let text = TestCatalog.books.replacing(
            #""baseURL": "http://127.0.0.1:1""#,
            with: #""baseURL": "http://127.0.0.1:1", "auth": {"bearer": "${env:BOOK_TOKEN}"}"#)
        try folder.write(Array(text.utf8), to: "auth.jsonc")
        let path = folder.file("auth.jsonc")
        #expect(try load({ $0.catalog = FilePath(path) }, ["BOOK_TOKEN": "hush"]).catalog.secrets.contains("hush"))
        let without = try load { $0.catalog = FilePath(path) }.catalog
        #expect(without.apis[0].missingValues.map(\.message) == ["the environment variable 'BOOK_TOKEN' is not set"])
        #expect(without.secrets.isEmpty)
    }

    @Test func baseURLOptionReplacesTheDeclaredURL() throws {
        let loaded = try load { $0.baseURLs = [.init(api: "rickandmorty", url: "http://127.0.0.1:9/")] }
        #expect(loaded.catalog.apis.map(\.effectiveBaseURL) == ["http://127.0.0.1:9"])
        let unknown = error { try load { $0.baseURLs = [.init(api: "rick", url: "http://127.0.0.1:9")] } }
        #expect(
            unknown
                == StartupError(
                    exitCode: 64,
                    lines: ["larder: --base-url: the catalog has no API 'rick'; use one of 'rickandmorty'"]))
        let bad = error { try load { $0.baseURLs = [.init(api: "rickandmorty", url: "nowhere")] } }
        #expect(bad?.exitCode == 64)
    }

    @Test func catalogNameIsNotTakenForAPath() throws {
        #expect(ChildProcess.run("mkdir", ["-p", folder.file("config/larder/sub")])?.code == 0)
        for file in ["config/larder/own", "config/larder/github", "config/outside", "config/larder/sub/inner"] {
            _ = try write("a", to: "\(file).jsonc")
        }
        let config = folder.file("config")
        let environment = Environment { $0 == "XDG_CONFIG_HOME" ? config : nil }
        let own = folder.file("config/larder/own.jsonc")
        #expect(CatalogLoader.own("own", environment) == FilePath(own))
        for name in ["other", "github", "../outside", "sub/inner", ""] {
            #expect(CatalogLoader.own(FilePath(name), environment) == nil)
        }
        #expect(CatalogLoader.own("own", Environment { _ in nil }) == nil)
    }

    @Test(
        arguments: [
            ("a", true), ("Z9", true), ("0-_", true), ("", false), ("-a", false), ("_a", false), ("a.b", false),
            ("a/b", false), ("\u{E9}", false), (String(repeating: "a", count: 64), true),
            (String(repeating: "a", count: 65), false), ("a@", false), ("a[", false), ("a`", false), ("a{", false),
            ("a:", false), ("a~", false),
        ])
    func catalogNameHasAtMost64PlainCharacters(name: String, isName: Bool) {
        #expect(CatalogLoader.isName(name) == isName)
    }
}
