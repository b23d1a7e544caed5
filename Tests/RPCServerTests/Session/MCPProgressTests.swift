import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

/// Tests progress in the format of the Model Context Protocol.
@Suite(.limited) struct MCPProgressTests {
    private static func progress(_ token: String = "7") throws -> (Progress, SinkMock) {
        let sink = SinkMock()
        let params = try JSONDocument(Array("{\"_meta\":{\"progressToken\":\(token)}}".utf8))
        let read = try params.withRoot { try ParamsReader($0).metaProgressToken() }
        return (Progress(try #require(read), .mcp, client: sink), sink)
    }

    private static func said(_ members: String, token: String = "7") -> String {
        """
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":\(token),\(members)}}
        """
    }

    @Test(arguments: ["7", "0", #""a""#, #""7""#])
    func progressReportIsTheOnlyMessageAndContainsTheToken(token: String) throws {
        let (progress, sink) = try Self.progress(token)
        #expect(sink.messages.isEmpty)
        progress.report(1, of: 2, "one of two")
        progress.end()
        #expect(sink.messages == [Self.said(#""progress":1,"total":2,"message":"one of two""#, token: token)])
    }

    @Test func unknownTotalIsOmitted() throws {
        let (progress, sink) = try Self.progress()
        progress.report(1, of: nil, "page 1")
        #expect(sink.messages == [Self.said(#""progress":1,"message":"page 1""#)])
    }

    @Test func progressGrowsWithEachMessage() throws {
        let (progress, sink) = try Self.progress()
        for done in [0, -1, 3, 3, 2, 4, .max, .max] { progress.report(done, of: 4, "") }
        #expect(
            sink.messages
                == [3, 4, .max].map { (done: Int) in Self.said(#""progress":\#(done),"total":4,"message":"""#) })
    }

    @Test func noProgressIsSentAfterTheRequestHasEnded() async throws {
        let (progress, sink) = try Self.progress()
        progress.report(1, of: nil, "")
        await onThreads(0..<4) { _ in progress.end() }
        progress.report(2, of: nil, "")
        #expect(sink.messages.count == 1)
    }

    @Test func progressOfConcurrentReportsNeverDecreases() async throws {
        let (progress, sink) = try Self.progress()
        await onThreads(0..<4) { thread in
            for done in 0..<500 { progress.report(done * 4 + thread, of: 2000, "") }
        }
        let told = try sink.messages.map { message in
            try #require(Int(try JSONValue(parsing: message)["params"]?["progress"]?.text ?? ""))
        }
        #expect(told == told.sorted() && Set(told).count == told.count && told.last == 1999)
    }
}
