import JSON
import Mocks
import TestSupport
import Testing

@testable import Catalog

@Suite(.limited) struct CatalogFieldsTests {
    private func fields(_ text: String) throws -> [FieldDefinition] {
        try #require(try CatalogText.decode(CatalogText.make(fields: text)).resources[0].fields)
    }

    private func field(_ name: String, _ shape: FieldType.Shape, optional: Bool = false, from: JSONSelector? = nil)
        -> FieldDefinition
    {
        FieldDefinition(
            name: name, from: from.map { PerOperation($0) }, type: FieldType(shape: shape, isOptional: optional))
    }

    @Test(
        arguments: [
            ("string", .string), ("integer", .integer), ("number", .number), ("boolean", .boolean), ("any", .any),
        ] as [(String, FieldType.Shape)])
    func everyScalarTypeCanBeOptional(name: String, shape: FieldType.Shape) throws {
        #expect(try fields(#"{"a": "\#(name)"}"#) == [field("a", shape)])
        #expect(try fields(#"{"a": "\#(name)?"}"#) == [field("a", shape, optional: true)])
        #expect(try fields(#"{"a?": "\#(name)"}"#) == [field("a", shape, optional: true)])
        #expect(try fields(#"{"a": {"type": "\#(name)?"}}"#) == [field("a", shape, optional: true)])
    }

    @Test func arraysObjectsAndEnumerationsAreDecoded() throws {
        let text = FieldType(shape: .string, isOptional: false)
        #expect(try fields(#"{"a": ["string"]}"#) == [field("a", .array(text))])
        #expect(
            try fields(#"{"a?": [["string"]]}"#) == [
                field("a", .array(FieldType(shape: .array(text), isOptional: false)), optional: true)
            ])
        #expect(try fields(#"{"a": ["x", "y"]}"#) == [field("a", .enumeration(["x", "y"], otherwise: nil))])
        #expect(
            try fields(#"{"a": {"type": ["x", "y"], "otherwise": "z"}}"#)
                == [field("a", .enumeration(["x", "y"], otherwise: "z"))])
        #expect(
            try fields(#"{"a": {"b": "string", "c": "any?"}}"#) == [
                field("a", .object([field("b", .string), field("c", .any, optional: true)]))
            ])
    }

    @Test func fieldCanBeRenamedOrNested() throws {
        #expect(
            try fields(#"{"airDate": {"from": "air_date", "type": "string?"}}"#)
                == [field("airDate", .string, optional: true, from: JSONSelector("air_date"))])
        #expect(
            try fields(#"{"home": {"from": "origin.name", "type": "string"}}"#)
                == [field("home", .string, from: JSONSelector("origin.name"))])
    }

    @Test func objectMayHaveAFieldNamedType() throws {
        #expect(
            try fields(#"{"a": {"type": "string", "name": "string"}}"#)
                == [field("a", .object([field("type", .string), field("name", .string)]))])
        #expect(try fields(#"{"a": {"from": "string"}}"#) == [field("a", .object([field("from", .string)]))])
        #expect(try fields(#"{"type": "string"}"#) == [field("type", .string)])
    }

    @Test func fieldNameWithADotIsNotSplit() throws {
        #expect(try fields(#"{"a.b": "string"}"#) == [field("a.b", .string)])
    }

    @Test func datesAndMapsAreDecoded() throws {
        let text = FieldType(shape: .string, isOptional: true)
        #expect(try fields(#"{"a": "date"}"#) == [field("a", .date(DateForm()))])
        #expect(
            try fields(#"{"a": {"type": "date?", "unit": "s"}}"#)
                == [field("a", .date(DateForm(unit: .seconds)), optional: true)])
        #expect(
            try fields(#"{"a": {"type": "date", "zone": "UTC"}}"#) == [field("a", .date(DateForm(assumesUTC: true)))])
        #expect(
            try fields(#"{"a": {"type": ["date"], "unit": "ms"}}"#)
                == [field("a", .array(FieldType(shape: .date(DateForm(unit: .milliseconds)), isOptional: false)))])
        #expect(try fields(#"{"a?": {"*": "string?"}}"#) == [field("a", .map(text), optional: true)])
        // An object with fields named `type` and `unit` or `zone` is not read as the long form of one field's type.
        #expect(
            try fields(#"{"a": {"type": "string", "zone": "string"}}"#)
                == [field("a", .object([field("type", .string), field("zone", .string)]))])
        #expect(
            try fields(#"{"a": {"type": "string", "unit": "string"}}"#)
                == [field("a", .object([field("type", .string), field("unit", .string)]))])
    }

    @Test func selectorMayBeAnArrayOfStepsOrDependOnTheOperation() throws {
        let steps = try #require(JSONSelector(steps: ["meta", "app.kubernetes.io/name"]))
        #expect(
            try fields(#"{"a": {"from": ["meta", "app.kubernetes.io/name"], "type": "string"}}"#)
                == [field("a", .string, from: steps)])
        let from = try #require(
            try fields(#"{"a": {"from": {"get": "name", "list": "package.name"}, "type": "string"}}"#).first?.from)
        #expect(from[.get].path == "name")
        #expect(from[.getMany].path == "name")
        #expect(from[.list].path == "package.name")
        let other = try #require(
            try fields(#"{"a": {"from": {"list": "b"}, "type": "string"}}"#).first?.from)
        #expect(other[.get].path == "a")
        #expect(other[.getMany].path == "a")
    }

    @Test func resourceWithoutDeclaredFieldsReturnsAllFields() throws {
        #expect(try CatalogText.decode(CatalogText.make()).resources[0].fields == nil)
    }
}
