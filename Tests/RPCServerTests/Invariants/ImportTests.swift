import TestSupport
import Testing

/// Imports go down only: RPCServer over Repositories over DataSources over JSON over System, and RPCServer over
/// Protocol over JSON.
@Suite(.limited) struct ImportTests {
    /// What each target may import besides what the system has.
    private static let allowed: [String: Set<String>] = [
        "System": ["CSystem", "CArguments", "CSHA256", "Glibc", "Darwin"], "JSON": ["System"],
        "Protocol": ["JSON", "System"],
        "DataSources": ["JSON", "System", "CSQLite", "CCurl", "CFaults"],
        "Repositories": ["DataSources", "JSON", "System"],
        "RPCServer": ["Repositories", "DataSources", "Protocol", "JSON", "System"],
    ]

    /// The modules that a file imports, whatever stands around the word.
    private static func imports(_ file: SourceFile) -> [String] {
        file.code.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count else { return nil }
            let modifiers = ["public", "package", "internal", "private", "fileprivate"]
            guard words[..<index].allSatisfy({ $0.hasPrefix("@") || modifiers.contains(String($0)) }) else {
                return nil
            }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = words[(index + 1)...].first { !kinds.contains(String($0)) } ?? ""
            return name.split(separator: ".").first.map(String.init)
        }
    }

    @Test func everyTargetHasARow() {
        #expect(Set(SourceFile.sources.map(\.target)) == Set(Self.allowed.keys))
        #expect(SourceFile.sources.count > 100)
    }

    @Test(arguments: SourceFile.sources)
    func aFileImportsWhatItsTargetMay(file: SourceFile) throws {
        let allowed = try #require(Self.allowed[file.target])
        let imports = Self.imports(file)
        #expect(imports.filter { !allowed.contains($0) && $0 != "Synchronization" } == [])
    }

    @Test func onlyOneTargetKnowsTheProtocolAndOneTheLibraries() {
        for (module, target) in [
            ("Protocol", "RPCServer"), ("CSQLite", "DataSources"), ("CCurl", "DataSources"), ("CFaults", "DataSources"),
            ("CSystem", "System"), ("CArguments", "System"), ("CSHA256", "System"), ("Glibc", "System"),
            ("Darwin", "System"),
        ] {
            let importers = SourceFile.sources.filter { Self.imports($0).contains(module) }
            #expect(Set(importers.map(\.target)) == [target])
        }
    }

    @Test(
        arguments: [
            ("import JSON", ["JSON"]), ("    import Glibc", ["Glibc"]), ("@testable import A", ["A"]),
            ("public import struct A.B", ["A"]), ("// import A", []), ("let a = \"import A\"", []),
            ("@_exported @preconcurrency import A", ["A"]),
        ])
    func howAnImportIsRead(line: String, modules: [String]) {
        #expect(Self.imports(SourceFile(path: "Sources/X/a.swift", text: line)) == modules)
    }
}
