import Mocks
import TestSupport
import Testing

/// Tests the errors of a resource.
@Suite(.limited) struct CatalogResourceFaultsTests {
    static let fields: [(String, [String])] = [
        ("7", ["1:124: 'fields' of the resource 'thing' must be an object of fields, such as {\"name\": \"string\"}"]),
        (
            "{}",
            [
                "1:124: 'fields' of the resource 'thing' must name at least one field; to keep every field, omit 'fields'"
                    + " or use the type \"any\""
            ]
        ),
        (#"{"a": "sting"}"#, ["1:130: unknown type 'sting'; did you mean 'string'?"]),
        (#"{"a": "day"}"#, ["1:130: unknown type 'day'; known types: string, integer, number, boolean, any, date"]),
        (
            #"{"a": 1, "b": null}"#,
            [
                "1:130: a type must be a name such as \"string\", an object of fields, or an array",
                "1:138: a type must be a name such as \"string\", an object of fields, or an array",
            ]
        ),
        (
            #"{"a": []}"#,
            [
                "1:130: an array must contain one type, such as [\"string\"], or the values of an enumeration,"
                    + " such as [\"open\", \"closed\"]"
            ]
        ),
        (
            #"{"a": ["x", 1]}"#,
            [
                "1:130: an array must contain one type, such as [\"string\"], or the values of an enumeration,"
                    + " such as [\"open\", \"closed\"]"
            ]
        ),
        (#"{"a": ["x", "x"]}"#, ["1:130: an enumeration must not repeat a value; remove the duplicate"]),
        (#"{"a": "int?"}"#, ["1:130: unknown type 'int?'; did you mean 'integer'?"]),
        (#"{"a": "DateTime"}"#, ["1:130: unknown type 'DateTime'; did you mean 'date'?"]),
        (#"{"a": ["str"]}"#, ["1:131: unknown type 'str'; did you mean 'string'?"]),
        (
            #"{"a": ["open"]}"#,
            [
                "1:131: unknown type 'open'; known types: string, integer, number, boolean, any, date; one element in an"
                    + " array is a type, two or more are an enumeration"
            ]
        ),
        (
            #"{"a": {"from": "x"}}"#,
            ["1:130: the field 'a' needs 'type' in addition to 'from', such as \"type\": \"string\""]
        ),
        (#"{"a": {"from": "string", "unit": "integer"}}"#, []),
        (#"{"a": ["strng"]}"#, ["1:131: unknown type 'strng'; did you mean 'string'?"]),
        (#"{"a": "string", "a": "string"}"#, ["1:140: the field 'a' occurs twice; remove one of them"]),
        (#"{"a": "string", "a?": "string"}"#, ["1:140: the field 'a' occurs twice; remove one of them"]),
        (
            #"{"a": {"b": {}}}"#,
            [
                "1:136: an object of fields must name at least one field; to keep every field, omit 'fields' or use the type"
                    + " \"any\""
            ]
        ),
        (#"{"a": {"type": "string", "from": "a..b"}}"#, ["1:157: 'from' must be a selector such as \"info.pages\""]),
        (#"{"a": {"type": "string", "from": 1}}"#, ["1:157: 'from' must be a selector such as \"info.pages\""]),
        (
            #"{"a": {"type": "string", "otherwise": "x"}}"#,
            ["1:162: 'otherwise' is allowed only for an enumeration; remove 'otherwise', or list the values in 'type'"]
        ),
        (#"{"a": {"type": ["x", "y"], "otherwise": 1}}"#, ["1:164: 'otherwise' must be a string"]),
        (#"{"a": "dat"}"#, ["1:130: unknown type 'dat'; did you mean 'date'?"]),
        (
            #"{"a": {"type": "integer", "unit": "s"}}"#,
            ["1:158: 'unit' is allowed only for the type \"date\"; remove 'unit' or change the type"]
        ),
        (
            #"{"a": {"type": "integer", "zone": "UTC"}}"#,
            ["1:158: 'zone' is allowed only for the type \"date\"; remove 'zone' or change the type"]
        ),
        (#"{"a": {"type": "date", "zone": "CET"}}"#, ["1:155: 'zone' must be \"UTC\""]),
        (#"{"a": {"type": "date", "unit": "h"}}"#, ["1:155: 'unit' must be \"s\" or \"ms\""]),
        (#"{"a": {"*": "strin"}}"#, ["1:136: unknown type 'strin'; did you mean 'string'?"]),
        (
            #"{"a": {"*": "string", "b": "string"}}"#,
            ["1:146: '*' matches every key: remove '*' or the other keys"]
        ),
        (
            #"{"a": {"type": "string", "from": {"gets": "b"}}}"#,
            ["1:158: 'from' of the field 'a' has no key 'gets'; did you mean 'get'?"]
        ),
        (
            #"{"a": {"type": "string", "from": {"get": ["b", ""]}}}"#,
            ["1:165: 'get' must be a selector such as \"info.pages\""]
        ),
        (#"{"id": "string"}"#, ["1:131: the field 'id' must have the type \"integer\", like the 'id' of the resource"]),
        (
            #"{"id": "integer?"}"#,
            ["1:131: the field 'id' must have the type \"integer\", like the 'id' of the resource"]
        ),
    ]

    @Test(arguments: fields)
    func errorsInDeclaredFieldsAreReported(fields: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(fields: fields)) == faults)
    }

    private static let styles = #""page", "offset", "cursor", "nextURL", "link", "relay", "slice""#

    static let ids: [(String, [String])] = [
        (#"{"from": "a"}"#, ["1:103: 'id' of the resource 'thing' needs 'type'"]),
        (#"{"type": "number"}"#, ["1:112: 'type' must be \"integer\" or \"string\""]),
        (
            #"{"type": "string", "form": "a"}"#,
            ["1:122: 'id' of the resource 'thing' has no key 'form'; did you mean 'from'?"]
        ),
        (#"{"type": "string", "from": "a."}"#, ["1:130: 'from' must be a selector such as \"info.pages\""]),
        (
            #"{"type": "string", "from": ["a"], "join": ","}"#,
            ["1:130: 'from' must be an array of two or more selectors"]
        ),
        (#"{"type": "string", "from": ["a", "b"], "join": ""}"#, ["1:150: 'join' must be a non-empty string"]),
        (#"{"type": "string", "join": ","}"#, ["1:130: 'join' needs 'from'; add 'from' or remove 'join'"]),
        (
            #"{"type": "integer", "from": ["a", "b"], "join": ","}"#,
            ["1:151: 'join' needs \"type\": \"string\""]
        ),
        (#"{"type": "integer", "from": "a", "hash": true}"#, ["1:144: 'hash' needs \"type\": \"string\""]),
        (
            #"{"type": "string", "from": "a", "match": "*/id/"}"#,
            ["1:144: 'match' must be a pattern with one '{id}', such as \"*/{id}/\""]
        ),
        (
            #"{"type": "string", "from": "a", "match": "{id}", "hash": true}"#,
            ["1:144: 'match' cannot be combined with 'join' or 'hash'; remove 'match' or the other key"]
        ),
    ]

    @Test(arguments: ids)
    func errorsInDeclaredIDsAreReported(id: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(id: id)) == faults)
    }

    static let operations: [(String, [String])] = [
        ("7", ["1:122: 'rest' of the resource 'thing' must be an object"]),
        ("{}", ["1:122: 'rest' of the resource 'thing' needs one of 'get', 'getMany' and 'list'; add one of them"]),
        (
            #"{"gett": {}}"#,
            [
                "1:122: 'rest' of the resource 'thing' needs one of 'get', 'getMany' and 'list'; add one of them",
                "1:123: 'rest' of the resource 'thing' has no key 'gett'; did you mean 'get'?",
            ]
        ),
        (
            #"{"list": {"path": "/things", "hydrate": true}}"#,
            ["1:162: 'hydrate' needs 'get' or 'getMany' to fetch the items; add one of them, or remove 'hydrate'"]
        ),
        (#"{"list": {"path": "/things", "of": "id"}}"#, ["1:157: 'of' must be \"ids\" or \"items\""]),
        (#"{"list": {"path": "/things", "absent": "none"}}"#, ["1:161: 'absent' must be \"empty\""]),
        (#"{"list": {"path": "/things", "as": "lines"}}"#, ["1:157: 'as' must be \"json\" or \"ndjson\""]),
        (
            #"{"list": {"path": "/things", "of": "ids", "complete": true}}"#,
            ["1:176: 'complete' cannot be true: the list has only ids of items; remove 'complete'"]
        ),
        (
            #"{"get": {"path": "/things/{id}", "item": "@key"}}"#,
            ["1:163: '@key' can be used only in 'from' of a field or an id; use another selector"]
        ),
        (#"{"get": {}}"#, ["1:130: 'get' of the resource 'thing' needs 'path'"]),
        (#"{"get": {"path": true}}"#, ["1:139: 'path' must be a string"]),
        (#"{"get": {"path": "things/{id}"}}"#, ["1:139: 'path': the path must begin with '/'"]),
        (
            #"{"getMany": {"path": "/things"}}"#,
            [
                "1:134: 'getMany' of the resource 'thing' needs the placeholder '{ids}', in 'path', 'query' or 'body'"
            ]
        ),
        (
            #"{"get": {"path": "/things/{ids}"}}"#,
            ["1:139: 'path': the path has the unknown placeholder '{ids}'; use '{id}'"]
        ),
        (#"{"get": {"path": "/things/{id}/{id"}}"#, ["1:139: 'path': the path must close each '{' with one '}'"]),
        (#"{"get": {"path": "/things/{id"}}"#, ["1:139: 'path': the path must close each '{' with one '}'"]),
        (
            #"{"get": {"path": "/things/id}"}}"#,
            ["1:139: 'path': the path has a '}' without a '{'; add '{' or remove '}'"]
        ),
        (#"{"get": {"path": "/things/{id}}"}}"#, ["1:139: 'path': the path must close each '{' with one '}'"]),
        (
            #"{"get": {"path": "/things/{id}?x=1"}}"#,
            ["1:139: 'path': the path must not have a query or a fragment; put constant parameters into 'query'"]
        ),
        (
            #"{"get": {"path": "/things/ {id}"}}"#,
            ["1:139: 'path': the path must not have spaces or control characters; percent-encode them"]
        ),
        (
            #"{"get": {"path": "/things/{id}", "items": "x"}}"#,
            ["1:155: 'get' of the resource 'thing' has no key 'items'; did you mean 'item'?"]
        ),
        (
            #"{"get": {"path": "/things/{id}", "item": ".x"}}"#,
            ["1:163: 'item' must be a selector such as \"info.pages\""]
        ),
        (#"{"getMany": {"path": "/things/{ids}", "maxIDs": 0}}"#, ["1:170: 'maxIDs' must be a number from 1 to 10000"]),
        (
            #"{"list": {"path": "/things/{id}"}}"#,
            ["1:140: 'path': the path cannot have placeholders here; remove them"]
        ),
        (
            #"{"list": {"path": "/things", "query": {"a": null}, "filters": {"b": true}, "emptyOnNotFound": 1}}"#,
            [
                "1:166: 'a' must be a string, a number, a boolean, or an array of such values",
                "1:190: 'b' must be a string",
                "1:216: 'emptyOnNotFound' must be true or false",
            ]
        ),
        (
            #"{"list": {"path": "/things", "filters": {"b": "x", "b": "y"}}}"#,
            ["1:173: 'b' occurs twice in 'filters'; remove one of them"]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "keyset", "param": "p"}}}"#,
            [
                "1:175: 'style' must be one of \(styles)"
            ]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "cursor", "param": "p"}}}"#,
            ["1:165: 'pagination' in 'list' of the resource 'thing' needs 'next'"]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "cursor", "next": "n", "more": "m", "last": "l"}}}"#,
            [
                "1:165: 'pagination' in 'list' of the resource 'thing' needs 'param'",
                "1:219: 'pagination' in 'list' of the resource 'thing' has both 'more' and 'last'; remove one of them",
            ]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "cursor", "param": "p", "next": {"merge": "c"}}}}"#,
            ["1:194: 'param' cannot be combined with 'merge', which sends the members of the cursor; remove 'param'"]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "cursor", "param": "p", "next": {"of": "c"}}}}"#,
            [
                "1:207: 'next' of 'pagination' in 'list' of the resource 'thing' must have exactly one of 'header', 'last', "
                    + "'first' and 'merge'"
            ]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "cursor", "param": "p", "next": {"last": "a."}}}}"#,
            ["1:216: 'last' must be a selector such as \"info.pages\""]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "page", "param": "p", "first": -1, "size": {"param": []}}}}"#,
            [
                "1:206: 'first' must be a number from 0 to 1000000",
                "1:218: 'size' of 'pagination' in 'list' of the resource 'thing' needs 'value'",
                "1:228: 'param' must be a string",
            ]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "page"}}}"#,
            ["1:165: 'pagination' in 'list' of the resource 'thing' needs 'param'"]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"param": "p"}}}"#,
            ["1:165: 'pagination' in 'list' of the resource 'thing' needs 'style'"]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "page", "param": "p", "pages": "", "count": "a."}}}"#,
            ["1:219: 'count' must be a selector such as \"info.pages\""]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "pages", "parm": "p", "page": 1}}}"#,
            [
                "1:175: 'style' must be one of \(styles); did you mean \"page\"?",
                "1:184: 'pagination' in 'list' of the resource 'thing' has no key 'parm'; did you mean 'param'?",
                "1:197: 'pagination' in 'list' of the resource 'thing' has no key 'page'; did you mean 'pages'?",
            ]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "page", "param": "p", "count": {"header": "a b"}}}}"#,
            ["1:217: 'header' must be the name of a header field, such as \"Link\""]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "page", "param": "p", "count": {"Header": "a"}}}}"#,
            [
                "1:206: 'count' of 'pagination' in 'list' of the resource 'thing' needs 'header'",
                "1:207: 'count' of 'pagination' in 'list' of the resource 'thing' has no key 'Header'; did you mean "
                    + "'header'?",
            ]
        ),
        (
            #"{"list": {"path": "/things", "pagination": "page"}}"#,
            ["1:165: 'pagination' in 'list' of the resource 'thing' must be an object"]
        ),
    ]

    @Test(arguments: operations)
    func errorsInDeclaredOperationsAreReported(rest: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(rest: rest)) == faults)
    }

    static let graphQL: [(String, [String])] = [
        ("{}", ["1:125: 'graphql' of the resource 'thing' needs one of 'get', 'getMany' and 'list'; add one of them"]),
        (#"{"get": {}}"#, ["1:133: 'get' of the resource 'thing' needs 'query'"]),
        (#"{"get": {"query": "character"}}"#, ["1:143: 'query' must be a GraphQL document"]),
        (
            #"{"get": {"query": "query A { a } query B { b }"}}"#,
            ["1:143: 'query' has 2 operations: 'get' of the resource 'thing' needs 'operationName'"]
        ),
        (
            #"{"get": {"query": "query A { a }", "operationName": "B"}}"#,
            ["1:177: 'operationName' must be one of the operations of 'query': 'A'"]
        ),
        (
            #"{"get": {"query": "{ a }", "operationName": "B"}}"#,
            ["1:169: 'operationName' must be left out: no operation of 'query' has a name"]
        ),
        (
            #"{"path": "graphql", "get": {"query": "{ a }", "path": "/x"}}"#,
            ["1:134: 'path': the path must begin with '/'", "1:171: 'get' of the resource 'thing' has no key 'path'"]
        ),
        (
            #"{"path": "/graphql/{id}", "get": {"query": "{ a }"}}"#,
            ["1:134: 'path': the path cannot have placeholders here; remove them"]
        ),
        (
            #"{"list": {"query": "{ a }", "complete": "no", "pagination": {"style": "relays"}}}"#,
            [
                "1:165: 'complete' must be true or false",
                "1:195: 'style' must be one of \(styles); did you mean \"relay\"?",
            ]
        ),
    ]

    @Test(arguments: graphQL)
    func errorsInGraphQLOperationsAreReported(graphQL: String, faults: [String]) {
        let rest = CatalogText.make(rest: graphQL)
        #expect(CatalogText.faults(rest.replacing(#""rest": "#, with: #""graphql": "#)) == faults)
    }

    static let caches: [(String, [String])] = [
        ("1", ["1:166: 'cache' of the resource 'thing' must be an object"]),
        (
            #"{"freshfor": "1h"}"#,
            ["1:167: 'cache' of the resource 'thing' has no key 'freshfor'; did you mean 'freshFor'?"]
        ),
        (
            #"{"freshFor": "an hour", "keepFor": -1, "staleWhileRevalidate": "yes"}"#,
            [
                "1:179: 'freshFor' must be a duration, such as \"1h\"",
                "1:201: 'keepFor' must be a duration, such as \"1h\"",
                "1:229: 'staleWhileRevalidate' must be true or false",
            ]
        ),
        (#"{"shared": "all"}"#, [#"1:177: 'shared' must be "everyone" or "never""#]),
        (#"{"shared": true}"#, [#"1:177: 'shared' must be "everyone" or "never""#]),
    ]

    @Test(arguments: caches)
    func errorsInCacheRulesAreReported(cache: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(cache: cache)) == faults)
    }
}
