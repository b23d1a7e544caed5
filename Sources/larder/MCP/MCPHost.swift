import JSON

/// An application that starts servers of the Model Context Protocol (MCP). Each host has its own configuration format.
/// docs/mcp.md links to the documentation of each format.
enum MCPHost: String, CaseIterable, Sendable {
    /// Any other host. Its settings have the format that most hosts read: JSON with a member `mcpServers`.
    case generic
    /// The MCP host Claude Code.
    case claude
    case claudeDesktop = "claude-desktop"
    case cursor
    case vscode
    case zed
    case codex
    /// The MCP host Gemini CLI.
    case gemini
    case opencode
    case lmstudio
    case goose

    static var names: [String] { allCases.map(\.rawValue) }

    /// Returns the text for the host's configuration file.
    func text(of server: MCPServerEntry) -> String {
        switch self {
        case .codex: HostText.toml(server)
        case .goose: HostText.yaml(server)
        // The small width puts each member on its own line, so that the line breaks do not depend on the length of the
        // paths.
        default: IndentedJSON.text(declaration(of: server), width: 40)
        }
    }

    /// Returns Larder's entry for the configuration file of a host that uses JSON. The result includes the objects that
    /// enclose the entry.
    func declaration(of server: MCPServerEntry) -> JSONValue {
        if self == .opencode { return openCodeDeclaration(of: server) }
        var entry = JSONObject()
        if self == .vscode || self == .cursor { entry["type"] = "stdio" }
        entry["command"] = .string(server.command)
        entry["args"] = .array(server.arguments.map { .string($0) })
        if !server.variables.isEmpty { entry["env"] = environment(of: server) }
        var document = JSONObject()
        if self == .vscode, !server.variables.isEmpty {
            document["inputs"] = .array(server.variables.map(Self.input))
        }
        document[key] = .object(JSONObject([(server.name, .object(entry))]))
        return .object(document)
    }

    /// Returns a message that names the configuration file and the values that the user must provide.
    ///
    /// - Parameter variables: the names of the environment variables in the configuration.
    func note(_ variables: [String]) -> String {
        let names = variables.joined(separator: ", ")
        let wanted =
            switch self {
            case _ where variables.isEmpty: ""
            case .codex, .gemini, .opencode: ", and set \(names) in the environment of \(rawValue)"
            case .goose: ", and store \(names) with 'goose configure' or in the environment of goose"
            case _ where reference(to: "").isEmpty: ", and fill in \(names)"
            default: ""
            }
        return "merge this into \(place)\(wanted)"
    }

    private var place: String {
        switch self {
        case .generic: "the host's configuration file with 'mcpServers'"
        case .claude: ".mcp.json in the project's folder"
        case .claudeDesktop: "claude_desktop_config.json, which 'Settings > Developer > Edit Config' opens"
        case .cursor: "~/.cursor/mcp.json, or .cursor/mcp.json in the project's folder"
        case .vscode: ".vscode/mcp.json, or the file that 'MCP: Open User Configuration' opens"
        case .zed: "Zed's settings.json"
        case .codex: "~/.codex/config.toml, or .codex/config.toml in a trusted project"
        case .gemini: "~/.gemini/settings.json, or .gemini/settings.json in the project's folder"
        case .opencode: "~/.config/opencode/opencode.json, or opencode.json in the project's folder"
        case .lmstudio: "mcp.json, which 'Program > Install > Edit mcp.json' opens"
        case .goose: "~/.config/goose/config.yaml"
        }
    }

    private var key: String {
        switch self {
        case .vscode: "servers"
        case .zed: "context_servers"
        case .opencode: "mcp"
        default: "mcpServers"
        }
    }

    private func environment(of server: MCPServerEntry) -> JSONValue {
        .object(JSONObject(server.variables.map { ($0, .string(reference(to: $0))) }))
    }

    /// Returns a reference to an environment variable, in the format of the host. The host replaces the reference with
    /// the variable's value. If the format has no references, returns an empty string, which Larder treats as not set.
    private func reference(to variable: String) -> String {
        switch self {
        case .vscode: "${input:\(variable)}"
        // `:-` sets an empty default. Without a default, the hosts pass the reference itself for an unset variable, and
        // Larder would send the reference as a secret.
        case .claude, .gemini: "${\(variable):-}"
        case .cursor: "${env:\(variable)}"
        case .opencode: "{env:\(variable)}"
        default: ""
        }
    }

    /// Returns the declaration of an input variable for VS Code. At the first start of the server, VS Code asks the
    /// user for the value and encrypts the stored value.
    private static func input(_ variable: String) -> JSONValue {
        [
            "type": "promptString", "id": .string(variable), "description": .string("\(variable) for Larder"),
            "password": true,
        ]
    }

    /// Returns Larder's entry for the configuration of opencode, in which the command and its arguments form one array.
    private func openCodeDeclaration(of server: MCPServerEntry) -> JSONValue {
        var entry = JSONObject()
        entry["type"] = "local"
        entry["command"] = .array(([server.command] + server.arguments).map { .string($0) })
        if !server.variables.isEmpty { entry["environment"] = environment(of: server) }
        entry["enabled"] = true
        return .object(JSONObject([(key, .object(JSONObject([(server.name, .object(entry))])))]))
    }
}
