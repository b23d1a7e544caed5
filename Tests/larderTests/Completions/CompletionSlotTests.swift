import JSON
import Mocks
import Protocol
import TestSupport
import Testing

@testable import Catalog
@testable import larder

/// Tests the arguments of the form `name=value` that completions offer.
@Suite(.limited) struct CompletionSlotTests {
    private static let fields = #"""
        {"id": "integer", "state": ["open", "closed"], "draft": "boolean", "title": "string",
         "author": {"name": "string", "admin": "boolean", "kind": ["human", "bot"]}}
        """#

    private func resource() throws -> ResourceDefinition {
        let text = CatalogText.make(
            fields: Self.fields,
            rest: #"""
                {"get": {"path": "/things/{id}"},
                 "list": {"path": "/things", "filters": {"state": "state", "labels": {"type": ["string"]},
                          "n": {"type": "integer"}}}}
                """#)
        return try CatalogText.decode(text).resources[0]
    }

    private func slots(
        _ name: String, _ schema: JSONSchema, isSearch: Bool = false, hasResource: Bool = true
    ) throws -> [String] {
        let parameter = ParameterDescription(
            name: name, purpose: "why", expected: "x", schema: schema, isRequired: false)
        let slots = CompletionSlot.all([parameter], of: hasResource ? try resource() : nil, isSearch: isSearch)
        return slots.map(Self.shown)
    }

    private static func shown(_ slot: CompletionSlot) -> String {
        "\(slot.name) (\(slot.note)): \(slot.values.joined(separator: "|"))\(slot.isRepeatable ? " *" : "")"
    }

    @Test func completionOffersTheValuesInTheSchemaOfAParameter() throws {
        #expect(try slots("p", .one(of: ["a", "b"])) == ["p (why): a|b"])
        #expect(try slots("p", .true) == ["p (why): true"])
        #expect(try slots("p", .boolean) == ["p (why): true|false"])
        #expect(try slots("p", .array(of: .one(of: ["a"]))) == ["p (why): "])
        #expect(try slots("p", .any(of: [.true, .one(of: ["a"])])) == ["p (why): true|a"])
        for free in [JSONSchema.string, .number, .integer] {
            #expect(try slots("p", free) == ["p (why): "])
            #expect(try slots("p", .any(of: [.boolean, free])) == ["p (why): "])
        }
    }

    @Test func completionOffersTheDeclaredValuesOfAFilterOrOfItsField() throws {
        let schema = JSONSchema.openObject([
            .optional("state", .string), .optional("labels", .array(of: .string)), .optional("draft", .boolean),
            .optional("n", .integer), .optional("title", .one(of: ["x"])), .optional("author.kind", .string),
            .optional("author.admin", .string), .optional("author", .string), .optional("state.x", .string),
        ])
        #expect(
            try slots("filter", schema) == [
                "filter.state (a string): open|closed",
                "filter.labels (an array in which each element is a string):  *",
                "filter.draft (the field's value): true|false", "filter.n (an integer): ",
                "filter.title (the field's value): x", "filter.author.kind (the field's value): human|bot",
                "filter.author.admin (the field's value): true|false",
                "filter.author (the field's value): ", "filter.state.x (the field's value): ",
            ])
        #expect(try slots("filter", schema, hasResource: false).first == "filter.state (the field's value): ")
    }

    @Test func fieldNamesAreOfferedAsFiltersOnlyForSearch() throws {
        #expect(try slots("filter", .object) == [])
        #expect(try slots("filter", .object, isSearch: true, hasResource: false) == [])
        let found = try slots("filter", .object, isSearch: true)
        #expect(found.contains("filter.state (the field's value): open|closed"))
        // The declared filter has the same name as the field, but a search ignores it.
        #expect(found.allSatisfy { $0.contains("(the field's value)") && !$0.hasSuffix("*") })
    }

    @Test(
        arguments: [
            ("id", nil), ("text", nil), ("fields", nil), ("limit", nil), ("page", nil), ("workDoneToken", nil),
            ("owner", "owner"), ("filter.id", "id"), ("filter.", ""), ("filters.x", "filters.x"),
        ] as [(String, String?)])
    func commandsForPeopleAcceptFiltersWithoutAPrefix(name: String, shown: String?) {
        let slot = CompletionSlot(name: name, note: "n", values: ["v"], isRepeatable: true)
        let expected = shown.map { CompletionSlot(name: $0, note: "n", values: ["v"], isRepeatable: true) }
        #expect(slot.forPeople == expected)
    }
}
