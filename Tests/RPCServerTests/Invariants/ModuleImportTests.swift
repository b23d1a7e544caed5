import TestSupport
import Testing

/// Tests that targets import only lower targets, as Package.swift declares them.
@Suite(.limited) struct ModuleImportTests {
    /// The modules that each target may import, besides the toolchain's own.
    private static let allowed: [String: Set<String>] = [
        "System": ["CSystem", "CArguments", "CSHA256", "CCompatibility", "Glibc", "Darwin"],
        "JSON": ["System"],
        "Model": ["JSON", "System"],
        "Protocol": ["Model", "JSON", "System"],
        "HTTP": ["Model", "JSON", "System", "CCurl"],
        "Catalog": ["Model", "JSON", "System", "CCatalogs"],
        "Redis": ["HTTP", "Model", "System"],
        "DataSources": ["Catalog", "HTTP", "Redis", "Model", "JSON", "System", "CSQLite", "CSQLiteMemory", "CFaults"],
        "Repositories": ["DataSources", "Catalog", "Model", "JSON", "System"],
        "CatalogTools": ["Catalog", "HTTP", "Model", "JSON", "System", "CYAML"],
        "RPCServer": [
            "Repositories", "DataSources", "Protocol", "Catalog", "HTTP", "Redis", "Model", "JSON", "System",
        ],
        "larder": [
            "RPCServer", "CatalogTools", "Repositories", "DataSources", "Protocol", "Catalog", "HTTP", "Redis", "Model",
            "JSON", "System", "CLineEditor",
        ],
    ]

    /// Returns the modules that a file imports, including imports with attributes or modifiers.
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

    @Test func everyTargetHasAListOfAllowedImports() {
        #expect(Set(SourceFile.sources.map(\.target)) == Set(Self.allowed.keys))
        #expect(SourceFile.sources.count > 100)
    }

    @Test(arguments: SourceFile.sources)
    func fileImportsOnlyAllowedModules(file: SourceFile) throws {
        let allowed = try #require(Self.allowed[file.target])
        let imports = Self.imports(file)
        #expect(imports.filter { !allowed.contains($0) && $0 != "Synchronization" } == [])
    }

    /// The build accepts an undeclared import if another target provides the module.
    @Test func packageManifestDeclaresExactlyTheAllowedImports() throws {
        let package = try #require(SourceFile.read("Package.swift")).text
        for (target, modules) in Self.allowed {
            let declaration = try #require(
                package.firstRange(of: "arget(name: \"\(target)\", dependencies: [")
                    ?? package.firstRange(of: "arget(\n            name: \"\(target)\", dependencies: [")
                    ?? package.firstRange(of: "arget(\n            name: \"\(target)\",\n            dependencies: ["),
                "\(target)")
            let list = package[declaration.upperBound...].prefix { $0 != "]" }
            let names = list.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            #expect(Set(names) == modules.subtracting(["Glibc", "Darwin"]), "\(target)")
        }
    }

    @Test func modulesAreImportedOnlyByDesignatedTargets() {
        for (module, targets) in [
            ("Protocol", ["RPCServer", "larder"]), ("CatalogTools", ["larder"]), ("RPCServer", ["larder"]),
            ("CSQLite", ["DataSources"]), ("CSQLiteMemory", ["DataSources"]), ("CFaults", ["DataSources"]),
            ("CCurl", ["HTTP"]),
            ("CYAML", ["CatalogTools"]), ("CSystem", ["System"]),
            ("CArguments", ["System"]), ("CLineEditor", ["larder"]), ("CSHA256", ["System"]), ("Glibc", ["System"]),
            ("Darwin", ["System"]),
        ] {
            let importers = SourceFile.sources.filter { Self.imports($0).contains(module) }
            #expect(Set(importers.map(\.target)) == Set(targets), "\(module)")
        }
    }

    @Test(
        arguments: [
            ("import JSON", ["JSON"]), ("    import Glibc", ["Glibc"]), ("@testable import A", ["A"]),
            ("public import struct A.B", ["A"]), ("// import A", []), ("let a = \"import A\"", []),
            ("@_exported @preconcurrency import A", ["A"]),
        ])
    func importsAreRecognized(line: String, modules: [String]) {
        #expect(Self.imports(SourceFile(path: "Sources/X/a.swift", text: line)) == modules)
    }
}
