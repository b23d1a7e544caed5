import JSON
import TestSupport
import Testing

@testable import RPCServer
@testable import larder

@Suite(.limited) struct MCPHostTests {
    private static func declaration(_ host: MCPHost, _ variables: [String] = []) -> JSONValue {
        host.declaration(of: server(variables))
    }

    private static func server(_ variables: [String]) -> MCPServerEntry {
        MCPServerEntry(command: "/bin/larder", arguments: ["--replay", "/a b"], variables: variables)
    }

    @Test(
        arguments: [
            (.generic, #"{"mcpServers":{"larder":{"#), (.claude, #"{"mcpServers":{"larder":{"#),
            (.cursor, #"{"mcpServers":{"larder":{"type":"stdio","#),
            (.vscode, #"{"servers":{"larder":{"type":"stdio","#), (.zed, #"{"context_servers":{"larder":{"#),
            (.claudeDesktop, #"{"mcpServers":{"larder":{"#), (.lmstudio, #"{"mcpServers":{"larder":{"#),
            (.gemini, #"{"mcpServers":{"larder":{"#),
        ] as [(MCPHost, String)])
    func serverEntryIsUnderTheConfigurationKeyOfTheHost(host: MCPHost, head: String) {
        #expect(Self.declaration(host).text == head + #""command":"/bin/larder","args":["--replay","/a b"]}}}"#)
    }

    @Test(
        arguments: [
            (.generic, #""env":{"TOKEN":""}"#), (.zed, #""env":{"TOKEN":""}"#),
            (.claude, #""env":{"TOKEN":"${TOKEN:-}"}"#), (.cursor, #""env":{"TOKEN":"${env:TOKEN}"}"#),
            (.vscode, #""env":{"TOKEN":"${input:TOKEN}"}"#), (.claudeDesktop, #""env":{"TOKEN":""}"#),
            (.lmstudio, #""env":{"TOKEN":""}"#), (.gemini, #""env":{"TOKEN":"${TOKEN:-}"}"#),
            (.opencode, #""environment":{"TOKEN":"{env:TOKEN}"}"#),
        ] as [(MCPHost, String)])
    func secretVariableIsReferencedInTheSyntaxOfTheHost(host: MCPHost, env: String) {
        #expect(Self.declaration(host, ["TOKEN"]).text.contains(env))
        #expect(!Self.declaration(host).text.contains("env"))
    }

    @Test func configurationForOpenCodeHasOneCommandArray() {
        let text = #"{"mcp":{"larder":{"type":"local","command":["/bin/larder","--replay","/a b"],"enabled":true}}}"#
        #expect(Self.declaration(.opencode).text == text)
    }

    @Test func configurationForCodexIsATOMLTable() {
        let text = """
            [mcp_servers.larder]
            command = "/bin/larder"
            args = ["--replay", "/a b"]

            """
        #expect(MCPHost.codex.text(of: Self.server([])) == text)
        #expect(MCPHost.codex.text(of: Self.server(["A", "B"])) == text + "env_vars = [\"A\", \"B\"]\n")
    }

    @Test func configurationForGooseDeclaresLarderAsAnExtension() {
        let text = MCPHost.goose.text(of: Self.server(["A"]))
        #expect(text.hasPrefix("extensions:\n  larder:\n    enabled: true\n    type: stdio\n"))
        #expect(text.contains("    cmd: \"/bin/larder\"\n    args: [\"--replay\", \"/a b\"]\n    env_keys: [\"A\"]\n"))
    }

    @Test(arguments: [
        ([], "larder"), (["--tool-prefix", "github"], "larder-github"),
        (["--catalog", "/a/x.json", "--tool-prefix", "my_api-2"], "larder-my-api-2"),
        (["--catalog", "github", "--catalog", "/a/my hub.jsonc"], "larder-github-my-hub"),
        (["--catalog", "/a/1.jsonc"], "larder-1"), (["--catalog", "/a/catalog.jsonc"], "larder"),
        (["--catalog", "github-graphql", "--catalog", "rickandmorty-graphql"], "larder"),
    ])
    func serverIsNamedAfterItsToolPrefixOrCatalogs(options: [String], name: String) {
        let server = MCPServerEntry(command: "/bin/larder", arguments: options, variables: [])
        #expect(MCPHost.generic.declaration(of: server)["mcpServers"]?[name] != nil)
        #expect(MCPHost.opencode.declaration(of: server)["mcp"]?[name] != nil)
        #expect(MCPHost.codex.text(of: server).hasPrefix("[mcp_servers.\(name)]\n"))
        #expect(MCPHost.goose.text(of: server).hasPrefix("extensions:\n  \(name):\n    enabled: true\n"))
        #expect(MCPHost.goose.text(of: server).contains("\n    name: \(name)\n"))
    }

    @Test func configurationEscapesQuotesOfItsFormat() {
        let server = MCPServerEntry(command: #"/a"b\c"#, arguments: [], variables: [])
        #expect(MCPHost.codex.text(of: server).contains(#"command = "/a\"b\\c""#))
    }

    @Test func secretInputsAreDeclaredForVSCodeOnly() {
        let text = Self.declaration(.vscode, ["A", "B"]).text
        #expect(
            text.hasPrefix(
                #"{"inputs":[{"type":"promptString","id":"A","description":"A for Larder","password":true},"#))
        #expect(!Self.declaration(.vscode).text.contains("inputs"))
        #expect(!Self.declaration(.cursor, ["A"]).text.contains("inputs"))
    }

    @Test(arguments: MCPHost.allCases)
    func mcpConfigNamesTheVariablesToFillIn(host: MCPHost) {
        let filled: Set<MCPHost> = [.generic, .zed, .claudeDesktop, .lmstudio]
        #expect(host.note(["A", "B"]).hasSuffix(", and fill in A, B") == filled.contains(host))
        #expect(!host.note([]).contains("fill in"))
    }
}
