import System
import TestSupport
import Testing

@testable import Catalog
@testable import CatalogTools

@Suite(.limited) struct CatalogCheckTests {
    /// Returns the warnings of a catalog with one resource of the API `a`, as `line:column message`.
    private static func warnings(_ apis: String, _ secrets: SecretSource = .empty) throws -> [String] {
        let text = """
            {"larder": 1, "apis": {
            \(apis)},
            "resources": {"x": {"api": "a", "id": "integer", "rest": {"get": {"path": "/x/{id}"}}}}}
            """
        let check = CatalogCheck(Array(text.utf8), secrets: secrets)
        #expect(check.faults == nil && check.catalog != nil)
        return check.warnings.map { "\($0.position.line):\($0.position.column) \($0.message.prefix(30))" }
    }

    @Test func validCatalogHasNoWarnings() throws {
        #expect(try Self.warnings(#""a": {"baseURL": "https://a.example"}"#).isEmpty)
        #expect(CatalogCheck(ShippedCatalog.builtIn.text, secrets: .empty).warnings.isEmpty)
    }

    @Test func apiWithoutResourcesIsReported() throws {
        let found = try Self.warnings(
            """
            "a": {"baseURL": "https://a.example"},
            "b": {"baseURL": "https://b"}
            """)
        #expect(found == ["3:1 the API 'b' is used by no reso"])
    }

    /// `--base-url` replaces the base URL of an API, so the variables of that URL are not needed.
    @Test func checkNeedsNoVariablesOfAReplacedBaseURL() {
        func faults(_ movedAPIs: Set<String>) -> Int? {
            let text = #"""
                {"larder": 1, "apis": {"a": {"baseURL": "https://${var:HOST}", "headers": {"X": "${var:OTHER:-x}"}}},
                 "resources": {"x": {"api": "a", "id": "integer", "rest": {"get": {"path": "/x/{id}"}}}}}
                """#
            return CatalogCheck(Array(text.utf8), secrets: .empty, movedAPIs: movedAPIs).faults?.faults.count
        }
        #expect(faults([]) == 1 && faults(["b"]) == 1)
        #expect(faults(["a"]) == nil)
    }

    @Test func shortSecretIsReported() throws {
        let secrets = SecretSource(environment: { _ in "short" }, file: { _ in nil })
        let api = #""a": {"baseURL": "https://a.example", "headers": {"X": "${env:KEY}"}}"#
        let found = try Self.warnings(api, secrets)
        #expect(found == ["1:1 the environment variable 'KEY'"])
    }

    @Test(arguments: [
        ("http://a.example/v1", false), ("HTTP://A.example", false), ("http://127.0.0.1.example", false),
        ("http://localhost:80", true), ("http://a.localhost", true), ("http://[::1]:8080/x", true),
        ("http://[fe80::1]", false), ("http://127.0.0.1", true), ("https://a.example", true),
        ("http://localhost.example", false),
    ])
    func unencryptedHTTPToOtherMachinesIsReported(url: String, isPrivate: Bool) throws {
        let found = try Self.warnings("\"a\": {\"baseURL\": \"\(url)\"}")
        #expect(found == (isPrivate ? [] : ["2:18 plain http: others on the netw"]))
    }

    @Test(arguments: [("/x/{id}", true), ("/x/{+id}.json", true), ("/x", false)])
    func pathOfGetWithoutIDPlaceholderIsReported(path: String, isSound: Bool) {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a"}},
            "resources": {"x": {"api": "a", "id": "string", "rest": {"get": {"path": "\(path)"}}}}}
            """
        let warnings = CatalogCheck(Array(text.utf8), secrets: .empty).warnings
        #expect(warnings.map { "\($0.position.line):\($0.position.column)" } == (isSound ? [] : ["2:74"]))
    }

    /// The server starts even if certificate files cannot be read, but requests to the API fail.
    @Test func checkReportsUnreadableFiles() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "there.pem")
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a",
            "tls": {"caFile": "/none/ca.pem",
            "certFile": "\(folder.file("there.pem"))", "keyFile": "/none/key.pem"}}},
            "resources": {"x": {"api": "a", "id": "string", "rest": {"get": {"path": "/x/{id}"}}}}}
            """
        #expect(CatalogCheck(Array(text.utf8), secrets: .empty).warnings.isEmpty)
        let check = CatalogCheck(Array(text.utf8), secrets: .empty, seesFiles: true)
        #expect(check.faults == nil)
        #expect(
            check.warnings.map { "\($0.position.line): \($0.message)" } == [
                "2: 'caFile' cannot be read: /none/ca.pem: No such file or directory; requests to the API 'a' will fail",
                "3: 'keyFile' cannot be read: /none/key.pem: No such file or directory; requests to the API 'a' will fail",
            ])
        #expect(folder.names == ["there.pem"])
    }

    @Test func invalidGraphQLIsAFault() {
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a"}}, "resources": {
            "y": {"api": "a", "id": "string", "graphql": {"get": {"query": "query ($id: ID!) { y(id: $id)", "item": "y"}}},
            "x": {"api": "a", "id": "string", "graphql": {"get": {"query": "query ($id: ID!) { x(id: $id", "item": "x"}}}}}
            """
        let check = CatalogCheck(Array(text.utf8), secrets: .empty)
        #expect(check.faults?.faults.map(\.position.line) == [2, 3] && check.faults?.more == 0)
        #expect(check.catalog == nil && check.warnings.isEmpty)
    }

    @Test func unencryptedTokenURLIsReported() throws {
        func warnings(_ url: String) throws -> [String] {
            let oauth2 = #""oauth2": {"tokenURL": "\#(url)", "clientID": "a", "clientSecret": "a secret with letters"}"#
            return try Self.warnings(
                """
                "a": {"baseURL": "https://a.example", "auth": {
                \(oauth2)}}
                """)
        }
        #expect(try warnings("http://a.example/token") == ["3:24 plain http: others on the netw"])
        #expect(try warnings("https://a.example/token") == [] && warnings("http://127.0.0.1/token") == [])
    }

    @Test func secretInAPathIsNotShown() throws {
        let secrets = SecretSource(environment: { _ in "s3cr3t-value" }, file: { _ in nil })
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a", "tls": {"caFile": "/none/${env:KEY}.pem"}}},
            "resources": {"x": {"api": "a", "id": "string", "rest": {"get": {"path": "/x/{id}"}}}}}
            """
        let warnings = CatalogCheck(Array(text.utf8), secrets: secrets, seesFiles: true).warnings.map(\.message)
        #expect(warnings.count == 1 && warnings[0].hasPrefix("'caFile' cannot be read: /none/***.pem: "))
    }

    /// Returns the check of a catalog that includes one file.
    private static func check(_ main: String, including file: String, _ secrets: SecretSource = .empty) -> CatalogCheck
    {
        let includes = IncludeSource(of: "/c/main.jsonc") { (_) throws(FileError) in Array(file.utf8) }
        return CatalogCheck(Array(main.utf8), secrets: secrets, includes: includes)
    }

    private static func shown(_ faults: [CatalogFault]) -> [String] {
        faults.map { "\($0.file ?? "main"):\($0.position.line) \($0.message.prefix(19))" }
    }

    /// A short secret is reported once, in the main file, and other warnings in the file of the declaration.
    @Test func warningsNameTheIncludedFile() {
        let secrets = SecretSource(environment: { _ in "short" }, file: { _ in nil })
        let main = #"{"larder": 1, "include": ["./more.jsonc"], "apis": {"b": {"baseURL": "http://b.example"}}}"#
        let file = """
            {"apis": {
            "a": {"baseURL": "http://a.example", "headers": {"X": "${env:KEY}"}}},
            "resources": {"x": {"api": "a", "id": "integer", "rest": {"get": {"path": "/x/{id}"}}}}}
            """
        let check = Self.check(main, including: file, secrets)
        #expect(check.faults == nil)
        #expect(
            Self.shown(check.warnings) == [
                "main:1 the environment var", "main:1 the API 'b' is used", "main:1 plain http: others ",
                "/c/more.jsonc:2 plain http: others ",
            ])
    }

    @Test func faultsAreInTheOrderOfTheFiles() {
        let graphql = #""graphql": {"get": {"query": "query ($id: ID!) { y(id: $id)", "item": "y"}}"#
        let main = """
            {"larder": 1, "include": ["./more.jsonc"], "apis": {"a": {"baseURL": "https://a"}}, "resources": {
            "y": {"api": "a", "id": "string", \(graphql)},
            "x": {"api": "a", "id": 7, "rest": {"get": {"path": "/x/{id}"}}}}}
            """
        let file = #"{"resources": {"z": {"api": "a", "id": "string", \#(graphql)}, "w": {"api": "a", "id": 8}}}"#
        let faults = Self.check(main, including: file).faults?.faults ?? []
        #expect(faults.map { "\($0.file ?? "main"):\($0.position.line)" }.first == "main:2")
        let places = faults.map { ($0.file ?? "", $0.position.line, $0.position.column) }
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.0 <= $0.1 } && Set(places.map { $0.0 }).count == 2)
    }

    /// The decoder and the check find faults of their own, and 100 faults are kept in total.
    @Test(arguments: [(60, 30, 90, 0), (60, 40, 100, 0), (60, 60, 100, 20), (130, 120, 100, 150)])
    func onlyTheFirst100FaultsAreKept(decoded: Int, checked: Int, kept: Int, more: Int) {
        let invalid = (0..<decoded).map { #""d\#($0)": {"api": "a", "id": 7, "rest": {"get": {"path": "/x/{id}"}}}"# }
        let query = #"{"query": "query ($id: ID!) { y(id: $id)", "item": "y"}"#
        let unclosed = (0..<checked).map { #""c\#($0)": {"api": "a", "id": "string", "graphql": {"get": \#(query)}}"# }
        let text = """
            {"larder": 1, "apis": {"a": {"baseURL": "https://a"}}, "resources": {
            \((invalid + unclosed).joined(separator: ",\n"))}}
            """
        let faults = CatalogCheck(Array(text.utf8), secrets: .empty).faults
        #expect(faults?.faults.count == kept && faults?.more == more)
    }

    @Test func faultsSuppressWarnings() {
        let check = CatalogCheck(Array(#"{"larder": 2, "apis": {}, "resources": {}}"#.utf8), secrets: .empty)
        #expect(check.catalog == nil && check.warnings.isEmpty)
        #expect(check.faults?.faults.count == 3)
    }
}
