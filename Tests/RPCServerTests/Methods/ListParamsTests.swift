import JSON
import TestSupport
import Testing

@testable import Catalog
@testable import Model
@testable import Protocol
@testable import RPCServer

@Suite(.limited) struct ListParamsTests {
    private func filters(
        _ given: String?, _ change: (inout FilterDefinition) -> Void = { _ in }
    ) throws(RPCError) -> String {
        var list = ListDefinition()
        var filter = FilterDefinition(name: "q", parameter: "q")
        change(&filter)
        list.filters = [filter, FilterDefinition(name: "z", parameter: "z")]
        let members = given.map { JSONValue.object(JSONObject([("q", (try? JSONValue(parsing: $0)) ?? .null)])) }
        return try list.filters(Self.param(members)).map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
    }

    private static func param(_ value: JSONValue?) -> FilterParam? {
        value.flatMap { try? JSONDocument(Array($0.text.utf8)).withRoot { FilterParam($0) } }
    }

    @Test func defaultReplacesAMissingFilterValue() throws {
        for given in [nil, "\"\""] {
            #expect(try filters(given) == "")
            #expect(try filters(given) { $0.standard = "s" } == #"q="s""#)
        }
        #expect(try filters(#""x""#) { $0.standard = "s" } == #"q="x""#)
    }

    @Test func emptyStringIsSentIfTheFilterAllowsIt() throws {
        #expect(try filters("\"\"") { $0.allowsEmpty = true } == #"q="""#)
    }

    @Test func emptyArrayCountsAsAMissingFilterValue() throws {
        #expect(try filters("[]") { $0.type = .array(.string) } == "")
        #expect(try filters(#"["a"]"#) { $0.type = .array(.string) } == #"q=["a"]"#)
        #expect(throws: RPCError.self) { try filters("[]") }
    }

    @Test(arguments: [nil, "\"\""]) func requiredFilterMustBeGiven(given: String?) {
        let error = #expect(throws: RPCError.self) { try filters(given) { $0.isRequired = true } }
        #expect(error?.message == "'filter.q' is missing; pass a string")
    }

    @Test func filterValueOfTheWrongTypeIsRefused() {
        let error = #expect(throws: RPCError.self) { try filters("\"x\"") { $0.type = .integer } }
        #expect(error?.message == "'filter.q' must be an integer")
    }

    @Test(
        arguments: [
            (#""opne""#, .enumeration(["open", "closed"]), nil, #"; did you mean "open"?"#),
            (#""red""#, .enumeration(["open", "closed"]), nil, ""),
            (#""o""#, .enumeration(["a", "b"]), nil, ""),
            (#"["open","closd"]"#, .array(.enumeration(["open", "closed"])), nil, #"; did you mean "closed"?"#),
            (#""opne""#, .array(.enumeration(["open", "closed"])), nil, #"; did you mean "open"?"#),
            (
                #""open,closd""#, .array(.enumeration(["open", "closed"])), ",",
                #", or a string with such values, separated by ','; did you mean "closed"?"#
            ),
            (#""x""#, .integer, nil, ""),
        ] as [(String, ParameterType, String?, String)])
    func similarWordIsSuggestedForAFilterValue(given: String, type: ParameterType, split: String?, end: String) {
        let error = #expect(throws: RPCError.self) {
            try filters(given) { ($0.type, $0.split) = (type, split) }
        }
        #expect(error?.message == "'filter.q' must be \(type.expected)\(end)")
    }

    @Test func unknownFilterIsRefused() {
        var list = ListDefinition()
        let given = Self.param(["nmae": 1])
        let none = #expect(throws: RPCError.self) { try list.filters(given) }
        #expect(none?.message == "'filter' has no 'nmae': this list has no filters; remove 'filter'")
        list.filters = [FilterDefinition(name: "a", parameter: "a"), FilterDefinition(name: "b", parameter: "b")]
        let some = #expect(throws: RPCError.self) { try list.filters(given) }
        #expect(some?.message == "'filter' has no 'nmae'; use one of 'a', 'b'")
    }

    @Test func filterTextWithSeveralValuesIsSplit() throws {
        let change: (inout FilterDefinition) -> Void = { ($0.type, $0.split) = (.array(.number), ",") }
        #expect(try filters(#""1,2.5""#, change) == "q=[1,2.5]")
        let error = #expect(throws: RPCError.self) { try filters(#""1,x""#, change) }
        let expected = "an array in which each element is a number, or a string with such values, separated by ','"
        #expect(error?.message == "'filter.q' must be " + expected)
    }

    @Test func schemaOfASplitFilterAllowsAString() {
        var list = ListDefinition()
        var filter = FilterDefinition(name: "q", parameter: "q")
        (filter.type, filter.split) = (.array(.integer), ",")
        list.filters = [filter]
        let choices = list.filterSchema.json["properties"]?["q"]?["anyOf"]
        #expect(choices?.text.hasSuffix(#"{"type":"string"}]"#) == true, "\(String(describing: choices))")
    }
}
