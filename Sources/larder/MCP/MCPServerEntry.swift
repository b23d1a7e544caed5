/// The command with which an MCP host starts Larder.
struct MCPServerEntry: Equatable, Sendable {
    /// The maximum length of `name`, in bytes. Hosts put the name before the name of each tool, and some models limit
    /// the result to 64 bytes.
    private static let maxNameLength = 40

    /// The absolute path of the program.
    let command: String
    let arguments: [String]
    /// The names of the environment variables that the server needs. A configuration contains references to these
    /// variables, not their values.
    let variables: [String]

    /// The name of the server in the configuration of an MCP host: `larder`, followed by the tool prefix or by the
    /// names of the catalogs. If the name would be too long, it is only `larder`.
    var name: String {
        let parts = MCPCommand.toolPrefix(of: self).map { [$0] } ?? MCPCommand.catalogNames(of: self)
        let name = (["larder"] + parts).joined(separator: "-").utf8.map(Self.character)
        return name.count <= Self.maxNameLength ? String(decoding: name, as: UTF8.self) : "larder"
    }

    /// Returns the given character if it is a letter or digit, and `-` otherwise. Hosts accept `-` in the name of a
    /// server. `_` is not kept, because Gemini CLI splits the names of tools at the first `_`.
    private static func character(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            byte
        default: UInt8(ascii: "-")
        }
    }
}
