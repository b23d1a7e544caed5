import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ProgressTests {
    private static func progress(_ token: String = "7") throws -> (Progress, SinkMock) {
        let sink = SinkMock()
        let params = try JSONDocument(Array("{\"workDoneToken\":\(token)}".utf8))
        let read = try params.withRoot { try ParamsReader($0).progressToken() }
        return (Progress(try #require(read), .workDone(title: "x/get"), client: sink), sink)
    }

    private static func said(_ value: String, token: String = "7") -> String {
        #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":\#(token),"value":{\#(value)}}}"#
    }

    private static let begin = #""kind":"begin","title":"x/get","cancellable":true,"percentage":0"#
    private static let end = #""kind":"end""#

    @Test(arguments: ["7", "-1", #""a""#, #""""#])
    func progressHasItsTokenInEveryMessage(token: String) throws {
        let (progress, sink) = try Self.progress(token)
        progress.report(1, of: 2, "one of two")
        progress.end()
        #expect(
            sink.messages == [
                Self.said(Self.begin, token: token),
                Self.said(#""kind":"report","message":"one of two","percentage":50"#, token: token),
                Self.said(Self.end, token: token),
            ])
    }

    @Test func percentageNeverDecreases() throws {
        let (progress, sink) = try Self.progress()
        for done in [0, 30, 30, 29, 31, -5, 31, 100, 100, 200] { progress.report(done, of: 100, "\(done)") }
        #expect(
            sink.messages.dropFirst() == [
                Self.said(#""kind":"report","message":"30","percentage":30"#),
                Self.said(#""kind":"report","message":"31","percentage":31"#),
                Self.said(#""kind":"report","message":"100","percentage":100"#),
            ])
    }

    @Test func unknownTotalHasNoPercentage() throws {
        let (progress, sink) = try Self.progress()
        for done in [1, 1, 2, 3, 2] { progress.report(done, of: nil, "page \(done)") }
        #expect(
            sink.messages.dropFirst() == [
                Self.said(#""kind":"report","message":"page 1""#), Self.said(#""kind":"report","message":"page 2""#),
                Self.said(#""kind":"report","message":"page 3""#),
            ])
    }

    @Test func fewReportsAreSentForManyStepsWithoutATotal() throws {
        let (progress, sink) = try Self.progress()
        for done in 1...100_000 { progress.report(done, of: nil, "") }
        #expect((500...1000).contains(sink.messages.count))
    }

    @Test func progressReportsEveryPercent() throws {
        let (progress, sink) = try Self.progress()
        for done in 1...100 { progress.report(done, of: 100, "") }
        #expect(sink.messages.count == 101)
    }

    @Test(arguments: [(0, 0, 100), (Int.max, 1, 100), (Int.max / 2, Int.max, 50)])
    func extremeTotalsGiveAValidPercentage(done: Int, total: Int, percentage: Int) throws {
        let (progress, sink) = try Self.progress()
        progress.report(done, of: total, "")
        #expect(sink.messages.dropFirst() == [Self.said(#""kind":"report","message":"","percentage":\#(percentage)"#)])
    }

    @Test func messageOfASkippedReportIsNotBuilt() throws {
        let (progress, _) = try Self.progress()
        let made = Counter()
        progress.report(1, of: 2, "\(made.add())")
        progress.report(1, of: 2, "\(made.add())")
        progress.end()
        progress.report(2, of: 2, "\(made.add())")
        #expect(made.value == 1)
    }

    @Test func noProgressIsSentAfterTheRequestHasEnded() async throws {
        let (progress, sink) = try Self.progress()
        await onThreads(0..<4) { thread in
            for done in 0..<500 {
                progress.report(done * 4 + thread, of: 2000, "")
                if done == 400 + thread { progress.end() }
            }
        }
        #expect(sink.messages.first == Self.said(Self.begin))
        #expect(sink.messages.last == Self.said(Self.end))
        #expect(sink.messages.filter { $0 == Self.said(Self.end) }.count == 1)
    }
}
