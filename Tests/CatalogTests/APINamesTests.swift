import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct APINamesTests {
    private static func names(_ count: Int) -> APINames { APINames((0..<count).map { "a\($0)" }) }

    @Test func errorMessageListsAtMostTwentyAPINames() {
        #expect(Self.names(2).listed == "'a0', 'a1'")
        #expect(Self.names(20).listed.hasSuffix("'a18', 'a19'"))
        #expect(Self.names(21).listed.hasSuffix("'a18', 'a19', and 1 more"))
        #expect(Self.names(45).listed.hasSuffix("'a18', 'a19', and 25 more"))
    }

    @Test func apiNamesContainExactlyTheDeclaredNames() {
        #expect(Self.names(2).contain("a1") && !Self.names(2).contain("a2"))
        #expect(Self.names(0).isEmpty && !Self.names(1).isEmpty)
    }
}
