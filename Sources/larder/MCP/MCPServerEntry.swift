/// The command with which a host starts Larder.
struct MCPServerEntry: Equatable, Sendable {
    /// The absolute path of the program.
    let command: String
    let arguments: [String]
    /// The names of the environment variables that the server needs. A configuration contains references to these
    /// variables, not their values.
    let variables: [String]
}
