import JSON
import Repositories
import TestSupport
import Testing

@testable import RPCServer

/// Sends random messages of all protocols in one session. Each reply must follow the protocol of its request,
/// regardless of earlier messages.
@Suite(.limited) struct MixedDialectsTests {
    private enum Kind: CaseIterable {
        case native, nativeMistake, languageServer, stateless, statelessTool, otherVersion, handshake, older, notice
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func everyReplyFollowsTheProtocolOfItsRequest(seed: UInt64) throws
    {
        let stage = try MCPStage()
        stage.books.configure { $0.cachedItem = Answers.item(#"{"id":"a"}"#) }
        var generator = SeededGenerator(seed: seed)
        var isShaken = false
        for step in 0..<500 {
            let kind = Kind.allCases.randomElement(using: &generator) ?? .native
            // The session has at most one handshake, which comes late, so that messages before and after it are tested.
            if kind == .handshake, isShaken || step < 200 { continue }
            let reply = stage.session.handle(Self.message(kind, id: step))
            if kind == .handshake { isShaken = true }
            if kind == .notice {
                #expect(reply == "")
                continue
            }
            let json = try JSONValue(parsing: reply)
            #expect(json["id"] == .integer(step) && (json["result"] == nil) != (json["error"] == nil))
            #expect(Self.isRight(json, kind, isShaken), "\(kind), step \(step): \(reply)")
        }
        #expect(stage.session.sink.messages.isEmpty)
    }

    private static func message(_ kind: Kind, id: Int) -> String {
        func plain(_ method: String, _ params: String) -> String {
            "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
        }
        let tool = #""name":"get_item","arguments":{"resource":"book","id":"a"},"unknown":1,"#
        return switch kind {
        case .native: plain("book/get", #"{"id":"a"}"#)
        case .nativeMistake: plain("book/get", #"{"id":"a","_meta":{}}"#)
        case .languageServer: plain("initialize", #"{"processId":null,"capabilities":{}}"#)
        case .stateless: MCPStage.request("tools/list", id: "\(id)")
        case .statelessTool: MCPStage.request("tools/call", tool, id: "\(id)")
        case .otherVersion:
            MCPStage.request("tools/list", id: "\(id)").replacing("2026-07-28", with: "2030-01-01")
        case .handshake: plain("initialize", #"{"protocolVersion":"2025-06-18"}"#)
        case .older: plain("tools/call", #"{"name":"get_item","arguments":{"resource":"book","id":"a"},"unknown":1}"#)
        case .notice: #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1e9}}"#
        }
    }

    /// Whether a reply has the form that the dialect of its message requires.
    private static func isRight(_ reply: JSONValue, _ kind: Kind, _ isShaken: Bool) -> Bool {
        let result = reply["result"]
        let code = reply["error"]?["code"]
        return switch kind {
        case .native: isShaken ? code == -32601 : result?["item"]?["id"] == "a" && result?["resultType"] == nil
        case .nativeMistake: isShaken ? code == -32601 : code == -32602
        // The message lacks the protocol version, so it is invalid in a session with a handshake.
        case .languageServer: isShaken ? code == -32602 : result?["capabilities"] != nil
        case .stateless: result?["resultType"] == "complete" && result?["tools"]?[0] != nil
        case .statelessTool:
            result?["resultType"] == "complete" && result?["structuredContent"]?["item"]?["id"] == "a"
        case .otherVersion: code == -32022
        case .handshake: result?["protocolVersion"] == "2025-06-18" && result?["resultType"] == nil
        case .older:
            isShaken
                ? result?["structuredContent"]?["item"]?["id"] == "a" && result?["resultType"] == nil
                : code == -32601
        case .notice: true
        }
    }
}
