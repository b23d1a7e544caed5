import JSON

/// Writes configurations for MCP hosts that use TOML or YAML. Strings have JSON syntax, which both formats accept.
enum HostText {
    /// Returns Larder's entry for Codex's `config.toml`. Codex passes the variables in `env_vars` from its own
    /// environment to the server.
    static func toml(_ server: MCPServerEntry) -> String {
        var text = """
            [mcp_servers.\(server.name)]
            command = \(quoted(server.command))
            args = \(list(server.arguments))

            """
        if !server.variables.isEmpty { text += "env_vars = \(list(server.variables))\n" }
        return text
    }

    /// Returns Larder's entry for Goose's `config.yaml`. Goose reads the values of `env_keys` from its environment and
    /// its secret storage.
    static func yaml(_ server: MCPServerEntry) -> String {
        """
        extensions:
          \(server.name):
            enabled: true
            type: stdio
            name: \(server.name)
            description: \(quoted("Reads APIs through a cache"))
            cmd: \(quoted(server.command))
            args: \(list(server.arguments))
            env_keys: \(list(server.variables))
            envs: {}
            timeout: 300

        """
    }

    private static func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
