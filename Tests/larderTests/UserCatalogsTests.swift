import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct UserCatalogsTests {
    @Test func onlyCatalogsOfTheUserAreListed() throws {
        let folder = try TemporaryDirectory()
        try #require(mkdir(folder.file("larder"), 0o700) == 0)
        for name in ["zoo.jsonc", "shop.jsonc", "config.jsonc", "catalog.jsonc", "a.b.jsonc", "x.json", ".jsonc"] {
            try folder.write([], to: "larder/\(name)")
        }
        let path = folder.path
        let environment = Environment(
            bytes: { $0 == "XDG_CONFIG_HOME" ? Array(path.utf8) : nil }, homeOfUser: { nil })
        #expect(try UserCatalogs(environment).names == ["shop", "zoo"])
        #expect(throws: StartupError.self) { try UserCatalogs(Environment(bytes: { _ in nil }, homeOfUser: { nil })) }
    }
}
