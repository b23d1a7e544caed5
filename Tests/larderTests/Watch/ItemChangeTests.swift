import JSON
import TestSupport
import Testing

@testable import larder

@Suite(.limited) struct ItemChangeTests {
    private func described(_ old: [JSONValue], _ new: [JSONValue]) -> [String] {
        ItemChange.between(old, new).map { change in
            let fields = change.fields.map { " \($0.name): \($0.old?.text ?? "-") -> \($0.new?.text ?? "-")" }
            return "\(change.kind.rawValue) \(change.item["id"]?.text ?? "?")" + fields.joined()
        }
    }

    @Test func equalListsHaveNoChanges() {
        #expect(described([["id": 1, "a": 1], ["id": 2]], [["id": 2], ["id": 1, "a": 1]]) == [])
        #expect(described([], []) == [])
    }

    @Test func itemsAreComparedByID() {
        let old: [JSONValue] = [["id": 1, "a": 1], ["id": 2, "a": 1], ["id": 3]]
        let new: [JSONValue] = [["id": 4], ["id": 2, "a": 5], ["id": 1, "a": 1]]
        #expect(described(old, new) == ["removed 3", "added 4", "changed 2 a: 1 -> 5"])
    }

    @Test func itemsWithoutAnIDAreComparedAsAWhole() {
        #expect(described([["a": 1], ["a": 2]], [["a": 2], ["a": 3]]) == ["removed ?", "added ?"])
    }

    @Test func membersOfNestedObjectsAreComparedOneByOne() {
        let old: [JSONValue] = [["id": 1, "o": ["a": 1, "b": ["c": 1]], "l": [1]]]
        let new: [JSONValue] = [["id": 1, "o": ["a": 1, "b": ["c": 2], "d": 3], "l": [1, 2], "n": .null]]
        #expect(
            described(old, new) == ["changed 1 o.b.c: 1 -> 2 o.d: - -> 3 l: [1] -> [1,2] n: - -> null"])
        #expect(
            described(new, [["id": 1, "o": 5]]) == [
                #"changed 1 o: {"a":1,"b":{"c":2},"d":3} -> 5 l: [1,2] -> - n: null -> -"#
            ])
    }

    @Test func objectsDeeperThanTheMaximumDepthAreComparedAsAWhole() {
        func nested(_ value: JSONValue, _ depth: Int) -> JSONValue {
            depth == 0 ? value : ["a": nested(value, depth - 1)]
        }
        let fields = ItemChange.between(nested(1, 20), nested(2, 20)).flatMap(\.fields)
        #expect(fields.map(\.name) == ["a.a.a.a.a.a.a.a"])
    }

    @Test func changesOfASingleItemAreDetected() {
        let item: JSONValue = ["id": 1]
        #expect(ItemChange.between(JSONValue?.none, nil) == [])
        #expect(ItemChange.between(nil, item) == [ItemChange(kind: .added, item: item, fields: [])])
        #expect(ItemChange.between(item, nil) == [ItemChange(kind: .removed, item: item, fields: [])])
        #expect(ItemChange.between(item, item) == [])
        // A single item is the same item even if its id differs.
        #expect(
            ItemChange.between(item, ["id": 2])
                == [ItemChange(kind: .changed, item: ["id": 2], fields: [.init(name: "id", old: 1, new: 2)])])
        #expect(ItemChange.between(1, 2).flatMap(\.fields).map(\.name) == ["item"])
    }
}
