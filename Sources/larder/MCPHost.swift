import JSON

/// A host of the Model Context Protocol (MCP), with its own configuration format.
enum MCPHost: String, CaseIterable, Sendable {
    /// The format that most hosts use, such as Claude Desktop.
    case generic
    case vscode
    case zed
    /// Claude Code.
    case claude
    case cursor

    static var names: [String] { allCases.map(\.rawValue) }

    /// Returns the configuration of a server.
    ///
    /// - Parameter variables: the environment variables that the server needs. The configuration contains references
    ///   to them, not their values.
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

    /// Returns a note that names the file for the configuration, and the values that the user must fill in.
    ///
    /// - Parameter variables: the variables in the configuration.
    func note(_ variables: [String]) -> String {
        let filled = reference(to: "").isEmpty && !variables.isEmpty
        return "merge this into \(place)" + (filled ? ", and fill in \(variables.joined(separator: ", "))" : "")
    }

    private var place: String {
        switch self {
        case .generic: "the host's configuration file with 'mcpServers', such as claude_desktop_config.json"
        case .vscode: ".vscode/mcp.json, or the file that 'MCP: Open User Configuration' opens"
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

    /// Returns the text in place of a variable's value: a reference to the host's own variable if the format has
    /// references, otherwise the empty text. Larder treats an empty variable as not set.
    private func reference(to variable: String) -> String {
        switch self {
        case .generic, .zed: ""
        case .vscode: "${input:\(variable)}"
        // Without the empty default, Claude Code rejects the whole file if the variable is not set.
        case .claude: "${\(variable):-}"
        case .cursor: "${env:\(variable)}"
        }
    }

    /// Returns an input variable. VS Code asks for its value at the first start of the server and stores it encrypted.
    private static func input(_ variable: String) -> JSONValue {
        [
            "type": "promptString", "id": .string(variable), "description": .string("\(variable) for Larder"),
            "password": true,
        ]
    }
}
