import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite(.limited) struct QueryParamsTests {
    @Test func absentQueryParamsHaveDefaults() throws {
        let params = try params(#"{"sql":"select 1"}"#) { reader throws(RPCError) in try QueryParams(reader) }
        #expect(params.sql == "select 1" && params.params == nil)
        #expect((params.maxRows, params.timeout, params.coverage) == (1000, 5000, .any))
    }

    @Test(arguments: [
        (#""params":[1,null]"#, true), (#""params":{"a":1}"#, true), (#""params":1"#, false),
        (#""maxRows":1"#, true), (#""maxRows":100000"#, true), (#""maxRows":0"#, false),
        (#""maxRows":100001"#, false), (#""timeout":"60s""#, true), (#""timeout":60.001"#, false),
        (#""timeout":"2m""#, false), (#""coverage":"synced""#, true), (#""coverage":"parts""#, false),
        (#""maxAge":"1h""#, true), (#""maxAge":-1"#, false),
    ])
    func queryParamValuesAreValidated(member: String, isAccepted: Bool) throws {
        let refusal = try refusal(of: #"{"sql":"select 1",\#(member)}"#) { reader throws(RPCError) in
            try QueryParams(reader)
        }
        #expect((refusal == nil) == isAccepted)
    }

    @Test func maximumAgeRequiresLocalCopies() throws {
        let params = try params(#"{"sql":"select 1","maxAge":90}"#) { reader throws(RPCError) in
            try QueryParams(reader)
        }
        #expect(params.maxAge == 90_000 && params.coverage == .synced)
    }

    @Test(arguments: [(65_536, true), (65_537, false)])
    func lengthOfAnSQLStatementIsLimited(count: Int, isAccepted: Bool) throws {
        let text = #"{"sql":"\#(String(repeating: "x", count: count))"}"#
        let refusal = try refusal(of: text) { reader throws(RPCError) in try QueryParams(reader) }
        #expect((refusal == nil) == isAccepted)
    }
}
