import TestSupport
import Testing

@testable import Protocol

@Suite(.limited) struct MCPVersionTests {
    @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
    func supportedMCPVersionIsAnsweredUnchanged(text: String) {
        #expect(MCPVersion.answer(to: text).rawValue == text)
    }

    /// The stateless version has no handshake, so it cannot be the answer to one.
    @Test(arguments: ["2026-07-28", "2030-01-01", "", "2025-11-25 ", "1", "2025-11-2\u{FF15}"])
    func unknownVersionIsAnsweredWithTheNewestVersionThatHasAHandshake(text: String) {
        #expect(MCPVersion.answer(to: text) == .november2025)
    }

    @Test func exactlyOneMCPVersionHasNoHandshake() {
        #expect(MCPVersion.stateless == [.july2026])
        #expect(MCPVersion.allCases.filter { !$0.isStateless }.map(\.rawValue).max() == "2025-11-25")
        #expect(MCPVersion.allCases.map(\.rawValue) == MCPVersion.allCases.map(\.rawValue).sorted())
    }
}
