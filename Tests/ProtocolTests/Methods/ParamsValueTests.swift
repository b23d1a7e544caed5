import JSON
import TestSupport
import Testing

@testable import Model
@testable import Protocol

@Suite("The values that are read from params", .limited)
struct ParamsValueTests {
    private func get(_ text: String) throws -> GetParams {
        try params(text) { reader throws(RPCError) in try GetParams(reader) }
    }

    private func list(_ text: String) throws -> ListParams {
        try params(text) { reader throws(RPCError) in try ListParams(reader) }
    }

    @Test func absentParametersHaveDefaults() throws {
        let get = try get(#"{"id":1}"#)
        #expect(get.freshness.cachePolicy == .localFirst)
        #expect(get.freshness.maxAge == nil)
        let list = try list("{}")
        #expect(list.page == nil)
        #expect(list.filter == nil)
        let recents = try params(nil) { reader throws(RPCError) in try RecentsScopeParams(reader) }
        #expect(recents.scope == "default")
        let added = try params(#"{"text":" Rick "}"#) { reader throws(RPCError) in try RecentsTextParams(reader) }
        #expect(added.text == " Rick ")
        #expect(added.scope == "default")
    }

    @Test(arguments: zip(["localFirst", "remoteFirst", "none", "localOnly"], CachePolicy.allCases))
    func cachePolicyIsParsedFromItsName(_ name: String, _ policy: CachePolicy) throws {
        #expect(try get(#"{"id":1,"cachePolicy":"\#(name)"}"#).freshness.cachePolicy == policy)
    }

    @Test(arguments: [("90", 90_000), (#""5m""#, 300_000), ("0", 0)])
    func maxAgeIsInMilliseconds(_ text: String, _ expected: Int) throws {
        #expect(try get(#"{"id":1,"maxAge":\#(text)}"#).freshness.maxAge == expected)
        #expect(try list(#"{"maxAge":\#(text)}"#).freshness.maxAge == expected)
    }

    @Test(arguments: [
        ("1", "1"), ("-3", "-3"), (#""x\/\u0041""#, "x/A"), ("18446744073709551616", "18446744073709551616"),
    ])
    func idMayBeAnIntegerOrAString(_ text: String, _ expected: String) throws {
        #expect(try get(#"{"id":\#(text)}"#).id == expected)
        let many = try params(#"{"ids":[\#(text),"2",\#(text)]}"#) { reader throws(RPCError) in
            try GetManyParams(reader)
        }
        #expect(many.ids == [expected, "2", expected])
    }

    @Test(arguments: [
        ("2", PageToken.number(2)), ("-1", .number(-1)), (#""2""#, .opaque("2")), (#""a\u0062""#, .opaque("ab")),
    ])
    func pageMayBeANumberOrAString(_ text: String, _ expected: PageToken) throws {
        #expect(try list(#"{"page":\#(text)}"#).page == expected)
    }

    @Test(
        arguments: [
            ("2", PageToken.number(2)), (#""2""#, .opaque("2")), ("null", nil),
        ] as [(String, PageToken?)])
    func pagePassedAsAnArgumentReplacesThePageInTheParams(_ text: String, _ expected: PageToken?) throws {
        let value = try JSONValue(parsing: text)
        let read = try params(#"{"page":[],"maxAge":1}"#) { reader throws(RPCError) in
            try ListParams(ParamsReader(checked: reader.view), page: value)
        }
        #expect(read.page == expected && read.freshness.maxAge == 1000)
    }

    @Test(arguments: [#""""#, "1.5", "true", "[]", "{}", "18446744073709551616"])
    func pagePassedAsAnArgumentIsValidated(_ text: String) throws {
        let value = try JSONValue(parsing: text)
        let message = "'page' must be a number, or a string from 'next' or 'previous' of a page"
        #expect(throws: RPCError(.invalidParams, message)) { try ListParams(ParamsReader(nil), page: value) }
    }

    @Test func filtersAreSortedAndNullsAreOmitted() throws {
        let filter = try #require(try list(#"{"filter":{"b":"x","a":1.50,"c":null,"d":true,"b":"y","a":1.0}}"#).filter)
        #expect(filter.members.map(\.name) == ["a", "b", "d"])
        #expect(filter.members.map(\.value) == [.number("1.0"), "y", true])
        #expect(try list(#"{"filter":{"a":1,"a":null}}"#).filter?.members.isEmpty == true)
    }

    @Test func cacheSelectionIsReadFromParams() throws {
        let read = { (text: String?) throws -> CacheSelectionParams in
            try params(text) { reader throws(RPCError) in try CacheSelectionParams(reader) }
        }
        let all = try read(nil)
        #expect(all.resource == nil)
        #expect(all.ids == nil)
        #expect(all.olderThan == nil)
        let one = try read(#"{"resource":"character","id":7,"olderThan":"1h"}"#)
        #expect(one.resource == "character")
        #expect(one.ids == ["7"])
        #expect(one.olderThan == 3_600_000)
        #expect(try read(#"{"resource":"r","ids":["a",2]}"#).ids == ["a", "2"])
        #expect(try read(#"{"resource":"r","ids":[]}"#).ids == [])
    }

    /// Unknown members are ignored, because editors send them.
    @Test(arguments: [
        (nil, nil), ("{}", nil), (#"{"processId":null}"#, nil),
        (#"{"processId":42,"rootUri":null,"capabilities":{}}"#, 42),
    ])
    func processIDOfAnInitializeRequestIsRead(_ text: String?, _ processId: Int?) throws {
        let read = try params(text) { reader throws(RPCError) in try InitializeParams(reader) }
        #expect(read.processId == processId)
    }

    @Test(arguments: [#"{"processId":"1"}"#, #"{"processId":1.5}"#, #"{"processId":[]}"#])
    func invalidProcessIDOfAnInitializeRequestIsRefused(_ text: String) throws {
        #expect(
            try refusal(of: text) { reader throws(RPCError) in try InitializeParams(reader) }
                == RPCError(.invalidParams, "'processId' must be an integer"))
    }

    @Test(arguments: [("1", "1"), (#""\u0031""#, #""1""#), ("1.0", "1.0")])
    func requestIDOfACancelNotificationIsRead(_ id: String, _ json: String) throws {
        let read = try params(#"{"id":\#(id)}"#) { reader throws(RPCError) in try CancelParams(reader) }
        #expect(read.id.json == Array(json.utf8))
    }

    @Test(arguments: [
        (nil, "'id' is missing; pass the id of a request"),
        (#"{"id":null}"#, "'id' is missing; pass the id of a request"),
        (#"{"id":[1]}"#, "'id' must be the id of a request"), (#"{"id":true}"#, "'id' must be the id of a request"),
    ])
    func cancelNotificationRequiresAnID(_ text: String?, _ message: String) throws {
        #expect(
            try refusal(of: text) { reader throws(RPCError) in try CancelParams(reader) }
                == RPCError(.invalidParams, message))
    }
}
