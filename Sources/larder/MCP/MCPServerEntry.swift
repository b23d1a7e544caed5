/// The command with which a host starts Larder.
struct MCPServerEntry: Equatable, Sendable {
    /// The absolute path of the program.
    let command: String
    let arguments: [String]
    /// The names of the environment variables that the server needs. A configuration contains references to these
    /// variables, not their values.
    let variables: [String]

    /// The name of the server in a host's configuration. It contains the tool prefix, so that the configurations for
    /// several catalogs can be merged. It has no `_`, because Gemini CLI's policies split the names of tools at the
    /// first `_`.
    var name: String {
        MCPCommand.toolPrefix(of: self).map { "larder-" + $0.replacing("_", with: "-") } ?? "larder"
    }
}
