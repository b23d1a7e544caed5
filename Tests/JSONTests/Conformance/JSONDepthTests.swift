import JSON
import TestSupport
import Testing

@Suite("Nesting is limited", .limited)
struct JSONDepthTests {
    enum Container: String, CaseIterable {
        case arrays, objects, mixed

        func text(depth: Int) -> String {
            let levels = (0..<depth).map { level in
                self == .arrays || (self == .mixed && level % 2 == 0) ? ("[", "]") : ("{\"k\":", "}")
            }
            return levels.map(\.0).joined() + "0" + levels.reversed().map(\.1).joined()
        }
    }

    @Test(arguments: Container.allCases, [1, 511, 512])
    func nestingUpTo512LevelsIsAccepted(_ container: Container, depth: Int) throws {
        let text = container.text(depth: depth)
        #expect(try rewritten(text) == text)
        #expect(try JSONValue(parsing: text).text == text)
    }

    @Test(arguments: Container.allCases, [513, 100_000])
    func nestingDeeperThan512LevelsIsRefused(_ container: Container, depth: Int) {
        let fault = faultIn(container.text(depth: depth))
        #expect(fault?.reason == "nested deeper than 512 levels")
    }

    @Test func depthFaultIsAtTheFirstExcessBracket() {
        #expect(faultIn(Container.arrays.text(depth: 513))?.offset == 512)
    }

    /// The depth counts containers that are open at the same time, not all containers.
    @Test func adjacentContainersDoNotAddDepth() {
        let flat = "[" + Array(repeating: "[{}]", count: 2000).joined(separator: ",") + "]"
        #expect(faultIn(flat) == nil)
    }

    @Test func tapeIsReusableAfterTextThatIsTooDeep() throws {
        var tape = JSONTape()
        let deep = Array(Container.mixed.text(depth: 513).utf8)
        #expect(throws: JSONFault.self) { try deep.withUnsafeBytes { try tape.parse($0) } }
        let good = Array("[1]".utf8)
        try good.withUnsafeBytes { bytes in
            try tape.parse(bytes)
            #expect(tape.withRoot(in: bytes) { JSONValue($0) } == [1])
        }
    }

    /// The values at the beginning of a refused text must not be returned as a result.
    @Test(arguments: ["[1, 2, x]", "{\"a\": {\"b\":", "[[[[", "{\"a\": 1", "[1] x"])
    func jsonTapeIsEmptyAfterAFault(_ text: String) {
        var tape = JSONTape()
        Array(text.utf8).withUnsafeBytes { bytes in
            #expect(throws: JSONFault.self) { try tape.parse(bytes) }
            let members = tape.withRoot(in: bytes) { Array($0.members).count + Array($0.elements).count }
            #expect(members == 0)
            #expect(tape.withRoot(in: bytes) { $0.isNull })
        }
    }
}
