/// The names of the tools as clients see them: with the prefix of `--tool-prefix`, so that one agent can use several
/// servers.
struct ToolNames: Sendable {
    /// The names of all tools without a prefix.
    private static let all = ["get_item", "list_items", "search_cached", "prefetch_list", "describe_resource"]

    /// The prefix; nil for none.
    let prefix: String?

    /// Returns the name of a tool with the prefix.
    func name(_ name: String) -> String { prefix.map { "\($0)_\(name)" } ?? name }

    /// Returns a description with the prefix added to each tool name in it.
    func text(_ text: String) -> String {
        guard prefix != nil else { return text }
        return Self.all.reduce(text) { $0.replacing($1, with: name($1)) }
    }
}
