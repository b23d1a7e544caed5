import Catalog
import System
import TestSupport
import Testing

/// Tests that every error message of the decoders and of `larder check` occurs in a table of expected errors.
@Suite(.limited) struct CatalogFaultCoverageTests {
    /// The error messages that are not in a table of expected errors. Each has a comment with the name of its test, or
    /// with the reason why no catalog causes it.
    private static let elsewhere: Set<String> = [
        // `CatalogIncludeTests.catalogHasAtMostAHundredFiles`
        "a catalog can have at most … files; merge some of them",
        // `CatalogCheckTests`
        "… is not redacted in output: the value is shorter than 8 characters or a plain number; use",
        "the API '…' is used by no resource; remove the API, or name it in 'api' of a resource",
        "plain http: others on the network can read and change requests and answers; use https",
        "'…' cannot be read: …: …; requests to the API '…' will fail",
        // `LiteralSecretsTests`
        "… is written in the catalog: everyone who gets a copy can read it; use '${env:NAME}' instead",
        // `RequestCheckTests.filterThatReplacesTheAPIKeyIsReported`
        "the filter '…' is sent as '…', the parameter of the API key;",
    ]

    /// The expected errors in all tables, as `line:column: message`.
    private static let expectedFaults: [String] = {
        var expected = CatalogFaultsTests.wholes.flatMap(\.faults)
        for table in [
            CatalogFaultsTests.apis, CatalogRequestFaultsTests.requests, CatalogRequestFaultsTests.scopes,
            CatalogRequestFaultsTests.connections, CatalogResourceFaultsTests.fields, CatalogResourceFaultsTests.ids,
            CatalogResourceFaultsTests.operations, CatalogResourceFaultsTests.graphQL,
            CatalogResourceFaultsTests.caches, RareCatalogFaultsTests.rare, RequestCheckTests.rest,
            RequestCheckTests.failing,
            RequestCheckTests.doubtful, SyncDecoderTests.faults, TokenDecoderTests.faults,
        ] {
            for row in table { expected += row.1 }
        }
        for row in CatalogAuthFaultsTests.cases { expected += row.faults }
        for row in CatalogIncludeTests.wrong { expected += row.faults }
        return expected
    }()

    /// Returns the string literals after `mark` in Swift source. Each literal is split at its interpolations.
    private static func messages(behind mark: String, in text: String) -> [[String]] {
        var found: [[String]] = []
        var rest = text[...]
        while let place = rest.firstRange(of: mark) {
            rest = rest[place.upperBound...]
            // `larder check` builds its messages in closures.
            let start = rest.drop { $0.isWhitespace || $0 == "{" }
            guard start.first == "\"" else { continue }
            found.append(Self.literal(start.dropFirst()))
        }
        return found
    }

    /// Returns the parts of a string literal between its interpolations.
    private static func literal(_ text: Substring) -> [String] {
        var parts = [""]
        var rest = text
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                parts[parts.count - 1].append(character)
                continue
            }
            guard escaped == "(" else {
                parts[parts.count - 1].append(escaped)
                continue
            }
            var depth = 1
            while depth > 0, let inner = rest.popFirst() { depth += inner == "(" ? 1 : inner == ")" ? -1 : 0 }
            parts.append("")
        }
        return parts
    }

    /// Whether the parts of a literal occur in a message, in the order of the literal.
    private static func occur(_ parts: [String], in message: String) -> Bool {
        var rest = message[...]
        for part in parts where !part.isEmpty {
            guard let place = rest.firstRange(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }

    private static let sources: [(name: String, text: String)] = {
        let root = Fixture.path("").dropLast("/Fixtures/".count)
        let folders = [
            "Catalog/Decoding", "Catalog/Format", "CatalogTools/Check", "Catalog/Pagination", "Catalog/Requests",
            "Catalog/API", "Catalog/Sync", "Catalog",
        ]
        return folders.flatMap { folder in
            let path = FilePath("\(root)/Sources/\(folder)")
            return ((try? Files.list(path)) ?? []).filter { "\($0)".hasSuffix(".swift") }.compactMap { name in
                (try? Files.read(path + "/" + name)).map { ("\(name)", String(decoding: $0, as: UTF8.self)) }
            }
        }
    }()

    @Test func everyCatalogErrorMessageHasATest() {
        #expect(Self.sources.count > 40 && Self.expectedFaults.count > 200)
        var seen = 0
        for (name, text) in Self.sources {
            for mark in ["fault(", "malformed(", ".failure(", "CatalogMessage(", "faults.add(", "warnings.add("] {
                for parts in Self.messages(behind: mark, in: text) where parts.joined().count > 3 {
                    seen += 1
                    let isTested = Self.expectedFaults.contains { Self.occur(parts, in: $0) }
                    let shown = parts.joined(separator: "…")
                    #expect(isTested || Self.elsewhere.contains(shown), "\(name): \(shown)")
                }
            }
        }
        #expect(seen > 70)
    }

    /// The decoders read keys with `value(KEY, EXPECTED)` and similar functions. Each key must occur in an error.
    @Test func everyCatalogKeyHasAnErrorTest() {
        for (name, text) in Self.sources {
            for mark in ["object.value(", ".flag(", ".integer(", ".requiredText(", ".required(", ".perOperation("] {
                for parts in Self.messages(behind: mark, in: text) where parts.count == 1 {
                    let key = "'\(parts[0])'"
                    #expect(Self.expectedFaults.contains { $0.contains(key) }, "\(name): \(mark)\(key)")
                }
            }
        }
    }
}
