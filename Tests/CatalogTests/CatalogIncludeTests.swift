import Catalog
import CatalogTools
import Mocks
import Model
import System
import TestSupport
import Testing

/// Tests catalogs that consist of several files.
@Suite(.limited) struct CatalogIncludeTests {
    private static let api = #""apis": {"a": {"baseURL": "https://a.test"}}"#
    private static let thing = #""thing": {"api": "a", "id": "integer", "rest": {"get": {"path": "/things/{id}"}}}"#
    private static let other = thing.replacing("thing", with: "other")

    /// Decodes the catalog `/c/main.jsonc` with the given files in the folder `/c`.
    private static func decode(_ files: [String: String]) throws(CatalogFaults) -> Catalog {
        let includes = IncludeSource(of: "/c/main.jsonc") { (path) throws(FileError) in
            guard let text = files[String(path.description.dropFirst("/c/".count))] else {
                throw FileError(message: "cannot read \(path): nothing")
            }
            return Array(text.utf8)
        }
        return try CatalogDecoder.decode(
            Array((files["main.jsonc"] ?? "").utf8), secrets: CatalogText.secrets, includes: includes)
    }

    private static func faults(_ files: [String: String]) -> [String] {
        do throws(CatalogFaults) {
            _ = try decode(files)
            return []
        } catch {
            return error.lines(file: "main.jsonc")
        }
    }

    @Test func includedFilesFormOneCatalog() throws {
        let catalog = try Self.decode([
            "main.jsonc": #"{"larder": 1, "include": ["./parts/one.jsonc", "two.jsonc"], \#(Self.api)}"#,
            "parts/one.jsonc": #"{"include": ["../parts/deep/three.jsonc"], "resources": {\#(Self.thing)}}"#,
            "parts/../parts/deep/three.jsonc":
                #"{"larder": 1, "apis": {"b": {"baseURL": "https://b.test/${env:KEY}"}}}"#,
            "two.jsonc": #"// A comment.\n{"resources": {\#(Self.other.replacing(#""a""#, with: #""b""#))}}"#
                .replacing("\\n", with: "\n"),
        ])
        #expect(catalog.apis.map(\.name) == ["a", "b"])
        #expect(catalog.resources.map(\.name) == ["thing", "other"])
        #expect(catalog.resources.map(\.api) == ["a", "b"])
        #expect(catalog.secrets == ["k3y"])
    }

    @Test func includedNameResolvesToAShippedCatalog() throws {
        let shipped = try #require(ShippedCatalog.named("hackernews")).decode()
        let catalog = try Self.decode([
            "main.jsonc":
                #"{"larder": 1, "include": ["hackernews", "./github"], \#(Self.api), "resources": {\#(Self.thing)}}"#,
            "github": #"{"resources": {\#(Self.other)}}"#, "hackernews": "{",
        ])
        #expect(catalog.apis.map(\.name) == ["a"] + shipped.apis.map(\.name))
        #expect(catalog.resources.map(\.name) == ["thing"] + shipped.resources.map(\.name) + ["other"])
    }

    @Test func shippedCatalogIsIncludedOnce() {
        let main = #"{"larder": 1, "include": ["hackernews", "hackernews"]}"#
        #expect(
            Self.faults(["main.jsonc": main]) == [
                "main.jsonc:1:41: 'hackernews' is already included; remove one of the entries"
            ])
    }

    /// Relative paths of secret files are resolved against the folder of the catalog file that contains them.
    @Test func secretFilesAreRelativeToTheFileThatNamesThem() throws {
        let secrets = SecretSource(environment: { _ in nil }, file: { "content of \($0)" })
        @Sendable func headers(_ path: String) -> String {
            #""headers": {"X": "${file:\#(path)}", "Y": "${file:/run/key}"}"#
        }
        let includes = IncludeSource(of: "/c/main.jsonc") { (_) throws(FileError) in
            let api = #""b": {"baseURL": "https://b.test", \#(headers("b"))}"#
            return Array(#"{"apis": {\#(api)}, "resources": {\#(Self.thing)}}"#.utf8)
        }
        let text =
            #"{"larder": 1, "include": ["parts/x"], "apis": {"a": {"baseURL": "https://a.test", \#(headers("./a"))}}}"#
        func secretsOf(_ includes: IncludeSource, _ text: String) throws -> [String] {
            try CatalogDecoder.decode(Array(text.utf8), secrets: secrets, includes: includes).secrets
        }
        let beside = ["content of /c/a", "content of /run/key", "content of /c/parts/b"]
        #expect(try secretsOf(includes, text) == beside)
        let alone = #"{"larder": 1, "apis": {"a": {"baseURL": "https://a.test", \#(headers("a"))}}, "#
        #expect(
            try secretsOf(.none, alone + #""resources": {\#(Self.thing)}}"#) == ["content of a", "content of /run/key"])
    }

    /// Cached entries of a resource stay valid if its declaration moves to another file.
    @Test func declarationMovedToAnotherFileKeepsItsResourceKey() throws {
        let random = FingerprintKey.random()
        func key(_ files: [String: String]) throws -> ResourceKey {
            let catalog = try Self.decode(files)
            return ResourceKey(catalog.resources[0], of: catalog.apis[0], key: random)
        }
        let one = try key(["main.jsonc": #"{"larder": 1, \#(Self.api), "resources": {\#(Self.thing)}}"#])
        let two = try key([
            "main.jsonc": #"{"larder": 1, "include": ["x"], \#(Self.api)}"#, "x": #"{"resources": {\#(Self.thing)}}"#,
        ])
        #expect(one == two)
    }

    static let wrong: [(files: [String: String], faults: [String])] = [
        (
            [
                "main.jsonc": #"{"larder": 1, "include": ["x"], \#(api), "resources": {\#(thing)}}"#,
                "x": "{\n  \(api),\n  \"resources\": {\(thing)}\n}",
            ],
            [
                "/c/x:2:12: the API 'a' is already declared in /c/main.jsonc; remove one of the declarations",
                "/c/x:3:17: the resource 'thing' is already declared in /c/main.jsonc; remove one of the declarations",
            ]
        ),
        (
            [
                "main.jsonc": #"{"larder": 1, "include": ["x"]}"#, "x": #"{"include": ["./main.jsonc", "y"]}"#,
                "y": #"{"include": ["x"]}"#,
            ],
            [
                "/c/x:1:14: a file cannot include itself: /c/main.jsonc -> /c/x -> /c/main.jsonc; remove one 'include'",
                "/c/y:1:14: a file cannot include itself: /c/x -> /c/y -> /c/x; remove one 'include'",
            ]
        ),
        (
            ["main.jsonc": #"{"larder": 1, "include": ["x", "./x"]}"#, "x": "{}"],
            ["main.jsonc:1:32: '/c/x' is already included; remove one of the entries"]
        ),
        (
            ["main.jsonc": #"{"larder": 1, "include": ["x", {}, "", "${var:NOT_SET}"]}"#],
            [
                "main.jsonc:1:27: cannot read /c/x: nothing", "main.jsonc:1:32: 'include' must be a string",
                "main.jsonc:1:36: 'include' must be an array of paths, such as [\"./tickets.jsonc\"]",
                "main.jsonc:1:40: the variable 'NOT_SET' has no value; use --var NOT_SET=... or set LARDER_VAR_NOT_SET",
            ]
        ),
        (
            ["main.jsonc": #"{"larder": 1, "include": ["${env:KEY}", "./${file:/run/key}.jsonc"]}"#],
            [
                "main.jsonc:1:27: 'include' must not contain a secret, because error messages show file names;"
                    + " use '${var:NAME}' instead",
                "main.jsonc:1:41: 'include' must not contain a secret, because error messages show file names;"
                    + " use '${var:NAME}' instead",
            ]
        ),
        (
            ["main.jsonc": #"{"larder": 1, "include": "x", \#(api)}"#],
            ["main.jsonc:1:26: 'include' must be an array of paths, such as [\"./tickets.jsonc\"]"]
        ),
        (
            [
                "main.jsonc": #"{"larder": 1, "include": ["x"], \#(api)}"#,
                "x": #"{"larder": 2, "resource": {}, "resources": []}"#,
            ],
            [
                "/c/x:1:12: 'larder' must be 1, the version of the catalog format",
                "/c/x:1:15: the catalog has no key 'resource'; did you mean 'resources'?",
                "/c/x:1:44: 'resources' must be an object",
            ]
        ),
        (
            ["main.jsonc": #"{"larder": 1, "include": ["x"], \#(api)}"#, "x": "{\n\"resources\" {}}"],
            ["/c/x:2:13: expected ':' after the key, found '{'"]
        ),
        (
            ["main.jsonc": #"{"larder": 1, "include": ["x"], \#(api)}"#, "x": "{}"],
            ["main.jsonc:1:1: 'resources' is missing in the catalog and in the included files; add 'resources'"]
        ),
        (
            [
                "main.jsonc": #"{"larder": 1, "include": ["x"], "resources": {\#(thing)}}"#,
                "x": #"{"apis": {"b": {"baseURL": "https://b.test"}}}"#,
            ],
            ["main.jsonc:1:64: 'api' must be one of the APIs: 'b'"]
        ),
    ]

    @Test(arguments: wrong) func errorsContainTheNameOfTheFaultyCatalogFile(files: [String: String], faults: [String]) {
        #expect(Self.faults(files) == faults)
    }

    @Test func catalogHasAtMostAHundredFiles() {
        var files = ["main.jsonc": #"{"larder": 1, "include": ["0"]}"#]
        for number in 0..<200 { files["\(number)"] = #"{"include": ["\#(number + 1)"]}"# }
        #expect(Self.faults(files) == ["/c/98:1:14: a catalog can have at most 100 files; merge some of them"])
    }

    @Test func catalogWithoutAFileCannotIncludeFiles() {
        let text = #"{"larder": 1, "include": ["x"], \#(Self.api)}"#
        let fault = "1:27: 'include' works only in a catalog file; save this catalog as a file"
        #expect(CatalogText.faults(text) == [fault])
    }

    @Test func missingSecretIsReportedWithItsFile() throws {
        let auth = #"{"baseURL": "https://a.test", "auth": {"bearer": "${env:NOT_SET}"}}"#
        let includes = IncludeSource(of: "main.jsonc") { (_) throws(FileError) in
            Array("{\"apis\": {\"b\": \(auth)}, \"resources\": {\(Self.other.replacing(#""a""#, with: #""b""#))}}".utf8)
        }
        let main = #"{"larder": 1, "include": ["x"], \#(Self.api), "resources": {\#(Self.thing)}}"#
        let catalog = try CatalogDecoder.decode(
            Array(main.utf8), secrets: .empty, includes: includes, toleratesMissing: true)
        #expect(catalog.apis[0].missingValues == [])
        let absence = try #require(catalog.apis[1].missingValues.first)
        #expect(absence.message == "the environment variable 'NOT_SET' is not set")
        #expect(absence.place.text(in: "main.jsonc") == "x:1:65")
    }

    @Test func warningsContainTheNameOfTheFaultyCatalogFile() {
        let includes = IncludeSource(of: "main.jsonc") { (_) throws(FileError) in
            Array(#"{"apis": {"b": {"baseURL": "http://b.test"}}}"#.utf8)
        }
        let main = #"{"larder": 1, "include": ["x"], \#(Self.api), "resources": {\#(Self.thing)}}"#
        let check = CatalogCheck(Array(main.utf8), secrets: .empty, includes: includes)
        #expect(check.faults == nil)
        #expect(
            check.warnings.map { $0.description(file: "main.jsonc", kind: "") } == [
                "x:1:11: the API 'b' is used by no resource; remove the API, or name it in 'api' of a resource",
                "x:1:28: plain http: others on the network can read and change requests and answers; use https",
            ])
    }
}
