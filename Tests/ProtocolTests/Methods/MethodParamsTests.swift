import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite("The params of every method", .limited)
struct MethodParamsTests {
    private static let id = "an integer or a string"
    private static let policy = #"one of "localFirst", "remoteFirst", "none", "localOnly""#
    private static let duration = #"a duration: seconds, or "90s", "5m", "12h", "30d""#
    private static let page = "a number, or a string from 'next' or 'previous' of a page"

    /// A parameter with accepted values, refused values, and the description of valid values in error messages.
    struct Values: Sendable {
        let name: String
        let expected: String
        let good: [String]
        let bad: [String]
        /// Further JSON members that a method requires together with the parameter.
        var beside = ""
    }

    static let values = [
        Values(
            name: "id", expected: id, good: ["1", "-7", "0", #""1""#, #""""#, "123456789012345678901234567890"],
            bad: ["1.0", "1e3", "true", "[1]", "{}"], beside: #","resource":"r""#),
        Values(
            name: "ids", expected: "an array of integers or strings", good: ["[]", "[1]", #"[1,"a",1]"#],
            bad: ["1", #""1""#, "{}", "[null]", "[1,[2]]", "[1.5]", "[true]"], beside: #","resource":"r""#),
        Values(
            name: "cachePolicy", expected: policy,
            good: [#""localFirst""#, #""remoteFirst""#, #""none""#, #""localOnly""#, #""n\u006fne""#],
            bad: [#""LocalFirst""#, #""""#, #""localFirst ""#, "1", "true", "[]", "{}"]),
        Values(
            name: "maxAge", expected: duration, good: ["0", "90", "0.5", #""90s""#, #""30d""#],
            bad: ["-1", #""-1s""#, #""5 weeks""#, "1e300", "true", "[]", "{}"]),
        Values(
            name: "olderThan", expected: duration, good: ["0", #""1h""#], bad: ["-1", #""soon""#, "false", "[1]"]),
        Values(
            name: "page", expected: page, good: ["1", "42", "0", "-1", #""https://x/?page=2""#, #""1""#],
            bad: ["1.5", "1e1", #""""#, "true", "[1]", "{}", "99999999999999999999"]),
        Values(
            name: "filter", expected: "an object of strings, numbers or booleans",
            good: ["{}", #"{"name":"rick"}"#, #"{"a":1.5,"b":true,"c":null}"#],
            bad: ["1", #""x""#, "[]", #"{"a":[]}"#, #"{"a":{}}"#]),
        Values(
            name: "fields", expected: #"an array of one or more names of fields, such as ["id", "owner.name"]"#,
            good: [#"["id"]"#, #"["a.b","a","a.b"]"#],
            bad: ["[]", #""id""#, "{}", "[1]", #"[""]"#, #"["a."]"#, #"[".a"]"#, #"["a..b"]"#, "[null]"]),
        Values(
            name: "pages", expected: #"true, or {"filter": {...}}"#,
            good: ["true", #"{"filter":{}}"#, #"{"filter":{"name":"rick"}}"#],
            bad: ["false", "1", "{}", #"{"filter":1}"#, #"{"filter":{},"page":1}"#, #"{"Filter":{}}"#],
            beside: #","resource":"r""#),
        Values(
            name: "filter", expected: "an object",
            good: ["{}", #"{"name":"rick"}"#, #"{"a":1.5,"b":true,"c":null,"d":[1],"e":{}}"#],
            bad: ["1", #""x""#, "[]"]),
        Values(
            name: "scope", expected: "an object of strings, numbers or booleans",
            good: ["{}", #"{"owner":"x"}"#], bad: ["1", #""x""#, "[]", #"{"a":[]}"#], beside: #","resource":"r""#),
        Values(
            name: "text", expected: "a string of at most 1000 characters",
            good: [#""""#, #"" ""#, "\"\(String(repeating: "é", count: 1000))\""],
            bad: ["\"\(String(repeating: "x", count: 1001))\"", "1", "true", "[]", "{}"]),
        Values(
            name: "limit", expected: "an integer from 0 to 1000", good: ["0", "1000"],
            bad: ["-1", "1001", "1.0", #""1""#, "true", "[]", "{}"]),
        Values(
            name: "offset", expected: "an integer from 0", good: ["0", "9223372036854775807"],
            bad: ["-1", "9223372036854775808", "1.0", #""1""#, "true", "[]", "{}"]),
        Values(
            name: "maxRequests", expected: "a number from 1", good: ["1", "1000"],
            bad: ["0", "-1", "1.5", #""1""#, "[]"]),
        Values(name: "whole", expected: "true or false", good: ["true", "false"], bad: ["1", #""true""#, "[]"]),
        Values(name: "changes", expected: "true or false", good: ["true", "false"], bad: ["1", #""true""#, "[]"]),
        Values(
            name: "acceptRemovals", expected: "true or false", good: ["true", "false"], bad: ["1", #""true""#, "[]"]),
        Values(
            name: "maxPages", expected: "a number of pages from 1", good: ["1", "1000"],
            bad: ["0", "-1", "1.5", #""1""#, "true", "[]", "{}"]),
        Values(
            name: "maxRequests", expected: "a number from 1", good: ["1", "1000"],
            bad: ["0", "-1", "1.5", #""1""#, "true", "[]", "{}"]),
        Values(name: "whole", expected: "true or false", good: ["true", "false"], bad: ["0", #""true""#, "[]", "{}"]),
        Values(name: "changes", expected: "true or false", good: ["true", "false"], bad: ["1", #""no""#, "[]", "{}"]),
        Values(
            name: "acceptRemovals", expected: "true or false", good: ["true", "false"],
            bad: ["1", #""yes""#, "[]", "{}"]),
        Values(
            name: "observer", expected: "a string that is not empty", good: [#""x""#, #"" ""#],
            bad: [#""""#, "1", "true", "[]", "{}"]),
        Values(
            name: "value", expected: #"one of "off", "messages", "verbose""#,
            good: [#""off""#, #""messages""#, #""verbose""#], bad: [#""on""#, #""""#, "1", "true", "[]", "{}"]),
        Values(
            name: "workDoneToken", expected: "a string or an integer", good: [#""x""#, #""""#, "0", "-7"],
            bad: ["1.5", "99999999999999999999", "true", "[]", "{}"]),
        Values(
            name: "sql", expected: "a string of at most 65536 bytes", good: [#""select 1""#, #""""#],
            bad: ["1", "[]", "{}"]),
        Values(
            name: "params", expected: "an array or an object", good: ["[1,null]", #"{"a":1}"#], bad: ["1", #""a""#]),
        Values(
            name: "maxRows", expected: "an integer from 1 to 100000", good: ["1", "100000"],
            bad: ["0", "100001", "1.5", #""1""#]),
        Values(
            name: "timeout", expected: "a duration of at most 60 seconds, such as \"5s\"",
            good: ["0", "60", #""60s""#, #""1m""#], bad: ["60.001", #""2m""#, "-1", #""x""#]),
        Values(
            name: "coverage", expected: #"one of "any", "synced""#, good: [#""any""#, #""synced""#],
            bad: [#""parts""#, "1"]),
        Values(name: "resource", expected: "the name of a resource", good: [#""character""#], bad: ["1", "[]", "{}"]),
        Values(name: "scope", expected: "a string", good: [#""a""#, #""""#], bad: ["1", "true", "[]", "{}"]),
        Values(
            name: "text", expected: "a string that is not blank", good: [#""rick""#, #"" x ""#],
            bad: [#""""#, #"" \t\n""#, "\"\u{A0}\u{3000}\"", "1", "[]", "{}"]),
    ]

    /// Returns the methods with the parameter. Parameters with equal names may expect different values.
    private static func cases(of values: Values) -> [ParamsCase] {
        ParamsCase.all.filter { params in
            params.declared.contains { $0.name == values.name && $0.expected == values.expected }
        }
    }

    /// Returns the JSON of params with one parameter and all required parameters.
    private static func text(_ values: Values, _ value: String, for params: ParamsCase) -> String {
        let beside = params.names.contains("resource") && values.name != "resource" ? values.beside : ""
        let minimal = params.minimal == "{}" ? "" : "," + params.minimal.dropFirst().dropLast()
        return minimal.contains("\"\(values.name)\"")
            ? #"{"\#(values.name)":\#(value)\#(beside)}"# : #"{"\#(values.name)":\#(value)\#(beside)\#(minimal)}"#
    }

    @Test(arguments: values)
    func validValuesAreAcceptedAndInvalidValuesRefused(_ values: Values) throws {
        for params in Self.cases(of: values) {
            for value in values.good {
                #expect(try params.refusal(Self.text(values, value, for: params)) == nil, "\(params.name): \(value)")
            }
            for value in values.bad {
                #expect(
                    try params.refusal(Self.text(values, value, for: params))
                        == RPCError(.invalidParams, "'\(values.name)' must be \(values.expected)"),
                    "\(params.name): \(value)")
            }
        }
    }

    @Test func everyDeclaredParameterHasTestValues() {
        let declared = Set(ParamsCase.all.flatMap(\.declared).map { [$0.name, $0.expected] })
        #expect(declared == Set(Self.values.map { [$0.name, $0.expected] }))
    }

    @Test(arguments: ParamsCase.all.indices)
    func requiredParametersAreDescribedFirst(_ index: Int) throws {
        let params = ParamsCase.all[index]
        #expect(params.declared.map(\.name) == params.names)
        let minimal = try JSONValue(parsing: params.minimal)
        for parameter in params.declared {
            #expect(parameter.isRequired == (minimal[parameter.name] != nil), "\(parameter.name)")
            #expect(parameter.purpose.hasSuffix("."), "\(parameter.name)")
        }
        #expect(params.declared == params.declared.filter(\.isRequired) + params.declared.filter { !$0.isRequired })
    }

    @Test(arguments: ParamsCase.all.indices)
    func paramsAreAcceptedIfOptionalOnesAreAbsentOrNull(_ index: Int) throws {
        let params = ParamsCase.all[index]
        #expect(try params.refusal(params.minimal) == nil)
        for name in params.names where !params.minimal.contains("\"\(name)\"") {
            #expect(
                try params.refusal(#"{"\#(name)":null,\#(params.minimal.dropFirst())"#.replacing(",}", with: "}"))
                    == nil)
        }
        if params.minimal == "{}" { #expect(try params.refusal(nil) == nil) }
    }

    @Test(arguments: ParamsCase.all.indices)
    func unknownParameterNamesAreRefused(_ index: Int) throws {
        let params = ParamsCase.all[index]
        let known = params.names.map { "'\($0)'" }.joined(separator: ", ")
        let takes = params.names.isEmpty ? "this method takes none" : "this method takes \(known)"
        #expect(
            try params.refusal(#"{"cachepolicy":"none"}"#)
                == RPCError(.invalidParams, "unknown parameter 'cachepolicy': \(takes)"))
    }

    @Test(arguments: [
        ("get", nil, "'id' is missing; pass an integer or a string"),
        ("get", #"{"id":null}"#, "'id' is missing; pass an integer or a string"),
        ("getMany", "{}", "'ids' is missing; pass an array of integers or strings"),
        ("recents text", #"{"scope":"a"}"#, "'text' is missing; pass a string that is not blank"),
        ("cache selection", #"{"id":1}"#, "'resource' is missing: 'id' and 'ids' require it"),
        ("cache selection", #"{"ids":[1]}"#, "'resource' is missing: 'id' and 'ids' require it"),
        ("cache selection", #"{"resource":"r","id":1,"ids":[2]}"#, "'id' and 'ids' cannot be combined; pass only one"),
        (
            "cache selection", #"{"resource":"r","id":1,"pages":true}"#,
            "'pages' and 'id' cannot be combined; pass only one"
        ),
        (
            "cache selection", #"{"resource":"r","ids":[1],"pages":true}"#,
            "'pages' and 'ids' cannot be combined; pass only one"
        ),
        ("cache selection", #"{"pages":{"filter":{}}}"#, "'resource' is missing: a filter in 'pages' requires it"),
        ("cache selection", #"{"scope":{"owner":"x"}}"#, "'resource' is missing: 'scope' requires it"),
        ("cache selection", #"{"scope":{}}"#, "'resource' is missing: 'scope' requires it"),
    ])
    func errorNamesTheMissingParameter(_ name: String, _ text: String?, _ message: String) throws {
        let params = try #require(ParamsCase.all.first { $0.name == name })
        #expect(try params.refusal(text) == RPCError(.invalidParams, message))
    }
}
