import Mocks
import TestSupport
import Testing

/// Tests which field of an item contains the id.
@Suite(.limited) struct IDFieldTests {
    private static let get = #""get": {"path": "/things/{id}"}"#

    /// The arguments are the catalog's `id`, its `fields`, its list, and the expected name of the field.
    @Test(
        arguments: [
            (#""integer""#, nil, nil, "id"),
            (#""integer""#, #"{"id": "integer", "name": "string"}"#, nil, "id"),
            (#""integer""#, #"{"id": {"from": "number", "type": "integer"}, "title": "string"}"#, nil, "id"),
            (#"{"type": "string", "from": "login"}"#, nil, nil, "login"),
            (#"{"type": "string", "from": "login"}"#, #"{"id": "integer", "login": "string"}"#, nil, "login"),
            (
                #"{"type": "string", "from": "login"}"#,
                #"{"id": "integer", "user": {"from": "login", "type": "string"}}"#, nil, "user"
            ),
            (#"{"type": "string", "from": "metadata.name"}"#, nil, nil, nil),
            (
                #"{"type": "string", "from": "metadata.name"}"#,
                #"{"name": {"from": "metadata.name", "type": "string"}}"#, nil, "name"
            ),
            (#"{"type": "string", "from": "metadata.name"}"#, #"{"metadata": {"name": "string"}}"#, nil, nil),
            (#"{"type": "integer", "match": "*/{id}/"}"#, nil, nil, nil),
            (#"{"type": "integer", "from": "url", "match": "*/{id}/"}"#, #"{"url": "string"}"#, nil, nil),
            (
                #"{"type": "integer", "from": "url", "match": "*/{id}/"}"#,
                #"{"id": "integer", "url": "string"}"#, nil, "id"
            ),
            (#"{"type": "string", "from": ["a", "b"], "join": ","}"#, #"{"a": "string"}"#, nil, nil),
            (#"{"type": "string", "from": "a", "hash": true}"#, #"{"a": "string"}"#, nil, nil),
            (#"{"type": "string", "from": "day"}"#, #"{"day": "date"}"#, nil, nil),
            (#"{"type": "string", "from": "a"}"#, #"{"a": {"type": ["x", "z"], "otherwise": "y"}}"#, nil, nil),
            (#"{"type": "string", "from": "a"}"#, #"{"a": {"type": ["x", "y"]}}"#, nil, "a"),
            // If two operations select the id from different fields, the resource has no id field.
            (#"{"type": "string", "from": {"get": "code", "list": "key"}}"#, nil, #""items": """#, nil),
            (
                #"{"type": "string", "from": {"get": "code", "list": "key"}}"#, #"{"code": "string"}"#,
                #""items": """#, nil
            ),
            (
                #"{"type": "string", "from": {"get": "code", "list": "key"}}"#,
                #"{"code": {"from": {"get": "code", "list": "key"}, "type": "string"}}"#, #""items": """#, "code"
            ),
            // A list of ids returns only the field `id`.
            (#"{"type": "string", "from": "code"}"#, #"{"code": "string"}"#, #""of": "ids""#, "id"),
            (
                #"{"type": "string", "from": "code"}"#, #"{"code": "string", "id": "integer"}"#, #""of": "ids""#,
                nil
            ),
            (
                #"{"type": "string", "from": "code"}"#, #"{"code": "string"}"#,
                #""of": "ids", "hydrate": true"#, "code"
            ),
        ] as [(String, String?, String?, String?)])
    func fieldThatContainsTheItemIDIsFound(id: String, fields: String?, list: String?, expected: String?) throws {
        let list = list.map { #", "list": {"path": "/things", \#($0)}"# } ?? ""
        let text = CatalogText.make(id: id, fields: fields, rest: "{\(Self.get)\(list)}")
        #expect(try CatalogText.decode(text).resources[0].idField == expected)
    }
}
