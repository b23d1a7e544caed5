import JSON

/// A host of the Model Context Protocol, in whose form a server is declared.
enum MCPHost: String, CaseIterable, Sendable {
    /// What most hosts have, Claude Desktop among them.
    case generic
    case vscode
    case zed
    /// Claude Code.
    case claude
    case cursor

    static var names: [String] { allCases.map(\.rawValue) }

    /// The declaration of a server.
    ///
    /// - Parameter variables: the variables of the environment that it needs. Their values are not in it.
    func declaration(command: String, arguments: [String], variables: [String]) -> JSONValue {
        var server = JSONObject()
        if self == .vscode || self == .cursor { server["type"] = "stdio" }
        server["command"] = .string(command)
        server["args"] = .array(arguments.map { .string($0) })
        if !variables.isEmpty {
            server["env"] = .object(JSONObject(variables.map { ($0, .string(reference(to: $0))) }))
        }
        var document = JSONObject()
        if self == .vscode, !variables.isEmpty { document["inputs"] = .array(variables.map(Self.input)) }
        document[key] = .object(JSONObject([("larder", .object(server))]))
        return .object(document)
    }

    /// Where that belongs.
    ///
    /// - Parameter variables: those of the declaration.
    func note(_ variables: [String]) -> String {
        let filled = reference(to: "").isEmpty && !variables.isEmpty
        return "merge this into \(place)" + (filled ? ", and fill in \(variables.joined(separator: ", "))" : "")
    }

    private var place: String {
        switch self {
        case .generic: "the file that has the host's 'mcpServers', such as claude_desktop_config.json"
        case .vscode: ".vscode/mcp.json, or what 'MCP: Open User Configuration' opens"
        case .zed: "Zed's settings.json"
        case .claude: ".mcp.json in the project's folder"
        case .cursor: "~/.cursor/mcp.json, or .cursor/mcp.json in the project's folder"
        }
    }

    private var key: String {
        switch self {
        case .generic, .claude, .cursor: "mcpServers"
        case .vscode: "servers"
        case .zed: "context_servers"
        }
    }

    /// What stands for a variable's value: where a host can name its own variable, that; else nothing, which Larder
    /// takes for a variable that is not set.
    private func reference(to variable: String) -> String {
        switch self {
        case .generic, .zed: ""
        case .vscode: "${input:\(variable)}"
        // Without a default, one that is not set is an error of the whole file.
        case .claude: "${\(variable):-}"
        case .cursor: "${env:\(variable)}"
        }
    }

    /// VS Code asks for it when the server starts first, and keeps it encrypted.
    private static func input(_ variable: String) -> JSONValue {
        [
            "type": "promptString", "id": .string(variable), "description": .string("\(variable) for Larder"),
            "password": true,
        ]
    }
}
