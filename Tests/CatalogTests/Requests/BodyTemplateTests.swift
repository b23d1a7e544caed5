import JSON
import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct BodyTemplateTests {
    private static let values = PlaceholderValues(ids: ["1", "2"], join: "|", .integer)

    private func text(_ text: String) -> BodyTemplate { .text(TextTemplate(text, places: ["id", "ids"])) }

    @Test(
        arguments: [
            ("{ids}", "[1,2]"), ("ids {ids}", #""ids 1|2""#), ("{ids}.", #""1|2.""#), ("{other}", #""{other}""#),
            ("", #""""#), ("plain", #""plain""#),
        ])
    func singlePlaceholderBecomesAJSONValue(template: String, expected: String) {
        #expect(text(template).filled(Self.values).text == expected)
    }

    @Test func placeholdersAreFilledAtEveryDepth() {
        let body = BodyTemplate.object([
            .init(name: "a", value: .array([text("{id}"), .constant(nil)])), .init(name: "b", value: text("x{id}")),
        ])
        #expect(body.filled(PlaceholderValues(ids: ["7"], .integer)).text == #"{"a":[7,null],"b":"x7"}"#)
        #expect(body.places == ["id", "id"])
        #expect(!body.joinsIDs)
    }

    @Test func idsAreJoinedOnlyIfThePlaceholderIsNotTheWholeValue() {
        #expect(!text("{ids}").joinsIDs && text("{ids},").joinsIDs && !text("{id},").joinsIDs)
        #expect(BodyTemplate.array([.constant(1), text("x{ids}")]).joinsIDs)
        #expect(BodyTemplate.object([.init(name: "a", value: text("x{ids}"))]).joinsIDs)
    }

    @Test(
        arguments: [
            ("a", #"{"a":1}"#), ("a.b", #"{"a":{"b":1}}"#), ("x", #"{"x":1}"#), ("x.y.z", #"{"x":{"y":{"z":1}}}"#),
        ])
    func dottedPathSetsANestedMember(path: String, expected: String) {
        var object = JSONObject([("x", 5)])
        if !path.hasPrefix("x") { object = JSONObject() }
        object.set(path, to: 1)
        #expect(JSONValue.object(object).text == expected)
    }

    @Test func settingANestedMemberKeepsTheOtherMembers() {
        var object = JSONObject([("a", ["b": 1, "c": 2])])
        object.set("a.b", to: 3)
        #expect(JSONValue.object(object).text == #"{"a":{"b":3,"c":2}}"#)
    }
}
