import JSON

/// An application that starts servers of the Model Context Protocol (MCP). Each host has its own configuration format.
enum MCPHost: String, CaseIterable, Sendable {
    /// The format that most hosts use, such as Claude Desktop.
    case generic
    case vscode
    case zed
    /// Claude Code.
    case claude
    case cursor

    static var names: [String] { allCases.map(\.rawValue) }

    /// Returns the configuration with which the host starts a server.
    ///
    /// - Parameter variables: the names of the environment variables that the server needs. The configuration contains
    ///   references to these variables, not their values.
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

    /// Returns a note for the user: the file for the configuration, and the values to fill in.
    ///
    /// - Parameter variables: the names of the environment variables in the configuration.
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

    /// Returns the configuration's text for the value of an environment variable. If the format supports references, it
    /// is a reference to the host's own variable. Otherwise it is empty; Larder treats an empty variable as not set.
    private func reference(to variable: String) -> String {
        switch self {
        case .generic, .zed: ""
        case .vscode: "${input:\(variable)}"
        // `:-` sets an empty default. Without a default, Claude Code rejects the whole file if the variable is not set.
        case .claude: "${\(variable):-}"
        case .cursor: "${env:\(variable)}"
        }
    }

    /// Returns the declaration of an input variable for VS Code. At the first start of the server, VS Code asks the
    /// user for the value and stores it encrypted.
    private static func input(_ variable: String) -> JSONValue {
        [
            "type": "promptString", "id": .string(variable), "description": .string("\(variable) for Larder"),
            "password": true,
        ]
    }
}
