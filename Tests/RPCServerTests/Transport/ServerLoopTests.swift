import JSON
import Protocol
import TestSupport
import Testing

@testable import RPCServer

@Suite(.limited) struct ServerLoopTests {
    private static func request(_ method: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"#
    }

    private static func result(_ value: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(value)}"#
    }

    private static func frame(_ message: String, _ framing: Framing) -> String {
        switch framing {
        case .newline: message + "\n"
        case .contentLength: "Content-Length: \(message.utf8.count)\r\n\r\n\(message)"
        }
    }

    private static let echo: [String: any Handler] = ["now": HandlerMock.value("é")]
    private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

    @Test(arguments: [Framing.newline, .contentLength], Channel.Kind.allCases)
    func requestsAreAnsweredInTheirFraming(framing: Framing, kind: Channel.Kind) async throws {
        let loop = RunningLoop(Self.echo, kind: kind)
        loop.input.write((1...3).map { Self.frame(Self.request("now", id: $0), framing) }.joined())
        let expected = (1...3).map { Self.frame(Self.result("\"é\"", id: $0), framing) }.joined()
        #expect(try await loop.finish() == expected)
    }

    @Test(arguments: [Framing.newline, .contentLength])
    func requestsThatArriveByteByByteAreAnswered(framing: Framing) async throws {
        let loop = RunningLoop(Self.echo)
        for id in 1...2 {
            for byte in Self.frame(Self.request("now", id: id), framing).utf8 {
                loop.input.write(String(UnicodeScalar(byte)))
            }
            let expected = Self.frame(Self.result("\"é\"", id: id), framing)
            #expect(await onThread { loop.output.read(expected.utf8.count) } == Array(expected.utf8))
        }
        #expect(try await loop.finish() == "")
    }

    @Test func blankLinesAndAMissingLastNewlineAreAccepted() async throws {
        let loop = RunningLoop(Self.echo)
        loop.input.write("\n  \r\n" + Self.request("now", id: 1) + "\r\n\n" + Self.request("now", id: 2))
        #expect(
            try await loop.finish() == Self.result("\"é\"", id: 1) + "\n" + Self.result("\"é\"", id: 2) + "\n")
    }

    @Test func truncatedLastLineIsAnsweredWithAnError() async throws {
        let loop = RunningLoop(Self.echo)
        loop.input.write(Self.request("now", id: 1) + "\n" + #"{"jsonrpc":"2.0","id":2,"me"#)
        let lines = try await loop.finish().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#) == true)
    }

    @Test func tooLargeMessageIsRefusedAndTheNextOneIsAnswered() async throws {
        var limits = RunningLoop.patient
        limits.maxMessage = 100
        let loop = RunningLoop(Self.echo, limits: limits)
        loop.input.write(String(repeating: "x", count: 5000) + "\n" + Self.request("now", id: 2) + "\n")
        let refused =
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is larger than 100 bytes; send less, or raise --max-message"}}"#
        #expect(try await loop.finish() == refused + "\n" + Self.result("\"é\"", id: 2) + "\n")
    }

    @Test func requestsInFlightFinishAfterTheEndOfTheInput() async throws {
        let gate = Gate()
        let loop = RunningLoop(["later": HandlerMock.work("done") { _ = try? await gate.wait() }])
        loop.input.write((1...3).map { Self.request("later", id: $0) + "\n" }.joined())
        loop.input.closeOutput()
        #expect(!loop.hasEnded)
        gate.open()
        let lines = try await loop.end().split(separator: "\n").map(String.init)
        #expect(lines.sorted() == (1...3).map { Self.result("\"done\"", id: $0) })
    }

    @Test func unfinishedRequestsFailAtTheDeadline() async throws {
        let gate = Gate()
        var limits = RunningLoop.patient
        limits.drain = .zero
        let loop = RunningLoop(["later": HandlerMock.work("done") { _ = try? await gate.wait() }], limits: limits)
        loop.input.write(Self.request("later", id: 1) + "\n")
        let error =
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"the request was not finished before the server's exit: the limit is 0.0 s (--drain); raise --drain"}}"#
        #expect(try await loop.finish() == error + "\n")
    }

    @Test(arguments: [false, true])
    func exitEndsTheSessionBeforeTheEndOfTheInput(isShutDown: Bool) async throws {
        let loop = RunningLoop(Self.echo)
        let before = isShutDown ? Self.request("shutdown", id: 1) : Self.request("now", id: 1)
        loop.input.write(before + "\n" + Self.exit + "\n" + Self.request("now", id: 2) + "\n")
        #expect(try await loop.end() == Self.result(isShutDown ? "null" : "\"é\"", id: 1) + "\n")
        #expect(loop.lifecycle.exitCode == (isShutDown ? 0 : 1))
    }

    @Test func interruptionEndsASessionWithoutInput() async throws {
        let gate = Gate()
        let loop = RunningLoop([
            "now": HandlerMock.value(1), "later": HandlerMock.work(2) { _ = try? await gate.wait() },
        ])
        loop.input.write(Self.request("later", id: 2) + "\n" + Self.request("now", id: 1) + "\n")
        let first = Self.result("1", id: 1) + "\n"
        #expect(await onThread { loop.output.read(first.utf8.count) } == Array(first.utf8))
        loop.interruption.raise()
        gate.open()
        #expect(try await loop.end() == Self.result("2", id: 2) + "\n")
    }

    @Test func closedReaderEndsTheSessionAndItsWork() async throws {
        let gate = Gate()
        let loop = RunningLoop([
            "later": HandlerMock.work(1) { _ = try? await gate.wait() }, "now": HandlerMock.value(2),
        ])
        loop.input.write(Self.request("later", id: 1) + "\n")
        loop.output.closeInput()
        loop.input.write(Self.request("now", id: 2) + "\n")
        _ = try await loop.end()
        // The gate stays closed, so only the cancellation can have ended the work.
        #expect(await onThread { loop.pending.drain(within: .seconds(600)) })
    }

    /// The client writes all requests before it reads any reply.
    @Test func clientThatReadsLateCausesNoDeadlock() async throws {
        let loop = RunningLoop(Self.echo)
        let count = 20_000
        await onThread { for id in 1...count { loop.input.write(Self.request("now", id: id) + "\n") } }
        let expected = (1...count).map { Self.result("\"é\"", id: $0) + "\n" }.joined()
        let got = await onThread { loop.output.read(expected.utf8.count) }
        #expect(got == Array(expected.utf8))
        #expect(try await loop.finish() == "")
    }

    @Test(arguments: Channel.Kind.allCases)
    func nonBlockingInputIsReadToItsEnd(kind: Channel.Kind) async throws {
        let loop = RunningLoop(Self.echo, kind: kind, isInputNonBlocking: true)
        for id in 1...3 {
            loop.input.write(Self.request("now", id: id) + "\n")
            let expected = Self.result("\"é\"", id: id) + "\n"
            #expect(await onThread { loop.output.read(expected.utf8.count) } == Array(expected.utf8))
        }
        #expect(try await loop.finish() == "")
    }

    @Test func requestsInFlightAreLimitedToMaxTasks() async throws {
        let gate = Gate()
        var limits = RunningLoop.patient
        limits.maxTasks = 2
        let loop = RunningLoop(
            ["later": HandlerMock.work(1) { _ = try? await gate.wait() }, "now": HandlerMock.value(2)], limits: limits)
        loop.input.write(Self.request("later", id: 1) + "\n")
        loop.input.write(Self.request("later", id: 2) + "\n")
        gate.open()
        loop.input.write(Self.request("now", id: 3) + "\n")
        let lines = try await loop.finish().split(separator: "\n").map(String.init)
        #expect(
            lines.sorted() == [Self.result("1", id: 1), Self.result("1", id: 2), Self.result("2", id: 3)])
    }
}
