import DataSources
import System
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct ResourceReferenceTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        #expect(ChildProcess.run("mkdir", ["-p", folder.file("larder")])?.code == 0)
        try folder.write(Array("{}".utf8), to: "larder/shop.jsonc")
    }

    /// Returns the resource and the catalogs of a reference, or the error message.
    private func found(_ word: String, _ catalogs: [FilePath] = []) -> String {
        var options = CommandOptions()
        options.process.catalogs = catalogs
        let path = folder.path
        do throws(UsageError) {
            let environment = Environment(
                bytes: { $0 == "XDG_CONFIG_HOME" ? Array(path.utf8) : nil }, homeOfUser: { nil })
            let found = try ResourceReference(word, options, environment)
            return ([found.resource] + found.options.catalogs.map(\.description)).joined(separator: " ")
        } catch {
            return error.message
        }
    }

    @Test(arguments: [("github/isue", "github/"), ("isue", ""), ("shop/order", "shop/")])
    func catalogPrefixOfAResourceIsKeptInSuggestions(word: String, prefix: String) throws {
        let path = folder.path
        let environment = Environment(
            bytes: { $0 == "XDG_CONFIG_HOME" ? Array(path.utf8) : nil }, homeOfUser: { nil })
        let reference = try ResourceReference(word, CommandOptions(), environment)
        #expect(reference.prefix == prefix)
        let message = reference.unknownSubject(known: ["issue"])
        #expect(message.hasPrefix("unknown topic or resource '\(word)'; "))
        #expect(message.hasSuffix("did you mean '\(prefix)issue'?") == (word != "shop/order"))
    }

    @Test(
        arguments: [
            ("issue", [], "issue"), ("issue", ["a.jsonc"], "issue a.jsonc"), ("github/issue", [], "issue github"),
            ("shop/order", [], "order shop"), ("shop/order", ["/x/shop.jsonc"], "order /x/shop.jsonc"),
            ("shop/order", ["a.jsonc", "shop"], "shop.order a.jsonc shop"), ("shop/", [], " shop"),
            ("githb/issue", [], "there is no catalog 'githb' for 'githb/issue'; did you mean 'github'?"),
            ("nonsense/issue", [], "there is no catalog 'nonsense' for 'nonsense/issue'; see larder catalogs"),
            (
                "github/issue", ["shop"],
                "'github/issue' is in the catalog 'github', but --catalog names another catalog; remove this option, "
                    + "or also pass --catalog github"
            ),
        ] as [(String, [FilePath], String)])
    func catalogBeforeASlashIsSelected(word: String, catalogs: [FilePath], expected: String) {
        #expect(found(word, catalogs) == expected)
    }
}
