import Catalog
import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests the conversion of filter values that hosts and models send in unexpected forms.
@Suite(.limited) struct FilterValuesTests {
    @Test(arguments: [
        (#"["a"]"#, false, #""a""#), (#"["a","b"]"#, false, #"["a","b"]"#), ("[]", false, "[]"),
        (#"["a"]"#, true, #"["a"]"#), (#""[\"a\",\"b\"]""#, true, #"["a","b"]"#), (#""[a""#, true, #""[a""#),
        (#""[\"a\"]""#, false, #""[\"a\"]""#), ("[1.0,2]", true, "[1,2]"), ("2.0", false, "2"), ("2.5", false, "2.5"),
        (#""x""#, true, #""x""#), ("[2.0]", false, "2"),
    ])
    func valueOfAListFilterIsConverted(given: String, isArray: Bool, expected: String) throws {
        let value = try JSONValue(parsing: given)
        #expect(ListFilterValues.converted(value, isArray: isArray).text == expected)
    }

    private static let catalog = """
        {"larder": 1, "apis": {"a": {"baseURL": "https://a.test"}}, "resources": {"thing": {"api": "a", "id": "integer",
          "fields": {"id": "integer", "price": "number", "isOpen": "boolean", "name": "string", "on": "date",
            "state": ["open", "closed"], "kind": {"type": ["a", "other"], "otherwise": "other"},
            "size": {"type": ["s", "m"], "otherwise": "unknown"},
            "tags": ["string"], "owner": {"name": "string", "age": "integer?"}, "x": "any"},
          "rest": {"list": {"path": "/things"}}}}}
        """

    /// Returns the converted filter of a search.
    private static func filter(_ filter: String) throws -> String {
        let catalog = try CatalogDecoder.decode(Array(catalog.utf8), secrets: .empty)
        let resource = try #require(catalog.resources.first)
        let document = try JSONDocument(Array(#"{"resource":"thing","filter":\#(filter)}"#.utf8))
        let client = ToolClient(wantsProgress: false, wantsLinks: false)
        return try document.withRoot { root in
            let filter = try SearchFilterValues(resource).filter(of: ToolArguments(root, client: client))
            return JSONValue.object(JSONObject(filter?.members.map { ($0.name, $0.value) } ?? [])).text
        }
    }

    @Test(arguments: [
        (#"{"id":"4"}"#, #"{"id":4}"#), (#"{"id":4.0}"#, #"{"id":4}"#), (#"{"id":4}"#, #"{"id":4}"#),
        (#"{"price":"1.5"}"#, #"{"price":1.5}"#), (#"{"isOpen":"false"}"#, #"{"isOpen":false}"#),
        (#"{"isOpen":"true"}"#, #"{"isOpen":true}"#), (#"{"name":4}"#, #"{"name":"4"}"#),
        (#"{"name":true}"#, #"{"name":"true"}"#), (#"{"state":"open"}"#, #"{"state":"open"}"#),
        (#"{"owner.age":"7","name":"a"}"#, #"{"name":"a","owner.age":7}"#), (#"{"x":"4"}"#, #"{"x":"4"}"#),
        (#"{"unknown":"4"}"#, #"{"unknown":"4"}"#), (#"{"id":null}"#, "{}"),
        (#"{"state":["open"],"id":["4"]}"#, #"{"id":4,"state":"open"}"#), ("{}", "{}"),
        (#"{"name.first":"4"}"#, #"{"name.first":"4"}"#), (#"{"kind":"other"}"#, #"{"kind":"other"}"#),
        (#"{"size":"unknown"}"#, #"{"size":"unknown"}"#), (#"{"x":true}"#, #"{"x":true}"#),
        (#"{"name":false}"#, #"{"name":"false"}"#), (#"{"price":2}"#, #"{"price":2}"#),
        (#"{"owner.name":7}"#, #"{"owner.name":"7"}"#), (#"{"owner.x":"7"}"#, #"{"owner.x":"7"}"#),
    ])
    func valueOfASearchFilterIsConverted(given: String, expected: String) throws {
        #expect(try Self.filter(given) == expected)
    }

    @Test(arguments: [
        (#"{"id":"one"}"#, #"'filter.id' must be an integer, not "one""#),
        (#"{"id":1.5}"#, "'filter.id' must be an integer, not 1.5"),
        (#"{"price":"x"}"#, #"'filter.price' must be a number, not "x""#),
        (#"{"isOpen":"yes"}"#, #"'filter.isOpen' must be a boolean, not "yes""#),
        (#"{"name":["a","b"]}"#, #"'filter.name' must be a string, not ["a","b"]"#),
        (#"{"x":["a","b"]}"#, #"'filter.x' must be a string, a number or a boolean, not ["a","b"]"#),
        (#"{"unknown":{}}"#, "'filter.unknown' must be a string, a number or a boolean, not {}"),
        (#"{"state":"Open"}"#, "'filter.state' must be one of 'open', 'closed', not 'Open'"),
        (#"{"kind":"b"}"#, "'filter.kind' must be one of 'a', 'other', not 'b'"),
        (#"{"size":"l"}"#, "'filter.size' must be one of 's', 'm', 'unknown', not 'l'"),
        (#"{"owner.age":"x"}"#, #"'filter.owner.age' must be an integer, not "x""#),
        (#"{"price":true}"#, "'filter.price' must be a number, not true"),
        (#"{"tags":"a"}"#, "'filter.tags' cannot be used: it is an array; search in it with 'text'"),
        (
            #"{"owner":"a"}"#,
            "'filter.owner' cannot be used: it is an object; use one of its members, such as 'owner.name'"
        ),
        (#""id=4""#, #"'filter' must be an object, such as {"id":"..."}"#),
    ])
    func filterValueThatNoItemCanHaveIsRefused(given: String, message: String) {
        #expect(throws: RPCError(.invalidParams, message)) { _ = try Self.filter(given) }
    }
}
