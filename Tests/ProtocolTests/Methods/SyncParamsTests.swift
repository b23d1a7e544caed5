import JSON
import TestSupport
import Testing

@testable import Protocol

@Suite("The params of a sync", .limited)
struct SyncParamsTests {
    @Test func absentParametersHaveDefaults() throws {
        let params = try SyncParams(ParamsReader(nil))
        #expect((params.filter == nil, params.maxAge, params.maxRequests) == (true, nil, nil))
        #expect((params.isWhole, params.namesChanges, params.acceptsRemovals) == (false, false, false))
    }

    @Test func givenParametersAreRead() throws {
        let text = """
            {"filter":{"a":1},"maxAge":"90s","whole":true,"maxRequests":7,"changes":true,"acceptRemovals":true,\
            "workDoneToken":"t"}
            """
        let params = try params(text) { reader throws(RPCError) in try SyncParams(reader) }
        #expect(params.filter?.members == [.init(name: "a", value: 1)])
        #expect((params.maxAge, params.maxRequests) == (90_000, 7))
        #expect((params.isWhole, params.namesChanges, params.acceptsRemovals) == (true, true, true))
    }
}
