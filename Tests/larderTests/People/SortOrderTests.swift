import JSON
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct SortOrderTests {
    private func sorted(_ values: [JSONValue], _ keys: String, isReversed: Bool = false) throws -> String {
        let order = SortOrder(keys: try #require(SortOrder.keys(keys)), isReversed: isReversed)
        return order.sorted(values).map { ($0["n"] ?? .null).text }.joined(separator: " ")
    }

    private let items: [JSONValue] = [
        ["n": 1, "a": "B"], ["n": 2, "a": 10], ["n": 3], ["n": 4, "a": "a"], ["n": 5, "a": 9], ["n": 6, "a": true],
        ["n": 7, "a": .null], ["n": 8, "a": "b"],
    ]

    /// Numbers come first, then texts without regard to case, then other values. Items without a value are last.
    @Test func itemsAreSortedByTheKindOfTheirValues() throws {
        #expect(try sorted(items, "a") == "5 2 4 1 8 6 3 7")
        #expect(try sorted(items, "-a") == "6 8 1 4 2 5 3 7")
        #expect(try sorted(items, "a", isReversed: true) == "7 3 6 8 1 4 2 5")
    }

    @Test func equalValuesAreSortedByTheNextKey() throws {
        let items: [JSONValue] = [["n": 1, "a": 1], ["n": 2, "a": 2], ["n": 3, "a": 1]]
        #expect(try sorted(items, "a,-n") == "3 1 2")
        #expect(try sorted(items, "a") == "1 3 2")
    }

    @Test func sortingIsNeededOnlyForSortKeysOrReverseOrder() throws {
        #expect(!SortOrder().isNeeded && SortOrder(isReversed: true).isNeeded)
        #expect(SortOrder(keys: try #require(SortOrder.keys("a"))).isNeeded)
        #expect(SortOrder.keys("-") == nil && SortOrder.keys("a,,b") == nil && SortOrder.keys("") == nil)
    }
}
