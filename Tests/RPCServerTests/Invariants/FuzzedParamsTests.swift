import TestSupport
import Testing

/// Tests that the request fuzzer reads the params of every method.
@Suite(.limited) struct FuzzedParamsTests {
    /// Returns the types in a file that conform to `MethodParams`.
    private static func params(in file: SourceFile) -> [String] {
        let kinds: Set<Substring> = ["class", "struct", "actor", "enum", "extension"]
        return file.code.compactMap { line in
            let words = line.prefix { $0 != "{" }.identifiers
            guard let kind = words.firstIndex(where: { kinds.contains($0) }), kind + 1 < words.count,
                line.firstIndex(of: ":").map({ line[$0...].identifiers.contains("MethodParams") }) ?? false,
                // A constraint on a generic parameter is not a conformance.
                !line.contains("<")
            else { return nil }
            return String(words[kind + 1])
        }
    }

    @Test func fuzzerDecodesEveryParamsType() throws {
        let declared = SourceFile.sources.flatMap(Self.params)
        #expect(declared.count >= 16)
        let invariants = try #require(SourceFile.read("Tests/Fuzz/Envelope/ParamsInvariants.swift"))
        let missing = declared.filter { name in !invariants.code.contains { $0.contains("try \(name)(reader)") } }
        #expect(missing == [], "Tests/Fuzz/Envelope/ParamsInvariants.swift does not read these")
    }

    @Test(
        arguments: [
            ("public struct AParams: MethodParams, Sendable {", ["AParams"]),
            ("extension AParams: MethodParams {", ["AParams"]), ("struct A: Sendable, MethodParams {", ["A"]),
            ("struct A<Params: MethodParams>: Handler {", []),
            ("public protocol MethodParams {", []), ("let kind: MethodParams.Type", []),
            ("struct A: Handler {  // MethodParams", []),
        ])
    func paramsDeclarationsAreRecognized(line: String, names: [String]) {
        #expect(Self.params(in: SourceFile(path: "Sources/X/a.swift", text: line)) == names)
    }
}
