import JSON
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct MCPHostTests {
    private static func declaration(_ host: MCPHost, _ variables: [String] = []) -> JSONValue {
        host.declaration(command: "/bin/larder", arguments: ["--catalog", "/a b"], variables: variables)
    }

    @Test(
        arguments: [
            (.generic, #"{"mcpServers":{"larder":{"#), (.claude, #"{"mcpServers":{"larder":{"#),
            (.cursor, #"{"mcpServers":{"larder":{"type":"stdio","#),
            (.vscode, #"{"servers":{"larder":{"type":"stdio","#), (.zed, #"{"context_servers":{"larder":{"#),
        ] as [(MCPHost, String)])
    func serverIsUnderTheHostsKey(host: MCPHost, head: String) {
        #expect(Self.declaration(host).text == head + #""command":"/bin/larder","args":["--catalog","/a b"]}}}"#)
    }

    @Test(
        arguments: [
            (.generic, #""env":{"TOKEN":""}"#), (.zed, #""env":{"TOKEN":""}"#),
            (.claude, #""env":{"TOKEN":"${TOKEN:-}"}"#), (.cursor, #""env":{"TOKEN":"${env:TOKEN}"}"#),
            (.vscode, #""env":{"TOKEN":"${input:TOKEN}"}"#),
        ] as [(MCPHost, String)])
    func variableHasTheHostsNotation(host: MCPHost, env: String) {
        #expect(Self.declaration(host, ["TOKEN"]).text.contains(env))
        #expect(!Self.declaration(host).text.contains("env"))
    }

    @Test func inputsAreDeclaredForVSCodeOnly() {
        let text = Self.declaration(.vscode, ["A", "B"]).text
        #expect(
            text.hasPrefix(
                #"{"inputs":[{"type":"promptString","id":"A","description":"A for Larder","password":true},"#))
        #expect(!Self.declaration(.vscode).text.contains("inputs"))
        #expect(!Self.declaration(.cursor, ["A"]).text.contains("inputs"))
    }

    @Test(arguments: MCPHost.allCases)
    func messageNamesTheVariablesToFillIn(host: MCPHost) {
        #expect(host.note(["A", "B"]).hasSuffix(", and fill in A, B") == (host == .generic || host == .zed))
        #expect(!host.note([]).contains("fill in"))
    }
}
