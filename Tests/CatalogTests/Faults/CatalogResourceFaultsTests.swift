import Mocks
import TestSupport
import Testing

/// What is said of a resource that is wrong.
@Suite(.limited) struct CatalogResourceFaultsTests {
    static let fields: [(String, [String])] = [
        ("7", ["1:124: 'fields' of the resource 'thing' must be an object of fields"]),
        ("{}", ["1:124: 'fields' of the resource 'thing' must name a field; leave it out to let every field through"]),
        (#"{"a": "sting"}"#, ["1:130: unknown type 'sting'; did you mean 'string'?"]),
        (#"{"a": "day"}"#, ["1:130: unknown type 'day'; known are string, integer, number, boolean, any, date"]),
        (
            #"{"a": 1, "b": null}"#,
            [
                "1:130: a type must be a name, an object of fields, or an array",
                "1:138: a type must be a name, an object of fields, or an array",
            ]
        ),
        (#"{"a": []}"#, ["1:130: an array has one element, its type, or is an enumeration of two or more strings"]),
        (
            #"{"a": ["x", 1]}"#,
            ["1:130: an array has one element, its type, or is an enumeration of two or more strings"]
        ),
        (#"{"a": ["x", "x"]}"#, ["1:130: a value of the enumeration stands twice"]),
        (#"{"a": "int?"}"#, ["1:130: unknown type 'int?'; did you mean 'integer'?"]),
        (#"{"a": "DateTime"}"#, ["1:130: unknown type 'DateTime'; did you mean 'date'?"]),
        (#"{"a": ["str"]}"#, ["1:131: unknown type 'str'; did you mean 'string'?"]),
        (
            #"{"a": ["open"]}"#,
            [
                "1:131: unknown type 'open'; known are string, integer, number, boolean, any, date; one text in an array is"
                    + " its type, and an enumeration has two or more values"
            ]
        ),
        (#"{"a": {"from": "x"}}"#, ["1:130: the field 'a' needs 'type', beside 'from'"]),
        (#"{"a": {"from": "string", "unit": "integer"}}"#, []),
        (#"{"a": ["strng"]}"#, ["1:131: unknown type 'strng'; did you mean 'string'?"]),
        (#"{"a": "string", "a": "string"}"#, ["1:140: the field 'a' stands twice"]),
        (#"{"a": "string", "a?": "string"}"#, ["1:140: the field 'a' stands twice"]),
        (
            #"{"a": {"b": {}}}"#,
            ["1:136: an object of fields must name a field; leave it out to let every field through"]
        ),
        (#"{"a": {"type": "string", "from": "a..b"}}"#, ["1:157: 'from' must be a selector such as \"info.pages\""]),
        (#"{"a": {"type": "string", "from": 1}}"#, ["1:157: 'from' must be a selector such as \"info.pages\""]),
        (#"{"a": {"type": "string", "otherwise": "x"}}"#, ["1:162: 'otherwise' goes with an enumeration only"]),
        (#"{"a": {"type": ["x", "y"], "otherwise": 1}}"#, ["1:164: 'otherwise' must be a string"]),
        (#"{"a": "dat"}"#, ["1:130: unknown type 'dat'; did you mean 'date'?"]),
        (#"{"a": {"type": "integer", "unit": "s"}}"#, ["1:158: 'unit' goes with a date only"]),
        (#"{"a": {"type": "date", "unit": "h"}}"#, ["1:155: 'unit' must be \"s\" or \"ms\""]),
        (#"{"a": {"*": "strin"}}"#, ["1:136: unknown type 'strin'; did you mean 'string'?"]),
        (
            #"{"a": {"*": "string", "b": "string"}}"#,
            ["1:146: beside '*', which stands for any key, there can be no fields"]
        ),
        (
            #"{"a": {"type": "string", "from": {"gets": "b"}}}"#,
            ["1:158: 'from' of the field 'a' has no key 'gets'; did you mean 'get'?"]
        ),
        (
            #"{"a": {"type": "string", "from": {"get": ["b", ""]}}}"#,
            ["1:165: 'get' must be a selector such as \"info.pages\""]
        ),
        (#"{"id": "string"}"#, ["1:131: the field 'id' must be \"integer\", as the resource's 'id' is"]),
        (#"{"id": "integer?"}"#, ["1:131: the field 'id' must be \"integer\", as the resource's 'id' is"]),
    ]

    @Test(arguments: fields)
    func ofFields(fields: String, faults: [String]) {
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
        (#"{"type": "string", "from": ["a", "b"], "join": ""}"#, ["1:150: 'join' must be a text that is not empty"]),
        (#"{"type": "string", "join": ","}"#, ["1:130: 'join' needs 'from'"]),
        (
            #"{"type": "integer", "from": ["a", "b"], "join": ","}"#,
            ["1:151: with 'join' the 'type' must be \"string\""]
        ),
        (#"{"type": "integer", "from": "a", "hash": true}"#, ["1:144: with 'hash' the 'type' must be \"string\""]),
        (
            #"{"type": "string", "from": "a", "match": "*/id/"}"#,
            ["1:144: 'match' must be a pattern with one '{id}', such as \"*/{id}/\""]
        ),
        (
            #"{"type": "string", "from": "a", "match": "{id}", "hash": true}"#,
            ["1:144: 'match' goes with one text, not with 'join' or 'hash'"]
        ),
    ]

    @Test(arguments: ids)
    func ofIDs(id: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(id: id)) == faults)
    }

    static let operations: [(String, [String])] = [
        ("7", ["1:122: 'rest' of the resource 'thing' must be an object"]),
        ("{}", ["1:122: 'rest' of the resource 'thing' needs one of 'get', 'getMany' and 'list'"]),
        (
            #"{"gett": {}}"#,
            [
                "1:122: 'rest' of the resource 'thing' needs one of 'get', 'getMany' and 'list'",
                "1:123: 'rest' of the resource 'thing' has no key 'gett'; did you mean 'get'?",
            ]
        ),
        (
            #"{"list": {"path": "/things", "hydrate": true}}"#,
            ["1:162: 'hydrate' needs 'get' or 'getMany', by which the items are asked for"]
        ),
        (#"{"list": {"path": "/things", "of": "id"}}"#, ["1:157: 'of' must be \"ids\" or \"items\""]),
        (#"{"list": {"path": "/things", "absent": "none"}}"#, ["1:161: 'absent' must be \"empty\""]),
        (#"{"list": {"path": "/things", "as": "lines"}}"#, ["1:157: 'as' must be \"json\" or \"ndjson\""]),
        (
            #"{"list": {"path": "/things", "of": "ids", "complete": true}}"#,
            ["1:176: a list of ids has none of the fields: 'complete' cannot be true"]
        ),
        (
            #"{"get": {"path": "/things/{id}", "item": "@key"}}"#,
            ["1:163: '@key' goes into the 'from' of a field or an id only"]
        ),
        (#"{"get": {}}"#, ["1:130: 'get' of the resource 'thing' needs 'path'"]),
        (#"{"get": {"path": true}}"#, ["1:139: 'path' must be a string"]),
        (#"{"get": {"path": "things/{id}"}}"#, ["1:139: 'path' must begin with '/'"]),
        (
            #"{"getMany": {"path": "/things"}}"#,
            [
                "1:134: 'getMany' of the resource 'thing' needs the placeholder '{ids}', in 'path', 'query' or 'body'"
            ]
        ),
        (
            #"{"get": {"path": "/things/{ids}"}}"#,
            ["1:139: 'path' has '{ids}'; it takes '{id}'"]
        ),
        (#"{"get": {"path": "/things/{id}/{id"}}"#, ["1:139: 'path' must close '{' with one '}'"]),
        (#"{"get": {"path": "/things/{id"}}"#, ["1:139: 'path' must close '{' with one '}'"]),
        (#"{"get": {"path": "/things/id}"}}"#, ["1:139: 'path' has a '}' without a '{'"]),
        (#"{"get": {"path": "/things/{id}}"}}"#, ["1:139: 'path' must close '{' with one '}'"]),
        (
            #"{"get": {"path": "/things/{id}?x=1"}}"#,
            ["1:139: 'path' must not have a query or a fragment; constant parameters go into 'query'"]
        ),
        (#"{"get": {"path": "/things/ {id}"}}"#, ["1:139: 'path' must not have blanks or control characters"]),
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
            ["1:140: 'path' takes no placeholder here"]
        ),
        (
            #"{"list": {"path": "/things", "query": {"a": null}, "filters": {"b": true}, "emptyOnNotFound": 1}}"#,
            [
                "1:166: 'a' must be a string, a number, a boolean, or an array of them", "1:190: 'b' must be a string",
                "1:216: 'emptyOnNotFound' must be true or false",
            ]
        ),
        (#"{"list": {"path": "/things", "filters": {"b": "x", "b": "y"}}}"#, ["1:173: 'b' stands twice in 'filters'"]),
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
                "1:219: 'pagination' in 'list' of the resource 'thing' has both 'more' and 'last'; one must go",
            ]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "cursor", "param": "p", "next": {"merge": "c"}}}}"#,
            ["1:194: 'param' goes with a cursor that is one value, not with 'merge'"]
        ),
        (
            #"{"list": {"path": "/things", "pagination": {"style": "cursor", "param": "p", "next": {"of": "c"}}}}"#,
            [
                "1:207: 'next' of 'pagination' in 'list' of the resource 'thing' must have one of 'header', 'last' and "
                    + "'merge'"
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
            ["1:217: 'header' must be the name of a header field"]
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
    func ofOperations(rest: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(rest: rest)) == faults)
    }

    static let graphQL: [(String, [String])] = [
        ("{}", ["1:125: 'graphql' of the resource 'thing' needs one of 'get', 'getMany' and 'list'"]),
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
            ["1:134: 'path' must begin with '/'", "1:171: 'get' of the resource 'thing' has no key 'path'"]
        ),
        (
            #"{"path": "/graphql/{id}", "get": {"query": "{ a }"}}"#,
            ["1:134: 'path' takes no placeholder here"]
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
    func ofGraphQLOperations(graphQL: String, faults: [String]) {
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
    func ofCacheRules(cache: String, faults: [String]) {
        #expect(CatalogText.faults(CatalogText.make(cache: cache)) == faults)
    }
}
